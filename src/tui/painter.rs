use ratatui::buffer::Buffer;

use crate::widgets::PlacedPicture;

/// Painter of pictures with a higher resolution than half blocks. The default methods draw no pictures.
pub trait Painter {
    /// Draws pictures over their half blocks. Call it for every frame, in order.
    fn paint(&mut self, _buffer: &mut Buffer, _pictures: &[PlacedPicture]) {}
    /// Returns the escape sequences that delete removed pictures, to send after the frame.
    fn farewell(&mut self) -> Option<String> {
        None
    }
    /// Resets the painter after the terminal was cleared or its characters changed size.
    fn start_over(&mut self) {}
    /// Resolves when the next frame would show better pictures. Cancel-safe.
    fn improve(&mut self) -> impl Future<Output = ()> {
        std::future::pending()
    }
}

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
