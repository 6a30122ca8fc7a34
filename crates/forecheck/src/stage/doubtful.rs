//! A call in doubt, and what a probe makes of it.

use std::time::Duration;

use forecheck_contract::key::Key;
use forecheck_contract::outcome::Next;

use super::{Books, Call, Ended, Fresh, LookedUp};
use crate::ledger::{Doubt, Finding, Known, Resolving};
use crate::verb::{Look, Verb};

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

    /// The idempotency key, by which the effect may have marked what it made.
    pub fn key(&self) -> Key {
        self.call.identity.key
    }

    pub(crate) fn not_looked_at(self) -> Ended {
        self.call.known(Known::InDoubt(self.doubt))
    }

    /// Goes on with what a probe has seen; `None` where nobody looked.
    pub(crate) fn after(self, look: Option<Look<V::Output>>, books: &Books<'_>) -> Result<Fresh<V>, Ended> {
        let Some(look) = look else { return Err(self.not_looked_at()) };
        let Doubtful { call, doubt } = self;
        let finding = match look {
            Look::Unknown(why) => return Err(call.still_in_doubt(Next::AskOperator, why)),
            Look::Absent => {
                Finding::Absent { settle_after: call.loaded.settle_after.unwrap_or(Duration::MAX) }
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
