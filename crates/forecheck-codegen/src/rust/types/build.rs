//! From schemas to shapes.
//!
//! Objects with named members become items at once and are filled later, from a queue: so neither
//! deep nesting nor recursion deepens the stack. Everything else is shaped where it stands.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use forecheck_contract::json::Node;
use forecheck_spec::schema::{Place, ResourceId, Schemas};

use super::keywords::{self, Kinds};
use super::object::Object;
use super::shape::{Body, Field, Item, ItemId, Shape, Struct, Width, Word};
use super::union::{Candidate, choices};
use super::view::{Key, Site, View, Views, children};

/// Shapes that are nested deeper than this are cut here, to spare the stack. What is typed in the
/// end is decided by [`super::limit`], which cuts earlier.
const STACK: usize = 64;

/// The most texts that become an enum; with as many, rustc takes a quarter of a minute.
const MAX_WORDS: usize = 10_000;

/// The longest tuple that has `Debug` and `PartialEq`.
const MAX_TUPLE: u64 = 12;

/// How deep in the work a shape is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Depth {
    /// Calls on the stack.
    calls: usize,
    /// Arrays and objects around the value.
    values: usize,
}

impl Depth {
    /// One call deeper, for the same value.
    pub(super) fn again(self) -> Depth {
        Depth { calls: self.calls + 1, ..self }
    }

    /// One call deeper, for a value inside.
    fn inside(self) -> Depth {
        Depth { calls: self.calls + 1, values: self.values + 1 }
    }
}

/// What is known of a site.
#[derive(Debug, Clone)]
enum Memo {
    /// It is being shaped, for a value at this depth.
    Open { values: usize },
    /// Its shape, and the depth of calls at which that was cut, if it was.
    Done { shape: Shape, cut: Option<usize> },
}

/// Makes the items of one module.
#[derive(Debug)]
pub(super) struct Builder<'a, 's> {
    pub(super) views: Views<'a, 's>,
    /// Shapes that another module emits.
    elsewhere: Option<&'a BTreeMap<Key, Shape>>,
    pub(super) items: Vec<Item<'s>>,
    memo: BTreeMap<Key, Memo>,
    /// The items that sites made for themselves.
    own: BTreeMap<Key, ItemId>,
    /// The items that stand for sites which were needed while they were being shaped.
    asked: BTreeMap<Key, ItemId>,
    queue: VecDeque<(ItemId, Site<'s>, Object<'s>)>,
    /// Whether something was cut since this was last cleared.
    cut: bool,
    pub(super) notes: BTreeSet<String>,
}

impl<'a, 's> Builder<'a, 's> {
    pub(super) fn new(schemas: &'a Schemas<'s>, elsewhere: Option<&'a BTreeMap<Key, Shape>>) -> Self {
        Builder {
            views: Views::new(schemas),
            elsewhere,
            items: Vec::new(),
            memo: BTreeMap::new(),
            own: BTreeMap::new(),
            asked: BTreeMap::new(),
            queue: VecDeque::new(),
            cut: false,
            notes: BTreeSet::new(),
        }
    }

    /// The shape of the schema at `place`; all that it needs is then made.
    pub(super) fn root(&mut self, place: &Place<'s>) -> Shape {
        let shape = self.shape(&self.views.at(place.clone()), Depth::default());
        while let Some((id, site, object)) = self.queue.pop_front() {
            let body = self.filled(&site, object);
            self.set_body(id, Body::Struct(body));
        }
        shape
    }

    /// All shapes that were made, by site.
    pub(super) fn shapes(&self) -> BTreeMap<Key, Shape> {
        let done = self.memo.iter().filter_map(|(key, memo)| match memo {
            Memo::Done { shape, .. } => Some((key.clone(), shape.clone())),
            Memo::Open { .. } => None,
        });
        done.collect()
    }

    /// The shape of what `view` describes.
    pub(super) fn shape(&mut self, view: &View<'s>, depth: Depth) -> Shape {
        let key = view.site.key();
        if let Some(shape) = self.elsewhere.and_then(|shapes| shapes.get(&key)) {
            return shape.clone();
        }
        if depth.calls > STACK {
            self.cut = true;
            return Shape::Any;
        }
        match self.memo.get(&key) {
            Some(Memo::Done { shape, cut }) if cut.is_none_or(|calls| depth.calls >= calls) => {
                self.cut |= cut.is_some();
                shape.clone()
            }
            Some(Memo::Open { values }) if *values == depth.values => {
                self.note(&view.site.place, "stands for itself, so any value is read");
                Shape::Any
            }
            Some(Memo::Open { .. }) => Shape::Item(self.asked_item(view)),
            Some(Memo::Done { .. }) | None => self.shape_anew(view, key, depth),
        }
    }

    fn shape_anew(&mut self, view: &View<'s>, key: Key, depth: Depth) -> Shape {
        self.memo.insert(key.clone(), Memo::Open { values: depth.values });
        let cut_before = std::mem::take(&mut self.cut);
        let shape = self.shape_of(view, depth);
        let shape = self.settled(&view.site, &key, shape);
        let cut = self.cut.then_some(depth.calls);
        self.memo.insert(key, Memo::Done { shape: shape.clone(), cut });
        self.cut |= cut_before;
        shape
    }

    /// Where something inside a shape asked for the item that stands for it, makes that item.
    fn settled(&mut self, site: &Site<'s>, key: &Key, shape: Shape) -> Shape {
        let Some(&asked) = self.asked.get(key) else {
            return shape;
        };
        let own = self.own.get(key).copied();
        if own.is_some_and(|own| shape == Shape::Item(own)) {
            let body = own.and_then(|own| self.items.get(own)).map(|item| item.body.clone());
            self.set_body(asked, body.unwrap_or(Body::Pending));
        } else {
            if let Some(item) = own.and_then(|own| self.items.get_mut(own)) {
                item.site = site.inner("Value", 0);
            }
            self.set_body(asked, Body::Wrapper(shape));
        }
        Shape::Item(asked)
    }

    fn shape_of(&mut self, view: &View<'s>, depth: Depth) -> Shape {
        let allowed = view.allowed();
        if allowed.is_none() {
            return Shape::Any;
        }
        if let Some(values) = view.values() {
            return self.values(view, &values);
        }
        for choice in choices(view) {
            if let Some(shape) = self.union(view, &choice, depth) {
                return shape;
            }
        }
        self.of_kinds(view, allowed, depth)
    }

    /// The shape of a few values.
    fn values(&mut self, view: &View<'s>, values: &[&'s Node<'s>]) -> Shape {
        let kinds = values.iter().map(|value| Kinds::of_value(value)).fold(Kinds::NONE, Kinds::or);
        let null = !kinds.and(Kinds::NULL).is_none();
        let shape = match kinds.without(Kinds::NULL) {
            Kinds::NONE if null => Shape::Null,
            Kinds::BOOL => Shape::Bool,
            Kinds::STRING => {
                let texts = values.iter().filter_map(|value| value.as_str());
                self.words(view, texts.map(|text| Word { text, schemas: Vec::new() }).collect())
            }
            Kinds::INTEGER => {
                let whole =
                    || values.iter().filter_map(|value| value.as_number()).filter_map(keywords::whole);
                integer(whole().min(), whole().max())
            }
            kinds if !kinds.is_none() && kinds.within(Kinds::NUMBER) => Shape::Number,
            _ => Shape::Any,
        };
        shape.nullable(null)
    }

    /// The shape of a few texts, of which none is needed twice.
    pub(super) fn words(&mut self, view: &View<'s>, mut words: Vec<Word<'s>>) -> Shape {
        let mut seen = BTreeSet::new();
        words.retain(|word| seen.insert(word.text));
        if words.len() > MAX_WORDS {
            let note = format!("has more than {MAX_WORDS} values, so any text is read");
            self.note(&view.site.place, &note);
            return Shape::Text;
        }
        self.own_item(view, Body::Words(words))
    }

    /// The shape of all values of some kinds.
    fn of_kinds(&mut self, view: &View<'s>, allowed: Kinds, depth: Depth) -> Shape {
        let kinds = kinds(allowed);
        let shape = match kinds.as_slice() {
            [] => Shape::Null,
            [kinds] => self.kind(view, *kinds, depth),
            several if several == KINDS => {
                self.note_untyped(view);
                Shape::Any
            }
            several => {
                let candidates = several.iter().map(|kinds| Candidate::of_kind(view, *kinds));
                self.by_trial(view, candidates.collect(), depth)
            }
        };
        shape.nullable(!allowed.and(Kinds::NULL).is_none())
    }

    fn kind(&mut self, view: &View<'s>, kind: Kinds, depth: Depth) -> Shape {
        match kind {
            Kinds::BOOL => Shape::Bool,
            Kinds::STRING => Shape::Text,
            Kinds::ARRAY => self.array(view, depth),
            Kinds::OBJECT => self.object(view, depth),
            Kinds::INTEGER => {
                let low = view.nodes().filter_map(keywords::low).max();
                integer(low, view.nodes().filter_map(keywords::high).min())
            }
            _ => Shape::Number,
        }
    }

    fn array(&mut self, view: &View<'s>, depth: Depth) -> Shape {
        let tuple = view.parts.iter().find(|part| !keywords::list(part.place.node, "prefixItems").is_empty());
        if let Some(part) = tuple {
            return self.prefixed(view, &part.place, depth);
        }
        let items = view.parts.iter().filter_map(|part| {
            let items = part.place.node.get("items")?;
            items.as_object().map(|_| part.place.child(&["items"], items))
        });
        let items = self.views.together(items.collect(), || view.site.inner("Item", 0));
        Shape::List(Box::new(self.shape(&items, depth.inside())))
    }

    /// An array whose first items have schemas of their own.
    fn prefixed(&mut self, view: &View<'s>, place: &Place<'s>, depth: Depth) -> Shape {
        let first: Vec<Place<'s>> = children(place, "prefixItems");
        let length = u64::try_from(first.len()).unwrap_or(u64::MAX);
        let mut shapes: Vec<Shape> =
            first.into_iter().map(|item| self.shape(&self.views.at(item), depth.inside())).collect();
        let at_least = view.nodes().filter_map(|node| keywords::count(node, "minItems")).max();
        let at_most = view.nodes().filter_map(|node| keywords::count(node, "maxItems")).min();
        let closed =
            keywords::forbids(place.node, "items") || at_most.is_some_and(|at_most| at_most <= length);
        if closed && at_least.is_some_and(|at_least| at_least >= length) && length <= MAX_TUPLE {
            return Shape::Tuple(shapes);
        }
        if !closed {
            shapes.push(match place.node.get("items") {
                Some(items) => self.shape(&self.views.at(place.child(&["items"], items)), depth.inside()),
                None => Shape::Any,
            });
        }
        shapes.dedup();
        let only = if shapes.len() == 1 { shapes.pop() } else { None };
        Shape::List(Box::new(only.unwrap_or(Shape::Any)))
    }

    /// The shape of an object: a map, where no member has a name.
    pub(super) fn object(&mut self, view: &View<'s>, depth: Depth) -> Shape {
        let object = Object::of(self.views, view);
        match object.rest {
            Some(rest) if object.members.is_empty() => {
                let values = self.views.together(rest, || view.site.inner("Value", 0));
                Shape::Map(Box::new(self.shape(&values, depth.inside())))
            }
            _ => {
                let shape = self.own_item(view, Body::Struct(Struct::default()));
                if let Shape::Item(id) = shape {
                    self.queue.push_back((id, view.site.clone(), object));
                }
                shape
            }
        }
    }

    fn filled(&mut self, site: &Site<'s>, object: Object<'s>) -> Struct<'s> {
        let depth = Depth::default();
        let fields = object.members.into_iter().map(|member| {
            let schemas = member.places.iter().map(|place| place.node).collect();
            let view = self.views.together(member.places, || site.inner(member.name, 0));
            Field { name: member.name, shape: self.shape(&view, depth), required: member.required, schemas }
        });
        let fields = fields.collect();
        let rest = object.rest.map(|rest| {
            let values = self.views.together(rest, || site.inner("Value", 0));
            Shape::Map(Box::new(self.shape(&values, depth)))
        });
        Struct { fields, rest }
    }

    /// Makes an item of a view; if it has one already, this is a better body for it.
    pub(super) fn own_item(&mut self, view: &View<'s>, body: Body<'s>) -> Shape {
        let (id, items) = (self.items.len(), &mut self.items);
        let id = *self.own.entry(view.site.key()).or_insert_with(|| {
            items.push(Item {
                site: view.site.clone(),
                schemas: view.describing.clone(),
                body: Body::Pending,
            });
            id
        });
        self.set_body(id, body);
        Shape::Item(id)
    }

    fn asked_item(&mut self, view: &View<'s>) -> ItemId {
        let (id, items) = (self.items.len(), &mut self.items);
        *self.asked.entry(view.site.key()).or_insert_with(|| {
            items.push(Item {
                site: view.site.clone(),
                schemas: view.describing.clone(),
                body: Body::Pending,
            });
            id
        })
    }

    fn set_body(&mut self, id: ItemId, body: Body<'s>) {
        if let Some(item) = self.items.get_mut(id) {
            item.body = body;
        }
    }

    /// Notes something about the schema at `place`.
    pub(super) fn note(&mut self, place: &Place<'s>, what: &str) {
        self.notes.insert(note(place, what));
    }

    fn note_untyped(&mut self, view: &View<'s>) {
        let telling = ["properties", "items", "prefixItems"];
        if view.nodes().any(|node| telling.iter().any(|keyword| node.get(keyword).is_some())) {
            self.note(&view.site.place, "allows values of every type, so any value is read");
        }
    }
}

/// Something about the schema at `place`.
pub(super) fn note(place: &Place<'_>, what: &str) -> String {
    let document = match place.resource.id {
        ResourceId::Own => String::new(),
        ResourceId::Common => "_common.schema.json".to_owned(),
        ResourceId::Defs(name) => format!("../defs/{name}.schema.json"),
    };
    format!("`{document}#{}` {what}", place.pointer)
}

fn integer(low: Option<i128>, high: Option<i128>) -> Shape {
    Width::between(low, high).map_or(Shape::Number, Shape::Integer)
}

/// The kinds that are types of their own.
pub(super) const KINDS: [Kinds; 5] = [Kinds::BOOL, Kinds::NUMBER, Kinds::STRING, Kinds::ARRAY, Kinds::OBJECT];

/// What is allowed, by types of their own; `null` is none.
pub(super) fn kinds(allowed: Kinds) -> Vec<Kinds> {
    KINDS.iter().map(|kinds| allowed.and(*kinds)).filter(|kinds| !kinds.is_none()).collect()
}
