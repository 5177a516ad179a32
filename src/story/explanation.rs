//! Why a transaction failed, or completed with a problem, in a sentence (`wire/story.md` §5).

use super::scene::Scene;

/// A failure in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Which message, what happened and why, and what stays; whole sentences.
    pub text: String,
    /// What the code is called: `out of gas (sdk 11)`.
    pub name: String,
    /// Whether the transaction itself succeeded, and only something attached to it failed.
    pub is_partial: bool,
    /// The events that say so; none where the log says it.
    pub events: Vec<usize>,
}

/// The explanation, where something failed.
pub(super) fn explanation(scene: &Scene<'_>) -> Option<Explanation> {
    let failure = scene.decoded.failure.as_ref()?;
    Some(Explanation {
        text: failure.detail.clone(),
        name: failure.code.clone(),
        is_partial: false,
        events: Vec::new(),
    })
}
