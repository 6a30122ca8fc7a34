//! What is wrong with a surface: data, with a place, a reason and a remedy.

use forecheck_contract::json::Span;

/// The number of a file in [`Trees::files`](crate::tree::Trees::files).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub usize);

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file; the folder itself where it is absent.
    pub file: Option<FileId>,
    /// The bytes.
    pub span: Span,
}

/// A value and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub at: Location,
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something worth knowing.
    Note,
    /// Something that is probably not meant; generation goes on.
    Warning,
    /// A published fact would be wrong or could not be built; nothing is generated.
    Error,
}

impl Severity {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Something that is wrong with a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The rule that found it.
    pub lint: Lint,
    /// Where.
    pub at: Location,
    /// What is wrong, in one line that stands alone.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Other places that belong to it, each with what is there.
    pub related: Vec<(Location, String)>,
}

impl Location {
    /// The folder itself.
    pub const FOLDER: Location = Location { file: None, span: Span { start: 0, end: 0 } };
}

impl Problem {
    /// A problem without help and without other places.
    pub fn new(lint: Lint, at: Location, message: impl Into<String>) -> Problem {
        Problem { lint, at, message: message.into(), help: None, related: Vec::new() }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// Adds another place that belongs to it.
    #[must_use]
    pub fn related(mut self, at: Location, what: impl Into<String>) -> Problem {
        self.related.push((at, what.into()));
        self
    }
}

macro_rules! lints {
    ($($variant:ident $name:literal $severity:ident $about:literal;)+) => {
        /// The rules of `forecheck check`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Lint {
            $(#[doc = $about] $variant,)+
        }

        impl Lint {
            /// All of them.
            pub const ALL: &[Lint] = &[$(Lint::$variant),+];

            /// The name under which it reports.
            pub const fn name(self) -> &'static str {
                match self { $(Lint::$variant => $name),+ }
            }

            /// How bad what it finds is.
            pub const fn severity(self) -> Severity {
                match self { $(Lint::$variant => Severity::$severity),+ }
            }
        }
    };
}

impl Lint {
    /// Whether what it finds keeps values from being held against schemas.
    pub(crate) const fn spoils_schemas(self) -> bool {
        matches!(self, Lint::Schema | Lint::UnresolvedRef | Lint::FanOut)
    }

    /// Whether what it finds keeps a file from being read as what it is.
    pub(crate) const fn hides_a_file(self) -> bool {
        matches!(
            self,
            Lint::Unreadable
                | Lint::Encoding
                | Lint::Syntax
                | Lint::Limit
                | Lint::MisplacedFile
                | Lint::FileName
                | Lint::MissingField
        )
    }
}

lints! {
    Unreadable "unreadable" Error "A file that cannot be read, or that is a link out of the folder.";
    Encoding "encoding" Error "Bytes that are not UTF-8, a byte order mark, or half of a surrogate pair.";
    Syntax "syntax" Error "A text that is not JSON.";
    Limit "limit" Error "A text that is longer or deeper than what is read, or a number that no double can hold.";
    DuplicateKey "duplicate-key" Error "Two members of one name in an object.";
    UnknownFile "unknown-file" Warning "A JSON file in a place where the dialect expects none.";
    MisplacedFile "misplaced-file" Error "A JSON file among verbs, constraints, facts or definitions that is named like none of them.";
    UnknownKey "unknown-key" Error "A member that the dialect does not know.";
    MissingField "missing-field" Error "A required member that is not there.";
    WrongType "wrong-type" Error "A value of another type than the dialect asks for.";
    WrongValue "wrong-value" Error "A value outside the ones that the dialect allows.";
    FileName "file-name" Error "A name in a file that differs from the name of the file.";
    VerbGrammar "verb-grammar" Error "A verb that is not spelled as verbs are.";
    CodeGrammar "code-grammar" Error "A code that is not spelled as codes are.";
    FactGrammar "fact-grammar" Error "A fact that is not spelled as facts are, or that takes a reserved name.";
    ReservedCode "reserved-code" Error "A constraint that takes the name of a runtime code.";
    LongName "long-name" Warning "A verb with a name that MCP clients refuse.";
    CodeTwice "code-twice" Error "A code that one verb declares twice.";
    UnknownConstraint "unknown-constraint" Error "The name of a shared constraint that is not there.";
    NamesFold "names-fold" Error "Two verbs or two codes that make one identifier.";
    Unused "unused" Warning "A shared constraint, fact or definition that nothing uses.";
    NoText "no-text" Warning "A constraint without a description.";
    TextsDiffer "texts-differ" Warning "A code that verbs describe in different words.";
    TextTie "text-tie" Warning "Different texts of one code that are equally long.";
    DetailsDiffer "details-differ" Error "A code that carries other details in another verb.";
    PolicyDiffers "policy-differs" Error "A code that is policy in one verb and not in another.";
    UnresolvedRef "unresolved-ref" Error "A `$ref` that leads nowhere.";
    UnresolvedPointer "unresolved-pointer" Error "A pointer to a field that the schema does not have.";
    UnknownRead "unknown-read" Error "A name in `reads` or `of` that is no field, no fact and no target.";
    ReadsNothing "reads-nothing" Error "A constraint whose check would see nothing.";
    ReadsIgnored "reads-ignored" Error "A constraint that reads a field that stays out of the key.";
    ClassOrder "class-order" Error "Constraints in another order than the one in which they are evaluated.";
    TargetField "target-field" Error "A target that is not a required string of the input.";
    IgnoredField "ignored-field" Error "An `x-key` where the key cannot honour it.";
    IntentField "intent-field" Error "A verb that repeats by intent without the field that carries it.";
    Schema "schema" Error "A schema keyword with a value that it cannot have.";
    FanOut "fan-out" Error "Schemas that one value would be checked against too many times, or without end.";
    UnsupportedKeyword "unsupported-keyword" Error "A schema keyword that the generators cannot honour.";
    UnknownKeyword "unknown-keyword" Warning "A schema keyword that constrains nothing.";
    Pattern "pattern" Warning "A pattern that cannot be compiled, so that nothing enforces it.";
    UnknownFormat "unknown-format" Warning "A `format` that JSON Schema does not define.";
    Dialect "dialect" Warning "A schema that says it is written in another dialect than 2020-12.";
    FactType "fact-type" Error "A field that a fact is `of` and that has another type in another verb.";
    DetailsOptional "details-optional" Error "A property of `details` that is not required.";
    Default "default" Error "A default that its schema forbids, or that holds what the key leaves out.";
    IdleMember "idle-member" Warning "A member of a verb that changes nothing for it.";
    UnknownMention "unknown-mention" Warning "A text that names a code which is retired, or misspelt.";
    UnknownOperator "unknown-operator" Error "An operator that predicates do not have.";
    PredicateAbsent "predicate-absent" Error "A predicate that compares what may be absent.";
    PredicatePresent "predicate-present" Error "A predicate that asks whether something is there that always is.";
    PredicateType "predicate-type" Error "An operator on a value that can never be of its kind.";
    PredicateReads "predicate-reads" Error "A predicate that reads what `reads` does not declare.";
    PredicateDetails "predicate-details" Error "Details of a refusal that a predicate raises.";
    UnusedRead "unused-read" Warning "A name in `reads` that the predicate does not read.";
    NeverTrue "never-true" Warning "A predicate, or a part of one, that no call makes true.";
    AlwaysTrue "always-true" Warning "A predicate, or a part of one, that every call makes true.";
    UnknownCode "unknown-code" Error "A code in `see` that the surface does not have.";
    ReplacedBy "replaced-by" Error "A successor that does not exist.";
    RetiredTwice "retired-twice" Error "A code or verb that is retired in two entries.";
    RetiredUsed "retired-used" Error "A retired code or verb that is in use again.";
    Common "common" Error "A definition in `_common.schema.json` that disagrees with the runtime.";
    Example "example" Error "An example that does not do what it says.";
    NotYet "not-yet" Error "A part of the dialect that this version does not read yet.";
    NoVerbs "no-verbs" Error "A folder without a verb.";
    NoSurface "no-surface" Note "A folder without `surface.json`.";
    NoTarget "no-target" Note "A surface without a target.";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn lints_have_names_of_their_own() {
        let names: BTreeSet<&str> = Lint::ALL.iter().map(|lint| lint.name()).collect();
        assert_eq!(names.len(), Lint::ALL.len());
    }
}
