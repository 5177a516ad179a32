//! Pictures in the terminal's own pixels: encoded in the background, cached, and drawn over the half blocks of a frame.

mod ask;
mod cache;
mod encode;

use std::{fmt::Write as _, sync::Arc};

use ratatui::{
    buffer::{Buffer, CellDiffOption},
    layout::Rect,
};
use ratatui_image::Image;
use tokio::{sync::mpsc, task};

pub(super) use self::ask::ask;
use self::cache::{EncodedPicture, PictureCache, PictureKey};
pub use self::encode::{Graphics, Protocol};
use super::painter::Painter;
use crate::widgets::PlacedPicture;

/// Maximum concurrent encoders; further pictures wait for the next frame.
const AT_ONCE: usize = 2;

/// Encoded picture with the number of the terminal session that requested it.
type Done = (u64, PictureKey, EncodedPicture);

/// Pictures that a terminal shows in its own pixels. Use it inside the runtime.
#[derive(Debug)]
pub struct Images {
    graphics: Graphics,
    cache: PictureCache,
    awaited: Vec<PictureKey>,
    /// Number of running encoders, including those of outdated pictures.
    running: usize,
    done: mpsc::UnboundedReceiver<Done>,
    report: mpsc::UnboundedSender<Done>,
    /// Pictures of the last frame, with their areas.
    shown: Vec<(PictureKey, Rect)>,
    /// Number of times that the terminal lost all pictures.
    life: u64,
    last_id: u32,
    /// Ids that the terminal must delete.
    forgotten: Vec<u32>,
}

impl Images {
    /// Creates an empty cache for a terminal's graphics.
    pub fn new(graphics: Graphics) -> Self {
        let (report, done) = mpsc::unbounded_channel();
        Self {
            graphics,
            cache: PictureCache::default(),
            awaited: Vec::new(),
            running: 0,
            done,
            report,
            shown: Vec::new(),
            life: 0,
            // Other programs in this terminal start at other ids.
            last_id: std::process::id() << 10,
            forgotten: Vec::new(),
        }
    }

    /// Encodes a picture in the background unless [`AT_ONCE`] encoders are running.
    fn encode(&mut self, key: PictureKey, placed: &PlacedPicture) {
        if self.running >= AT_ONCE || self.awaited.contains(&key) {
            return;
        }
        self.awaited.push(key);
        self.running += 1;
        self.last_id = self.last_id.wrapping_add(1).max(1);
        let (graphics, id, life, report) = (self.graphics, self.last_id, self.life, self.report.clone());
        let (picture, size) = (Arc::clone(&placed.picture), placed.area.as_size());
        task::spawn_blocking(move || {
            let entry = EncodedPicture::new(&picture, encode::encode(graphics, id, &picture, size), id);
            // Drop the picture before the report, so that the receiver is its only owner.
            drop(picture);
            drop(report.send((life, key, entry)));
        });
    }

    /// Caches an encoded picture unless it is outdated.
    fn keep(&mut self, (life, key, entry): Done) {
        self.running = self.running.saturating_sub(1);
        if life == self.life {
            self.awaited.retain(|awaited| *awaited != key);
            self.cache.put(key, entry);
        }
    }
}

impl Painter for Images {
    fn paint(&mut self, buffer: &mut Buffer, pictures: &[PlacedPicture]) {
        while let Ok(done) = self.done.try_recv() {
            self.keep(done);
        }
        let mut shown = Vec::with_capacity(pictures.len());
        for placed in pictures {
            let key = PictureKey::new(placed);
            match self.cache.get(&key) {
                Some(EncodedPicture { protocol: Some(protocol), .. }) => {
                    clear(buffer, placed.area);
                    ratatui::widgets::Widget::render(Image::new(protocol), placed.area, buffer);
                    shown.push((key, placed.area));
                }
                Some(_) => {}
                None => self.encode(key, placed),
            }
        }
        for (_, area) in self.shown.iter().filter(|before| !shown.contains(before)) {
            write_over(buffer, *area);
        }
        let visible: Vec<PictureKey> = shown.iter().map(|(key, _)| *key).collect();
        self.forgotten.extend(self.cache.tidy(&visible));
        self.shown = shown;
    }

    fn farewell(&mut self) -> Option<String> {
        let mut sequence = String::new();
        for id in self.forgotten.drain(..) {
            let _ = write!(sequence, "\x1b_Ga=d,d=I,i={id},q=2\x1b\\");
        }
        (!sequence.is_empty()).then_some(sequence)
    }

    fn start_over(&mut self) {
        self.life += 1;
        self.awaited.clear();
        self.shown.clear();
        self.forgotten.extend(self.cache.empty());
        self.graphics.measure();
    }

    async fn improve(&mut self) {
        // `self` owns a sender, so the channel never closes.
        if let Some(done) = self.done.recv().await {
            self.keep(done);
        }
    }
}

fn cells(area: Rect) -> impl Iterator<Item = (u16, u16)> {
    area.rows().flat_map(Rect::columns).map(|cell| (cell.x, cell.y))
}

/// Clears an area so that no colour of the half blocks shows through.
fn clear(buffer: &mut Buffer, area: Rect) {
    for place in cells(area) {
        if let Some(cell) = buffer.cell_mut(place) {
            cell.reset();
        }
    }
}

/// Sends the cells of a removed picture again, even if their content is unchanged.
fn write_over(buffer: &mut Buffer, area: Rect) {
    for place in cells(area) {
        if let Some(cell) = buffer.cell_mut(place)
            && cell.diff_option == CellDiffOption::None
        {
            cell.set_diff_option(CellDiffOption::AlwaysUpdate);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ratatui::layout::Size;

    use super::*;
    use crate::msg::Picture;

    const SCREEN: Rect = Rect::new(0, 0, 40, 12);

    fn placed(x: u16, shade: u8) -> PlacedPicture {
        let pixels = [[shade, 0, 0, 255], [0, shade, 0, 255], [0, 0, shade, 255], [0, 0, 0, 0]];
        let picture = Picture { width: 2, height: 2, rgba: pixels.concat().into() };
        PlacedPicture { picture: Arc::new(picture), area: Rect::new(x, 2, 8, 4) }
    }

    fn images(protocol: Protocol) -> Images {
        Images::new(Graphics::new(protocol, Size::new(10, 20)).expect("an ordinary size"))
    }

    /// Draws the first frame that has all of its pictures; earlier frames have symbols at the pictures' corners.
    async fn paint_all(images: &mut Images, pictures: &[PlacedPicture]) -> (Buffer, Vec<String>) {
        let mut corners = vec![String::new(); pictures.len()];
        loop {
            let mut buffer = Buffer::filled(SCREEN, ratatui::buffer::Cell::new("▀"));
            images.paint(&mut buffer, pictures);
            for (corner, placed) in corners.iter_mut().zip(pictures) {
                corner.push_str(buffer[placed.area.as_position()].symbol());
            }
            if images.running == 0 {
                return (buffer, corners);
            }
            tokio::time::timeout(Duration::from_secs(20), images.improve()).await.expect("it is encoded");
        }
    }

    async fn paint(images: &mut Images, pictures: &[PlacedPicture]) -> Buffer {
        paint_all(images, pictures).await.0
    }

    #[tokio::test]
    async fn pictures_are_shown_in_the_terminals_own_words() {
        for (protocol, begin) in [
            (Protocol::Kitty { inflates: true }, "\x1b_Gq=2,i="),
            (Protocol::Kitty { inflates: false }, "\x1b_Gq=2,i="),
            (Protocol::Sixel, "\x1bP"),
            (Protocol::Iterm2, "\x1b]1337;File=inline=1;"),
        ] {
            let mut images = images(protocol);
            let pictures = [placed(1, 200), placed(20, 100), placed(30, 50)];
            let (buffer, corners) = paint_all(&mut images, &pictures).await;
            assert!(corners.iter().all(|corner| corner.contains(begin)), "{protocol:?}");
            assert_eq!(buffer[(10, 2)].symbol(), "▀", "beside them nothing changed");
            let mut again = Buffer::empty(SCREEN);
            images.paint(&mut again, &pictures);
            let is_sent = again[(1, 2)].symbol().contains(begin);
            assert_eq!(is_sent, !matches!(protocol, Protocol::Kitty { .. }), "kitty is told once: {protocol:?}");
        }
    }

    #[tokio::test]
    async fn nothing_stays_behind() {
        let mut images = images(Protocol::Sixel);
        let (first, second) = (placed(1, 200), placed(20, 100));
        let before = paint(&mut images, &[first.clone(), second.clone()]).await;
        let after = paint(&mut images, std::slice::from_ref(&second)).await;
        let sent: Vec<_> = before.diff(&after).iter().map(|(x, y, _)| (*x, *y)).collect();
        assert_eq!(sent, cells(first.area).collect::<Vec<_>>(), "all of the one that went, nothing of the other");
        let calm = paint(&mut images, &[second]).await;
        assert!(calm.content.iter().all(|cell| cell.diff_option != CellDiffOption::AlwaysUpdate));
    }

    #[tokio::test]
    async fn the_memory_of_pictures_that_are_gone_is_given_back() {
        let mut images = images(Protocol::Kitty { inflates: false });
        let (first, second) = (placed(1, 200), placed(20, 100));
        paint(&mut images, &[first.clone(), second.clone()]).await;
        assert_eq!((images.cache.len(), images.farewell()), (2, None));
        drop(first);
        paint(&mut images, std::slice::from_ref(&second)).await;
        assert_eq!(images.cache.len(), 1);
        assert_eq!(images.farewell().expect("one is to be forgotten").matches("a=d,d=I").count(), 1);
        images.start_over();
        assert_eq!((images.cache.len(), images.farewell().is_some()), (0, true));
        let buffer = paint(&mut images, &[second]).await;
        assert!(buffer[(20, 2)].symbol().contains("\x1b_Gq=2"), "the terminal is told once more");
    }
}
