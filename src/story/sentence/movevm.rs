use crate::story::scene::{Clause, Scene, Told};

/// The messages of Move (`wire/story.md` §1.5).
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>) -> Option<Clause> {
    let _ = (scene, told);
    None
}
