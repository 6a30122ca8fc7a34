//! `KEY_LOCK_UNREADABLE` and `KEY_RECIPE_CHANGED`.

use forecheck::Failed;

use crate::generated::details::{KeyLockUnreadable, KeyRecipeChanged, KeyRecipeChangedMovedItem};
use crate::generated::facts::{KeyLock, MovedKeys, MovedKeysMovedItem};

pub(super) fn unreadable(lock: &KeyLock) -> Result<(), Failed<KeyLockUnreadable>> {
    let Some(reason) = lock.unreadable.clone() else { return Ok(()) };
    let message = format!("the previous keys.json cannot be read: {reason}");
    Err(Failed::from(KeyLockUnreadable { reason }).because(message))
}

pub(super) fn recipe_changed(keys: &MovedKeys) -> Result<(), Failed<KeyRecipeChanged>> {
    if keys.moved.is_empty() {
        return Ok(());
    }
    let lines = keys.moved.iter().map(|moved| format!("\n{}", moved.difference));
    let message = format!("keys that were given out would move:{}", lines.collect::<String>());
    let moved = keys.moved.iter().map(published).collect();
    Err(Failed::from(KeyRecipeChanged { moved }).because(message))
}

fn published(moved: &MovedKeysMovedItem) -> KeyRecipeChangedMovedItem {
    KeyRecipeChangedMovedItem {
        verb: moved.verb.clone(),
        locked_revision: moved.locked_revision,
        revision: moved.revision,
        locked: moved.locked.clone(),
        now: moved.now.clone(),
    }
}
