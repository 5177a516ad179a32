use std::{
    cell::RefCell,
    io::{self, Write},
    rc::Rc,
};

use crossterm::{
    queue,
    terminal::{Clear, ClearType},
};
use ratatui::{
    Frame, Terminal, TerminalOptions, Viewport,
    backend::CrosstermBackend,
    layout::{Position, Rect, Size},
};

use super::{
    background,
    event_loop::Screen,
    guard::{self, TerminalGuard},
    painter::Painter,
};
use crate::widgets::PlacedPicture;

/// Size of the buffer kept for the next frame, in bytes; a frame with pictures may take many more.
const USUAL_FRAME: usize = 1 << 20;
const BEGIN_SYNCHRONIZED: &[u8] = b"\x1b[?2026h";
const END_SYNCHRONIZED: &[u8] = b"\x1b[?2026l";

/// Buffer of the backend's output: a frame with several flushes is written at once.
#[derive(Clone, Debug, Default)]
struct FrameBuffer(Rc<RefCell<Vec<u8>>>);

impl FrameBuffer {
    /// Writes the buffered frame as one synchronized update.
    fn commit(&self) -> io::Result<()> {
        let mut bytes = self.0.borrow_mut();
        if bytes.is_empty() {
            return Ok(());
        }
        bytes.extend_from_slice(END_SYNCHRONIZED);
        let written = guard::write_if_ours(&bytes);
        bytes.clear();
        bytes.shrink_to(USUAL_FRAME);
        written
    }
}

impl Write for FrameBuffer {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let mut bytes = self.0.borrow_mut();
        if bytes.is_empty() {
            bytes.extend_from_slice(BEGIN_SYNCHRONIZED);
        }
        bytes.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
pub struct TerminalScreen<P: Painter> {
    guard: TerminalGuard,
    terminal: Terminal<CrosstermBackend<FrameBuffer>>,
    frame: FrameBuffer,
    painter: P,
}

impl<P: Painter> TerminalScreen<P> {
    /// Draws on the guard's terminal, with this painter for pictures.
    pub fn new(guard: TerminalGuard, painter: P) -> io::Result<Self> {
        let frame = FrameBuffer::default();
        Ok(Self { guard, terminal: blank_terminal(&frame)?, frame, painter })
    }

    fn forget_pictures(&mut self) {
        self.painter.start_over();
        if let Some(farewell) = self.painter.farewell() {
            // The terminal may be closed, which removes its pictures.
            let _ = guard::write_if_ours(farewell.as_bytes());
        }
    }
}

/// Creates a terminal whose next frame paints every cell. `Terminal::clear` would query the cursor, and the response
/// would arrive as input. The size is fixed until a resize: else each frame would ask for it.
fn blank_terminal(frame: &FrameBuffer) -> io::Result<Terminal<CrosstermBackend<FrameBuffer>>> {
    let size = crossterm::terminal::size()?;
    let viewport = Viewport::Fixed(Rect::from((Position::ORIGIN, Size::from(size))));
    Terminal::with_options(CrosstermBackend::new(frame.clone()), TerminalOptions { viewport })
}

impl<P: Painter> Screen for TerminalScreen<P> {
    fn size(&self) -> io::Result<(u16, u16)> {
        self.terminal.size().map(|size| (size.width, size.height))
    }

    fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>) -> Vec<PlacedPicture>) -> io::Result<()> {
        self.terminal.draw(|frame| {
            let pictures = render(frame);
            self.painter.paint(frame.buffer_mut(), &pictures);
        })?;
        if let Some(farewell) = self.painter.farewell() {
            self.frame.write_all(farewell.as_bytes())?;
        }
        self.frame.commit()
    }

    fn repaint(&mut self) -> io::Result<()> {
        self.forget_pictures();
        queue!(self.frame, Clear(ClearType::All))?;
        self.terminal = blank_terminal(&self.frame)?;
        Ok(())
    }

    fn ask_background(&mut self) -> io::Result<()> {
        guard::write_if_ours(background::QUERY)
    }

    fn leave(&mut self) {
        self.forget_pictures();
        guard::give_back();
    }

    fn enter(&mut self) -> io::Result<()> {
        self.guard.take()?;
        self.terminal = blank_terminal(&self.frame)?;
        Ok(())
    }

    fn improve(&mut self) -> impl Future<Output = ()> {
        self.painter.improve()
    }
}

impl<P: Painter> Drop for TerminalScreen<P> {
    fn drop(&mut self) {
        self.forget_pictures();
    }
}
