//! Tests of the NFT pages: cached pictures and collections.

use std::sync::Arc;

use super::Bench;
use crate::{
    app::page::{Page as _, Tab},
    domain::Timestamp,
    msg::{Answer, ListPage, Metadata, Picture, Remote, TokenName, Total},
    pages::{collections::CollectionsPage, token::TokenPage},
    panes::art::{ArtAsk, Reach},
    wire::{ApiError, ErrorKind, RawJson, Step, Token},
};

const INLINE: &str = "data:image/png;base64,AAAA";

fn offline() -> ApiError {
    let kind = ErrorKind::Offline { step: Step::Connect, detail: "refused".to_owned() };
    ApiError { kind, url: "http://host/".into(), body: None }
}

fn page() -> TokenPage {
    let name = TokenName { collection: "0x1".parse().expect("an address"), token_id: "1".into() };
    TokenPage::new(name, None)
}

fn token(uri: &str) -> Arc<Token> {
    let text = format!(
        r#"{{"collection_addr":"0x1","nft":{{"token_id":"1","uri":"{uri}"}},"height":1,"timestamp":"2026-01-31T12:00:00Z"}}"#
    );
    Arc::new(serde_json::from_str(&text).expect("a token"))
}

fn picture() -> Arc<Picture> {
    Arc::new(Picture { width: 1, height: 1, rgba: vec![7; 4].into() })
}

#[test]
fn a_picture_of_an_older_uri_is_dropped() {
    let (mut page, now) = (page(), Timestamp::EPOCH);
    page.settle(Ok(token(INLINE)), now);
    assert!(matches!(page.want_art(Reach::Inline, now), Some(ArtAsk::Picture(_))), "a picture is asked for");
    page.settle(Ok(token(INLINE)), now);
    assert!(!page.drops_art() && page.art.is_loading(), "the same URI changes nothing");
    page.settle(Ok(token("https://host.example/1.json")), now);
    assert!(page.drops_art() && !page.drops_art());
    page.take_picture(Ok(picture()), now);
    assert!(page.art.picture.value().is_none());
    assert!(matches!(page.want_art(Reach::Everywhere, now), Some(ArtAsk::Metadata(_))), "the metadata is asked for");
    page.take_picture(Err(offline()), now);
    assert!(page.art.metadata.is_loading(), "the error of a picture is not its own");
    page.take_metadata(Err(offline()), now);
    assert!(page.art.metadata.error().is_some());
}

#[test]
fn a_covered_page_keeps_no_picture_and_little_metadata() {
    let (mut page, now) = (page(), Timestamp::EPOCH);
    page.settle(Ok(token("https://host.example/1.json")), now);
    let metadata = |description: &str| {
        let raw = RawJson::parse(format!("{{\"description\":\"{description}\"}}")).expect("an object");
        let metadata = Metadata {
            name: String::new(),
            description: String::new(),
            image: Some(INLINE.into()),
            traits: vec![],
            raw,
        };
        Arc::new(metadata)
    };
    for (length, is_kept) in [(100, true), (100_000, false)] {
        page.ask_anew();
        page.want_art(Reach::Everywhere, now);
        page.take_metadata(Ok(metadata(&"x".repeat(length))), now);
        page.want_art(Reach::Everywhere, now);
        page.take_picture(Ok(picture()), now);
        assert!(page.art.picture.value().is_some());
        page.let_go();
        assert!(matches!(page.art.picture, Remote::Idle));
        assert_eq!(page.art.metadata.value().is_some(), is_kept, "{length}");
        assert!(page.want_art(Reach::Everywhere, now).is_some(), "it is had again");
    }
}

/// Answers the first page of an account's collections.
fn fill(view: &mut CollectionsPage, names: &[&str]) {
    let collection = |name: &&str| {
        let text = format!(
            r#"{{"object_addr":"0x{}","collection":{{"creator":"","name":"{name}","origin_name":"","nfts":{{"handle":"","length":1}}}},"height":1,"timestamp":"2026-01-31T12:00:00Z"}}"#,
            name.len()
        );
        Arc::new(serde_json::from_str(&text).expect("a collection"))
    };
    let items = names.iter().map(collection).collect();
    let page = ListPage { items, next: None, total: Total::Unknown, notes: Vec::new() };
    for mut list in view.lists() {
        let request = list.wanted(Timestamp::EPOCH).remove(0);
        list.take(&request, Ok(Answer::Collections(page.clone())), Timestamp::EPOCH);
    }
}

#[test]
fn an_owners_collections_are_searched_before_they_came() {
    let owner = "0x2".parse().expect("an address");
    let mut view = CollectionsPage::new(Some(owner));
    for mut list in view.lists() {
        list.wanted(Timestamp::EPOCH);
    }
    view.narrow("LAN");
    assert!(view.place().is_loading && view.title().ends_with("searching…"), "{}", view.title());
    fill(&mut view, &["Lantern", "Orbit", "Planet X"]);
    view.choose_again();
    let names = |view: &CollectionsPage| -> Vec<String> {
        view.shown().rows().iter().map(|row| row.0.collection.name.as_received().to_owned()).collect()
    };
    assert_eq!(names(&view), ["Lantern", "Planet X"]);
    assert!(!view.place().is_loading && view.title().ends_with("“LAN”"), "{}", view.title());
    view.narrow("lant");
    assert_eq!(names(&view), ["Lantern"]);
    view.narrow("");
    assert_eq!(names(&view).len(), 3);
}

#[test]
fn editing_stops_the_look_ups_of_the_text_before() {
    let mut bench = Bench::new((100, 30));
    bench.keys("/");
    bench.send(crate::app::Event::Paste("ab".repeat(32)));
    bench.keys("enter");
    let is_look_up = |slot: &crate::msg::Slot| matches!(slot, crate::msg::Slot::GoTo(_));
    let (ticket, _) = bench.take(is_look_up).expect("readings are looked up");
    bench.keys("backspace");
    assert!(bench.cancelled.contains(&ticket.slot));
    bench.reply(ticket, Err(offline()));
    let Some(crate::app::modal::Modal::GoTo(go_to)) = &bench.app.modal else { panic!("the input is open") };
    assert_eq!(go_to.problem, None);
    assert_eq!(bench.app.navigation.shown_root(), Some(Tab::Overview));
}
