//! The twins that a generated module lists.

use anyhow::{Context, Result};
use syn::visit::{self, Visit};
use syn::{Expr, ExprStruct, Lit, Member, Stmt};

/// A constraint of a verb.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Twin {
    pub(super) verb: String,
    pub(super) code: String,
    /// The module of the verb.
    pub(super) module: String,
    /// The name of its check.
    pub(super) check: String,
}

/// Reads a generated `twins.rs`.
pub(super) fn twins(text: &str) -> Result<Vec<Twin>> {
    let mut found = Found(Vec::new());
    found.visit_file(&syn::parse_file(text)?);
    found.0.into_iter().collect::<Option<_>>().context("a twin that is not as the generator writes it")
}

struct Found(Vec<Option<Twin>>);

impl<'ast> Visit<'ast> for Found {
    fn visit_expr_struct(&mut self, twin: &'ast ExprStruct) {
        if twin.path.is_ident("Twin") {
            self.0.push(read(twin));
        }
        visit::visit_expr_struct(self, twin);
    }
}

fn read(twin: &ExprStruct) -> Option<Twin> {
    let field = |name: &str| {
        let named =
            |field: &&syn::FieldValue| matches!(&field.member, Member::Named(member) if member == name);
        twin.fields.iter().find(named).map(|field| &field.expr)
    };
    let Expr::Closure(closure) = field("break_it")? else { return None };
    let Expr::Path(call) = field("call")? else { return None };
    let module = call.path.segments.iter().rev().nth(1)?;
    Some(Twin {
        verb: word(field("verb")?)?,
        code: word(field("code")?)?,
        module: module.ident.to_string(),
        check: method(&closure.body)?.strip_prefix("break_")?.to_owned(),
    })
}

/// The method that a closure calls; a long call stands in braces.
fn method(body: &Expr) -> Option<String> {
    match body {
        Expr::MethodCall(call) => Some(call.method.to_string()),
        Expr::Block(block) => match &block.block.stmts[..] {
            [Stmt::Expr(call, None)] => method(call),
            _ => None,
        },
        _ => None,
    }
}

fn word(literal: &Expr) -> Option<String> {
    match literal {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}
