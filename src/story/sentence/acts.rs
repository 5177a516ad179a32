//! What the families of Move and Wasm say their sentences with.

use std::borrow::Cow;

use crate::story::{
    Phrase,
    scene::{Clause, Scene, Told},
};

/// "{the account in this field} {past} {rest}".
pub(super) fn act(
    scene: &Scene<'_>,
    told: Told<'_>,
    field: &str,
    [past, base]: [&'static str; 2],
    rest: Vec<Phrase>,
) -> Clause {
    Clause {
        subject: actor(scene, told, field),
        past: Cow::Borrowed(past),
        base: Cow::Borrowed(base),
        rest,
        is_noise: false,
    }
}

/// The account in a field, else who signed.
pub(super) fn actor(scene: &Scene<'_>, told: Told<'_>, field: &str) -> Vec<Phrase> {
    match (told.text(field), scene.decoded.signer) {
        (Some(text), _) => scene.words().party(&text),
        (None, Some(signer)) => scene.words().word(scene.account(signer)),
        (None, None) => scene.words().text("Somebody"),
    }
    .done()
}
