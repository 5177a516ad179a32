use crate::story::scene::{Clause, Scene, Told};

/// The messages of IBC (`wire/story.md` §1.3).
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>) -> Option<Clause> {
    let _ = (scene, told);
    None
}
