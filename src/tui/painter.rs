use ratatui::buffer::Buffer;

use crate::widgets::PlacedPicture;

/// Shows pictures better than half blocks can. What is not said here does nothing.
pub trait Painter {
    /// Lays pictures over their half blocks in a frame. Must be called for every frame in order.
    fn paint(&mut self, _buffer: &mut Buffer, _pictures: &[PlacedPicture]) {}
    /// What the terminal is to be sent after the frame, so that it forgets the pictures that are gone.
    fn farewell(&mut self) -> Option<String> {
        None
    }
    /// The terminal was cleared, or may have characters of another size: nothing that it was sent counts.
    fn start_over(&mut self) {}
    /// Comes back when the next frame would show a picture better than the last did. Loses nothing when dropped.
    fn improve(&mut self) -> impl Future<Output = ()> {
        std::future::pending()
    }
}

/// Half blocks are all there is.
#[derive(Clone, Copy, Debug, Default)]
pub struct HalfBlocks;

impl Painter for HalfBlocks {}

impl<P: Painter> Painter for Option<P> {
    fn paint(&mut self, buffer: &mut Buffer, pictures: &[PlacedPicture]) {
        if let Some(painter) = self {
            painter.paint(buffer, pictures);
        }
    }

    fn farewell(&mut self) -> Option<String> {
        self.as_mut().and_then(Painter::farewell)
    }

    fn start_over(&mut self) {
        if let Some(painter) = self {
            painter.start_over();
        }
    }

    async fn improve(&mut self) {
        match self {
            Some(painter) => painter.improve().await,
            None => std::future::pending().await,
        }
    }
}
