use std::borrow::Cow;

use crate::story::scene::{Clause, Scene, Told};

/// The messages of the SDK itself (`wire/story.md` §1.1).
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>) -> Option<Clause> {
    let _ = (scene, told);
    None
}

/// What is said of a type that nobody knows.
pub(super) fn unknown(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    const SIGNERS: [&str; 5] = ["sender", "signer", "authority", "from_address", "granter"];
    let signer = SIGNERS.iter().find_map(|name| told.text(name));
    let subject = match (signer, scene.decoded.signer) {
        (Some(signer), _) => scene.words().party(&signer),
        (None, Some(signer)) => scene.words().word(scene.account(signer)),
        (None, None) => scene.words().text("Somebody"),
    };
    let name = if told.kind.short().is_empty() { "unnamed" } else { told.kind.short() };
    Clause {
        subject: subject.done(),
        past: Cow::Borrowed("sent"),
        base: Cow::Borrowed("send"),
        rest: scene.words().text("a ").code(name).text(" message").done(),
        is_noise: false,
    }
}
