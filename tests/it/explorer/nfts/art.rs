//! Metadata and pictures: when they are asked for, and how they are shown.

use ratatui::style::Color;
use rollscope::{
    config::{Network, ThemeName},
    msg::Request,
};

use super::{on, requests, world::World};
use crate::harness::Explorer;

/// How often something outside of the indexer was asked for: metadata, pictures.
fn outside(explorer: &Explorer) -> (usize, usize) {
    let sent = requests(explorer);
    let count = |is: fn(&&Request) -> bool| sent.iter().filter(is).count();
    (count(|request| matches!(request, Request::Metadata(_))), count(|request| matches!(request, Request::Picture(_))))
}

#[test]
fn metadata_is_fetched_only_when_it_is_asked_for() {
    let explorer = on(World::default()).start();
    explorer.press("4 j enter enter").wait_for("not fetched; m fetches it");
    assert_eq!(outside(&explorer), (0, 0));
    explorer.press("m").wait_for("A lantern at dusk").wait_for("Traits  3").wait_for("▀");
    assert_eq!(outside(&explorer), (1, 1));
    explorer.press("m").wait_for("A lantern at dusk");
    assert_eq!(outside(&explorer), (2, 2), "asked for again");
    explorer.press("]").wait_for("#2").wait_for("▀");
    assert_eq!(outside(&explorer), (3, 3), "who asked for one asked for its neighbours too");
}

#[test]
fn a_trusted_network_brings_pictures_by_itself_and_the_gallery_only_those_on_screen() {
    let network = Network { fetches_metadata: true, ..Network::default() };
    let explorer = on(World::default()).size(80, 24).network(network).start();
    explorer.press("4 j enter v").wait_for("▀").settle();
    assert_eq!(outside(&explorer), (4, 4));
    explorer.press("j").settle();
    assert_eq!(outside(&explorer), (8, 8));
    explorer.press("k").settle();
    assert_eq!(outside(&explorer), (8, 8), "what came is kept");
}

#[test]
fn the_gallery_asks_when_it_is_told_to() {
    let explorer = on(World::default()).size(80, 24).start();
    explorer.press("4 j enter v").wait_for("m fetches").press("m").wait_for("▀").wait_gone("m fetches");
    assert_eq!(outside(&explorer), (4, 4));
}

#[test]
fn what_lies_in_the_uri_itself_is_always_read() {
    let uri = Some("data:application/json,{}".to_owned());
    let explorer = on(World { uri, ..World::default() }).start();
    explorer.press("4 j enter enter").wait_for("A lantern at dusk");
    assert_eq!(outside(&explorer).0, 1);
    let uri = Some("data:image/png;base64,AAAA".to_owned());
    let explorer = on(World { uri, ..World::default() }).start();
    explorer.press("4 j enter enter").wait_for("▀").wait_for("link is a picture");
    assert_eq!(outside(&explorer), (0, 1));
}

#[test]
fn what_is_not_there_says_why() {
    let explorer = on(World { has_metadata: false, ..World::default() }).start();
    explorer.press("4 j enter enter m").wait_for("metadata    ✗").wait_gone("▀").press("J").wait_for("not loaded");
    let explorer = on(World { has_picture: false, ..World::default() }).start();
    explorer
        .press("4 j enter enter m")
        .wait_for("picture     ✗")
        .wait_for("Traits")
        .press("esc v")
        .wait_for("m fetches");
    explorer.press("m").wait_for("✗ picture");
    let explorer = on(World { uri: Some(String::new()), ..World::default() }).start();
    explorer.press("4 j enter enter").wait_for("has no metadata link").press("m").wait_for("no metadata link");
}

#[test]
fn the_metadata_as_received_is_one_key_away() {
    let explorer = on(World::default()).start();
    explorer.press("4 j enter enter m").wait_for("Traits").press("J").wait_for("\"trait_type\": \"Flame\"");
    explorer.press("f").type_text("flame").press("enter").wait_for("“flame”").press("esc J").wait_for("Traits");
    explorer.press("y m").wait_for("copied");
    assert!(explorer.copied()[0].starts_with(r#"{"name":"A lantern at dusk""#), "{:?}", explorer.copied());
}

#[test]
fn pictures_keep_their_colours_as_far_as_there_are_any() {
    for (theme, symbols) in [(ThemeName::Ansi, "▀"), (ThemeName::Mono, "+")] {
        let network = Network { fetches_metadata: true, ..Network::default() };
        let explorer = on(World::default()).size(80, 24).theme(theme).network(network).start();
        explorer.press("4 j enter v").wait_for(symbols).settle();
        let buffer = explorer.buffer();
        let row = (0..24).find(|row| (0..80).any(|column| buffer[(column, *row)].symbol() == symbols));
        let row = row.expect("the first row of a picture");
        let colours: Vec<Color> = (2..18).map(|column| buffer[(column, row)].fg).collect();
        if theme == ThemeName::Mono {
            assert!(colours.iter().all(|colour| *colour == Color::Reset), "{colours:?}");
        } else {
            assert!(colours[..8].iter().all(|colour| *colour == Color::Indexed(160)), "{colours:?}");
            assert!(colours[8..].iter().all(|colour| *colour == Color::Indexed(35)), "{colours:?}");
        }
        let clear = &buffer[(17, row + 7)];
        assert_eq!((clear.symbol(), clear.fg, clear.bg), (" ", Color::Reset, Color::Reset), "{theme}");
    }
}

#[test]
fn pictures_lie_in_half_blocks_and_are_named_where_nothing_covers_them() {
    let network = Network { fetches_metadata: true, ..Network::default() };
    let explorer = on(World::default()).network(network).start();
    explorer.press("4 j enter enter").wait_for("▀").settle();
    let (buffer, pictures) = (explorer.buffer(), explorer.pictures());
    let [placed] = pictures.as_slice() else { panic!("one picture, not {pictures:?}") };
    let (area, corner) = (placed.area, placed.area.as_position());
    assert_eq!((placed.picture.width, area.width), (32, 2 * area.height), "square, in its own size");
    let half = &buffer[corner];
    assert_eq!((half.symbol(), half.fg, half.bg), ("▀", Color::Indexed(160), Color::Indexed(160)));
    explorer.press("?");
    assert!(explorer.pictures().is_empty(), "help lies over it");
    explorer.press("esc");
    assert_eq!(explorer.pictures().len(), 1);
    explorer.press("esc v").wait_for("▀").settle();
    assert!(explorer.pictures().len() > 4);
    explorer.press("3");
    assert!(explorer.pictures().is_empty());
}

#[cfg(feature = "images")]
mod images {
    use std::time::Duration;

    use ratatui::{
        backend::{Backend, CrosstermBackend},
        buffer::Buffer,
        layout::Size,
    };
    use rollscope::tui::{Graphics, Images, Painter, Protocol};

    use super::{Network, World, on};

    /// What a terminal is sent for a screen with its pictures.
    async fn sent(protocol: Protocol, screen: &Buffer, pictures: &[rollscope::widgets::PlacedPicture]) -> String {
        let mut images = Images::new(Graphics::new(protocol, Size::new(10, 20)).expect("an ordinary size"));
        images.paint(&mut screen.clone(), pictures);
        tokio::time::timeout(Duration::from_secs(20), images.improve()).await.expect("the picture is encoded");
        let mut buffer = screen.clone();
        images.paint(&mut buffer, pictures);
        let mut bytes = Vec::new();
        let cells = Buffer::empty(buffer.area);
        CrosstermBackend::new(&mut bytes).draw(cells.diff(&buffer).into_iter()).expect("memory can be written to");
        String::from_utf8(bytes).expect("text")
    }

    #[tokio::test]
    async fn a_token_is_shown_in_the_terminals_own_pixels() {
        let network = Network { fetches_metadata: true, ..Network::default() };
        let explorer = on(World::default()).network(network).start();
        explorer.press("4 j enter enter").wait_for("▀").settle();
        let (screen, pictures) = (explorer.buffer(), explorer.pictures());
        for (protocol, words) in [
            (Protocol::Kitty { inflates: true }, "a=T,U=1,f=32,o=z,"),
            (Protocol::Sixel, "\x1bP"),
            (Protocol::Iterm2, "\x1b]1337;File=inline=1;"),
        ] {
            let sent = sent(protocol, &screen, &pictures).await;
            assert_eq!(sent.matches(words).count(), 1, "{protocol:?}");
            assert!(!sent.contains('▀') && sent.contains("Lantern Keepers"), "{protocol:?}");
        }
    }
}
