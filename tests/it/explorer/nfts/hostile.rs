//! NFTs whose makers want to do harm: the screen stays whole.

use std::sync::Arc;

use rollscope::{
    config::Network,
    msg::{Answer, Metadata, Picture, Request, Trait},
    wire::{ApiError, RawJson},
};

use super::world::World;
use crate::{
    explorer::hostile::{assert_whole, nasty},
    harness::Explorer,
};

fn explorer_of(answer: impl Fn(&Request) -> Result<Answer, ApiError> + Send + 'static) -> Explorer {
    let network = Network { fetches_metadata: true, ..Network::default() };
    Explorer::builder().size(100, 30).network(network).scripted(move |request| answer(request)).start()
}

/// Walks through every screen of NFTs and looks at each.
fn walk(explorer: &Explorer, at: &str) {
    for keys in ["4", "j", "enter", "v", "enter", "J", "J", "G", "tab", "esc", "esc"] {
        explorer.press(keys);
        assert_whole(explorer, &format!("{at} after {keys}"));
    }
    explorer.resize(140, 30).settle();
    assert_whole(explorer, &format!("{at} beside the list"));
}

#[test]
fn hostile_names_ids_and_traits_break_no_screen() {
    for text in nasty() {
        let name: String = text.chars().take(12).collect();
        let world = World { text: Some(text), lanterns: 3, ..World::default() };
        walk(&explorer_of(move |request| world.answer(request)), &format!("{name:?}"));
    }
}

#[test]
fn uris_of_every_kind_break_no_screen() {
    let uris = [
        "",
        " ",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://[",
        "data:",
        "data:image/png",
        "DATA:application/json,{}",
        "ipfs://",
        "宽宽宽://宽",
        "\u{202e}gnp.live\u{1b}[2J",
    ];
    let long = format!("data:application/json;base64,{}", "A".repeat(300_000));
    for uri in uris.into_iter().chain([long.as_str()]) {
        let at: String = uri.chars().take(24).collect();
        let world = World { uri: Some(uri.to_owned()), has_metadata: false, lanterns: 3, ..World::default() };
        walk(&explorer_of(move |request| world.answer(request)), &at);
    }
}

#[test]
fn metadata_without_end_is_cut_and_said_so() {
    let explorer = explorer_of(|request| match request {
        Request::Metadata(_) => {
            let one = Trait { name: "n".repeat(5000), value: "v".repeat(5000) };
            let raw = format!("[{}0{}]", "[".repeat(100), "]".repeat(100) + &",1".repeat(400_000));
            Ok(Answer::Metadata(Arc::new(Metadata {
                name: "x".repeat(10_000),
                description: "word ".repeat(100_000),
                image: None,
                traits: vec![one; 5000],
                raw: RawJson::parse(raw).expect("JSON"),
            })))
        }
        other => World { lanterns: 3, ..World::default() }.answer(other),
    });
    walk(&explorer, "endless metadata");
    explorer.press("4 g g j enter enter").wait_for("Description").press("G").wait_for("4,800 more");
    explorer.press("J").wait_for("too many to parse");
}

#[test]
fn pictures_of_any_size_break_no_screen() {
    for (width, height, bytes) in
        [(0, 0, 0), (1, 1, 4), (256, 1, 1024), (1, 256, 1024), (256, 256, 3), (u32::MAX, u32::MAX, 0)]
    {
        let explorer = explorer_of(move |request| match request {
            Request::Picture(_) => {
                Ok(Answer::Picture(Arc::new(Picture { width, height, rgba: vec![200; bytes].into() })))
            }
            other => World { lanterns: 3, ..World::default() }.answer(other),
        });
        walk(&explorer, &format!("{width}×{height}"));
    }
}
