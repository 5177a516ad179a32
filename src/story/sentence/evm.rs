use crate::story::scene::{Clause, Scene, Told};

/// The messages of the EVM flavour (`wire/story.md` §1.4).
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>) -> Option<Clause> {
    let _ = (scene, told);
    None
}
