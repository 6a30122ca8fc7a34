//! Types before they have names: what a module will say, without Rust's spelling.

use forecheck_contract::json::Node;

use super::view::{Site, View};

/// An index into the items of a module.
pub(super) type ItemId = usize;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// Any value.
    Any,
    /// `null` alone.
    Null,
    /// `true` or `false`.
    Bool,
    /// A whole number of a width.
    Integer(Width),
    /// A number. Not `f64`: that could hold NaN, which JSON cannot, and rounds integers beyond 2^53.
    Number,
    /// A text.
    Text,
    /// An array.
    List(Box<Shape>),
    /// An array of a fixed length.
    Tuple(Vec<Shape>),
    /// An object that is only known by its values.
    Map(Box<Shape>),
    /// `null`, or a value.
    Nullable(Box<Shape>),
    /// An item of this module.
    Item(ItemId),
    /// An item of the module `shared`.
    Shared(ItemId),
}

impl Shape {
    /// This shape, or `null` where that is allowed.
    pub(super) fn nullable(self, allowed: bool) -> Shape {
        match self {
            Shape::Any | Shape::Null | Shape::Nullable(_) => self,
            _ if allowed => Shape::Nullable(Box::new(self)),
            _ => self,
        }
    }

    /// Whether `null` is allowed, and the shape of everything else.
    pub(super) fn without_null(self) -> (bool, Option<Shape>) {
        match self {
            Shape::Null => (true, None),
            Shape::Nullable(inner) => (true, Some(*inner)),
            other => (false, Some(other)),
        }
    }

    /// The shapes directly inside this one.
    pub(super) fn inner(&self) -> &[Shape] {
        match self {
            Shape::List(inner) | Shape::Map(inner) | Shape::Nullable(inner) => std::slice::from_ref(inner),
            Shape::Tuple(inner) => inner,
            Shape::Any
            | Shape::Null
            | Shape::Bool
            | Shape::Integer(_)
            | Shape::Number
            | Shape::Text
            | Shape::Item(_)
            | Shape::Shared(_) => &[],
        }
    }

    /// Whether an integer stands in this shape itself, outside of items.
    pub(super) fn holds_integer(&self) -> bool {
        matches!(self, Shape::Integer(_)) || self.inner().iter().any(Shape::holds_integer)
    }

    /// Calls `visit` with each item that stands in this shape.
    pub(super) fn each_item(&self, visit: &mut impl FnMut(ItemId)) {
        if let Shape::Item(id) = self {
            visit(*id);
        }
        for inner in self.inner() {
            inner.each_item(visit);
        }
    }

    /// Calls `visit` with each item of which this shape holds one in place, not behind a pointer.
    pub(super) fn each_held_item(&self, visit: &mut impl FnMut(ItemId)) {
        match self {
            Shape::Item(id) => visit(*id),
            Shape::Nullable(inner) => inner.each_held_item(visit),
            Shape::Tuple(inner) => inner.iter().for_each(|inner| inner.each_held_item(visit)),
            Shape::List(_)
            | Shape::Map(_)
            | Shape::Any
            | Shape::Null
            | Shape::Bool
            | Shape::Integer(_)
            | Shape::Number
            | Shape::Text
            | Shape::Shared(_) => {}
        }
    }
}

/// The width of an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
}

impl Width {
    /// The narrowest width for everything between two bounds. A missing bound stands for the end
    /// of 64 bits: beyond 2^53 a runtime refuses integers anyway. `None` when 64 bits are too few.
    pub(super) fn between(low: Option<i128>, high: Option<i128>) -> Option<Width> {
        let narrow = low.is_some() && high.is_some();
        let low = low.unwrap_or(i64::MIN.into());
        let high = high.unwrap_or(if low < 0 { i64::MAX.into() } else { u64::MAX.into() });
        let all = if narrow { &Width::ALL[..] } else { &[Width::U64, Width::I64] };
        all.iter().copied().find(|width| width.low() <= low.min(high) && low.max(high) <= width.high())
    }

    /// The narrowest width for everything that either holds.
    pub(super) fn covering(self, other: Width) -> Option<Width> {
        Width::between(Some(self.low().min(other.low())), Some(self.high().max(other.high())))
    }

    const ALL: [Width; 8] =
        [Width::U8, Width::I8, Width::U16, Width::I16, Width::U32, Width::I32, Width::U64, Width::I64];

    fn low(self) -> i128 {
        match self {
            Width::U8 | Width::U16 | Width::U32 | Width::U64 => 0,
            Width::I8 => i8::MIN.into(),
            Width::I16 => i16::MIN.into(),
            Width::I32 => i32::MIN.into(),
            Width::I64 => i64::MIN.into(),
        }
    }

    fn high(self) -> i128 {
        match self {
            Width::U8 => u8::MAX.into(),
            Width::U16 => u16::MAX.into(),
            Width::U32 => u32::MAX.into(),
            Width::U64 => u64::MAX.into(),
            Width::I8 => i8::MAX.into(),
            Width::I16 => i16::MAX.into(),
            Width::I32 => i32::MAX.into(),
            Width::I64 => i64::MAX.into(),
        }
    }
}

/// A type that has a name of its own.
#[derive(Debug, Clone)]
pub(super) struct Item<'s> {
    /// Where it comes from.
    pub(super) site: Site<'s>,
    /// The schemas that may describe it, the best first.
    pub(super) schemas: Vec<&'s Node<'s>>,
    /// What it is.
    pub(super) body: Body<'s>,
}

/// What an item is.
#[derive(Debug, Clone)]
pub(super) enum Body<'s> {
    /// Not made yet, or not needed in the end.
    Pending,
    /// An object with named members.
    Struct(Struct<'s>),
    /// One of several texts.
    Words(Vec<Word<'s>>),
    /// One of several objects, told apart by the text of one member.
    Tagged(Tagged<'s>),
    /// One of several shapes, told apart by trying.
    Union(Union<'s>),
    /// Another shape under a name, where Rust asks for one: a list of itself.
    Wrapper(Shape),
    /// Another name for a shape, where only the name is asked for.
    Alias(Shape),
}

impl Body<'_> {
    /// Calls `visit` with every shape that this item is made of.
    pub(super) fn each_shape(&self, mut visit: impl FnMut(&Shape)) {
        match self {
            Body::Pending | Body::Words(_) => {}
            Body::Struct(body) => {
                body.fields.iter().for_each(|field| visit(&field.shape));
                body.rest.iter().for_each(visit);
            }
            Body::Tagged(body) => body.variants.iter().filter_map(|(_, body)| body.as_ref()).for_each(visit),
            Body::Union(body) => body.variants.iter().for_each(|variant| visit(&variant.shape)),
            Body::Wrapper(shape) | Body::Alias(shape) => visit(shape),
        }
    }

    /// Calls `change` with every shape that this item is made of.
    pub(super) fn each_shape_mut(&mut self, mut change: impl FnMut(&mut Shape)) {
        match self {
            Body::Pending | Body::Words(_) => {}
            Body::Struct(body) => {
                body.fields.iter_mut().for_each(|field| change(&mut field.shape));
                body.rest.iter_mut().for_each(change);
            }
            Body::Tagged(body) => {
                body.variants.iter_mut().filter_map(|(_, body)| body.as_mut()).for_each(change);
            }
            Body::Union(body) => body.variants.iter_mut().for_each(|variant| change(&mut variant.shape)),
            Body::Wrapper(shape) | Body::Alias(shape) => change(shape),
        }
    }
}

/// An object with named members.
#[derive(Debug, Clone, Default)]
pub(super) struct Struct<'s> {
    /// Its members, in the order of the schema.
    pub(super) fields: Vec<Field<'s>>,
    /// The map of the members that are not named; `None` when there can be none.
    pub(super) rest: Option<Shape>,
}

/// A member of an object.
#[derive(Debug, Clone)]
pub(super) struct Field<'s> {
    /// Its name.
    pub(super) name: &'s str,
    /// The type of its value.
    pub(super) shape: Shape,
    /// Whether every object has it.
    pub(super) required: bool,
    /// The schemas of its value.
    pub(super) schemas: Vec<&'s Node<'s>>,
}

/// A text of an enum.
#[derive(Debug, Clone)]
pub(super) struct Word<'s> {
    /// The text.
    pub(super) text: &'s str,
    /// The schemas that may describe it.
    pub(super) schemas: Vec<&'s Node<'s>>,
}

/// One of several objects, told apart by the text of one member.
#[derive(Debug, Clone)]
pub(super) struct Tagged<'s> {
    /// The name of the member.
    pub(super) tag: &'s str,
    /// Its text and the rest of the object, where there is a rest.
    pub(super) variants: Vec<(Label<'s>, Option<Shape>)>,
}

/// One of several shapes.
#[derive(Debug, Clone)]
pub(super) struct Union<'s> {
    /// Them, in the order in which they are tried.
    pub(super) variants: Vec<Variant<'s>>,
    /// How they are told apart.
    pub(super) reading: UnionReading,
}

/// How the variants of a union are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnionReading {
    /// Each is another kind of JSON value.
    ByKind,
    /// The first that holds the whole value is taken.
    ByTrial,
}

/// One of the shapes of a union.
#[derive(Debug, Clone)]
pub(super) struct Variant<'s> {
    /// What it is called.
    pub(super) label: Label<'s>,
    /// The shape.
    pub(super) shape: Shape,
}

/// What a variant is called, and the schema that says so.
#[derive(Debug, Clone)]
pub(super) struct Label<'s> {
    /// The word that becomes the variant's name; the text of the tag, where there is one.
    pub(super) word: String,
    /// Where it comes from.
    pub(super) site: Site<'s>,
    /// The schemas that may describe it, the best first.
    pub(super) schemas: Vec<&'s Node<'s>>,
}

impl<'s> Label<'s> {
    pub(super) fn of(word: &str, view: &View<'s>) -> Self {
        Label { word: word.to_owned(), site: view.site.clone(), schemas: view.describing.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_hold_what_the_bounds_allow() {
        let check = |low: Option<i128>, high: Option<i128>, expected: Option<Width>| {
            assert_eq!(Width::between(low, high), expected, "{low:?}..={high:?}");
        };
        check(Some(0), Some(255), Some(Width::U8));
        check(Some(0), Some(256), Some(Width::U16));
        check(Some(-1), Some(255), Some(Width::I16));
        check(Some(-128), Some(127), Some(Width::I8));
        check(Some(0), Some(u64::MAX.into()), Some(Width::U64));
        check(Some(0), Some(i128::from(u64::MAX) + 1), None);
        check(Some(-1), Some(u64::MAX.into()), None);
        check(Some(0), None, Some(Width::U64));
        check(Some(-5), None, Some(Width::I64));
        check(Some(i128::from(i64::MIN) - 1), None, None);
        check(Some(1 << 70), None, None);
        check(None, Some(10), Some(Width::I64));
        check(None, Some(u64::MAX.into()), None);
        check(None, None, Some(Width::I64));
        assert_eq!(Width::U8.covering(Width::I8), Some(Width::I16));
        assert_eq!(Width::U64.covering(Width::I8), None);
    }
}
