//! A call in doubt, and what a probe makes of it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use forecheck_contract::key::Key;
use forecheck_contract::outcome::Next;

use super::{Books, Call, Ended, Fresh, LookedUp};
use crate::ledger::{Doubt, Finding, Known, Resolving};
use crate::verb::{Look, Verb};

/// What a probe has seen, and when it began to look.
pub(crate) type Looked<V> = (Look<<V as Verb>::Output>, SystemTime);

/// A call in doubt, whose caller has passed the policy of the verb: what a probe looks at.
pub struct Doubtful<V: Verb> {
    call: Call<V>,
    doubt: Doubt,
}

impl<V: Verb> Doubtful<V> {
    pub(super) fn new(call: Call<V>, doubt: Doubt) -> Self {
        Doubtful { call, doubt }
    }

    /// The input with its defaults filled in.
    pub fn input(&self) -> &V::Input {
        &self.call.seen.input
    }

    /// The target in its one spelling; empty for a verb without one.
    pub fn target(&self) -> &str {
        &self.call.seen.target
    }

    /// The idempotency key, by which the effect may have marked what it made. Calls of other principals may have
    /// the same one, and so may an earlier call whose success is forgotten: a mark says more than the key.
    pub fn key(&self) -> Key {
        self.call.identity.key
    }

    pub(crate) fn not_looked_at(self) -> Ended {
        self.call.known(Known::InDoubt(self.doubt))
    }

    /// Goes on with what a probe has seen, which began to look at that instant; `None` where nobody looked.
    pub(crate) fn after(self, seen: Option<Looked<V>>, books: &Books<'_>) -> Result<Fresh<V>, Ended> {
        let Some((look, at)) = seen else { return Err(self.not_looked_at()) };
        let Doubtful { call, doubt } = self;
        let finding = match look {
            Look::Unknown(why) => {
                let why = format!("{}; a look could not tell: {why}", doubt.why);
                return Err(call.still_in_doubt(Next::AskOperator, why));
            }
            Look::Absent => {
                let on_its_way = call.loaded.settle_after.unwrap_or(Duration::MAX);
                Finding::Absent { in_doubt_by: Some(at.checked_sub(on_its_way).unwrap_or(UNIX_EPOCH)) }
            }
            Look::Landed(output) => match serde_json::to_string(&output) {
                Ok(output) => Finding::Landed { output, window: call.loaded.window },
                Err(error) => {
                    let why = format!("the output cannot be written as JSON: {error}");
                    return Err(call.still_in_doubt(Next::AskOperator, why));
                }
            },
        };
        match books.ledger.resolve(&doubt.claim, &finding) {
            Err(error) => Err(call.ledger_unavailable(&error)),
            Ok(Resolving::TooEarly) => {
                let why = format!("{}; there is no trace of its effect yet", doubt.why);
                Err(call.still_in_doubt(Next::Wait, why))
            }
            Ok(Resolving::Resolved | Resolving::Gone) => match call.look_up(books) {
                LookedUp::Fresh(fresh) => Ok(fresh),
                LookedUp::Doubtful(again) => Err(again.not_looked_at()),
                LookedUp::Ended(ended) => Err(ended),
            },
        }
    }
}
