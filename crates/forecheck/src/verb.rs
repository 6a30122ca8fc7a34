//! What a verb is to the runtime. Generated code implements this; a surface's author implements the
//! checks, gatherers and effects that generated code asks for.

use std::fmt;

use forecheck_contract::instant;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::definition::Definition;
use crate::stage::Doubtful;

/// Where a surface runs: what gatherers may read through, what effects may act through.
///
/// Verbs are generic over their world, so a call that was cleared in the world of a test does not
/// open the effect of another one.
pub trait World: Sized {
    /// What gatherers and read-only verbs are given.
    type Read;
    /// What effects are given.
    type Act;
}

/// One verb in one world.
pub trait Verb: Sized {
    /// The world.
    type World: World;
    /// The input, as its schema says.
    type Input: DeserializeOwned;
    /// The output, as its schema says.
    type Output: Serialize;
    /// A constraint that does not hold, with its details.
    type Refusal: Refusing;
    /// One slot for each fact that the verb's checks read, filled as they are needed.
    type Facts: FactSlots;
    /// The name of a fact.
    type Fact: FactName;

    /// The name of the verb.
    const NAME: &'static str;

    /// What the surface says of the verb.
    fn definition() -> &'static Definition;

    /// Evaluates the checks of one class, as far as the facts that are there allow. Pure: it has no
    /// port and no clock. It is asked again after each fact that was gathered.
    fn judge(class: Class, seen: &Seen<Self>, facts: &Self::Facts) -> Verdict<Self>;

    /// Gathers a fact into its slot.
    ///
    /// # Errors
    /// [`FactUnavailable`]: the call is then refused with `FACT_UNAVAILABLE`.
    fn gather(
        fact: Self::Fact,
        seen: &Seen<Self>,
        facts: &mut Self::Facts,
        read: &ReadPorts<Self>,
    ) -> Result<(), FactUnavailable>;
}

/// What gatherers of a verb's world are given.
pub type ReadPorts<V> = <<V as Verb>::World as World>::Read;

/// What effects of a verb's world are given.
pub type ActPorts<V> = <<V as Verb>::World as World>::Act;

/// A verb that changes nothing: it has no key, and its answers are not recorded.
pub trait ReadOnly: Verb {}

/// A verb that acts, and so only with a [`Reserved`](crate::Reserved) call.
pub trait Effectful: Verb {
    /// The verb's probe: looks whether the effect of a call in doubt took place. `None` for a verb without
    /// one.
    fn look(_read: &ReadPorts<Self>, _call: &Doubtful<Self>) -> Option<Look<Self::Output>> {
        None
    }
}

/// What a probe has seen of the effect of a call in doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Look<O> {
    /// It took place, with this output: the call succeeded.
    Landed(O),
    /// There is no trace of it. Once the call has been in doubt for as long as the verb's `settle_after`,
    /// nothing is known of it and it may act.
    Absent,
    /// That cannot be told, for this reason.
    Unknown(String),
}

/// What checks and gatherers see of a call beside facts. It does not change: what was hashed is what is
/// checked and executed.
#[derive(Debug)]
pub struct Seen<V: Verb> {
    pub(crate) input: V::Input,
    pub(crate) target: String,
    pub(crate) value: Value,
}

impl<V: Verb> Seen<V> {
    /// The input with its defaults filled in.
    pub fn input(&self) -> &V::Input {
        &self.input
    }

    /// The target in its one spelling; empty for a verb without one.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The input as JSON, for checks that several verbs share and for predicates.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

/// When a constraint is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Authority: before the ledger is asked, so that nobody sees what they may not.
    Policy,
    /// Everything else: after the ledger was asked, input-only checks before those that read facts.
    Rest,
}

/// What a judgement comes to.
#[derive(Debug)]
pub enum Verdict<V: Verb> {
    /// Every constraint of the class holds.
    Clear,
    /// This one does not, nor do the others, in the promised order.
    Refused(Failed<V::Refusal>, Vec<Failed<V::Refusal>>),
    /// A fact is needed first.
    Need(V::Fact),
}

impl<V: Verb> Verdict<V> {
    /// The verdict on checks that are evaluated together, if any of them failed.
    pub fn refused(failed: Vec<Failed<V::Refusal>>) -> Option<Self> {
        let mut failed = failed.into_iter();
        failed.next().map(|first| Verdict::Refused(first, failed.collect()))
    }
}

/// A constraint that does not hold: what its check answers.
///
/// Details become one with `?` or [`into`](Into::into).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed<D> {
    pub(crate) details: D,
    pub(crate) at: Vec<String>,
    pub(crate) message: Option<String>,
}

impl<D> From<D> for Failed<D> {
    fn from(details: D) -> Self {
        Failed { details, at: Vec::new(), message: None }
    }
}

impl<D> Failed<D> {
    /// Names a place in the input that the refusal is about, as a JSON Pointer such as `/paths/3`. It must
    /// lie in the constraint's `subject`, where there is one; what does not is left out. Without a place
    /// the refusal is about all of the subject.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.at.push(pointer.into());
        self
    }

    /// Says what is wrong in a sentence. Without one, the constraint's description does.
    #[must_use]
    pub fn because(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// The same with other details.
    pub fn map<E>(self, with: impl FnOnce(D) -> E) -> Failed<E> {
        Failed { details: with(self.details), at: self.at, message: self.message }
    }
}

/// A verb's refusals: implemented by generated code.
pub trait Refusing {
    /// The code to emit.
    fn code(&self) -> &'static str;

    /// The values that the refusal carries.
    ///
    /// # Errors
    /// As `serde_json::to_value`.
    fn details(&self) -> Result<Option<Value>, serde_json::Error>;
}

/// The names of a verb's facts: implemented by generated code.
pub trait FactName: Copy {
    /// The name in the spec.
    fn name(self) -> &'static str;
}

/// The slots of a verb's facts: implemented by generated code.
pub trait FactSlots: Default {
    /// Puts a fact that is given as JSON into its slot; `now` is an RFC 3339 text.
    ///
    /// # Errors
    /// [`NoSlot`], and every slot is as it was.
    fn put(&mut self, fact: &str, value: Value) -> Result<(), NoSlot>;
}

/// Why a fact that is given as JSON is in no slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSlot {
    /// No check of the verb reads a fact of that name.
    Unknown,
    /// It is not what checks take for it; why.
    Unfit(String),
}

/// A fact that is given as JSON, as checks take it.
///
/// # Errors
/// [`NoSlot::Unfit`]
pub fn fact_from_json<T: DeserializeOwned>(value: Value) -> Result<T, NoSlot> {
    serde_json::from_value(value).map_err(|error| NoSlot::Unfit(error.to_string()))
}

/// The time that an RFC 3339 text names.
///
/// # Errors
/// [`NoSlot::Unfit`]
pub fn time_from_json(value: &Value) -> Result<Time, NoSlot> {
    let text = value.as_str().ok_or_else(|| NoSlot::Unfit("it is not a text".to_owned()))?;
    instant::parse(text).map(Time::from).map_err(|no_instant| NoSlot::Unfit(no_instant.to_string()))
}

/// The built-in fact `now`: the time of a call.
pub type Time = std::time::SystemTime;

/// The time as predicates see it: seconds since 1970.
pub fn seconds(time: Time) -> f64 {
    match time.duration_since(Time::UNIX_EPOCH) {
        Ok(after) => after.as_secs_f64(),
        Err(before) => -before.duration().as_secs_f64(),
    }
}

/// A fact as predicates see it; `None` for what JSON cannot hold.
pub fn as_json(fact: &impl Serialize) -> Option<Value> {
    serde_json::to_value(fact).ok()
}

/// A fact that could not be gathered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactUnavailable {
    reason: String,
}

impl FactUnavailable {
    /// `reason` says why not, in one line.
    pub fn new(reason: impl Into<String>) -> Self {
        FactUnavailable { reason: reason.into() }
    }
}

impl fmt::Display for FactUnavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for FactUnavailable {}
