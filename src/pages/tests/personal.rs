//! Tests of personal data: names, notes, bookmarks, the first tab, names of opened records.

use std::sync::Arc;

use super::{Bench, Txs, drawn, status};
use crate::{
    app::{
        Event,
        page::{Destination, Tab},
    },
    domain::{Address, Denom, KeptView, MsgType, PersonalEntry, PersonalKind, Target},
    msg::{Answer, ListPage, Request, Slot, Total},
    pages::{account::AccountPage, holders::HoldersPage, txs::TxsPage},
    wire::{Collection, Holder},
};

const ALICE: Address = Address::Short([7; 20]);
const BOB: Address = Address::Short([8; 20]);

fn typed(bench: &mut Bench, text: &str) {
    bench.send(Event::Paste(text.to_owned()));
}

fn name(subject: Target, text: &str) -> PersonalEntry {
    PersonalEntry::new(PersonalKind::Name, subject, text)
}

/// Answers a request of the session itself, as the store does.
fn answered(bench: &mut Bench, slot: &Slot, answer: Answer) {
    let Some((ticket, _)) = bench.take(|open| open == slot) else { panic!("{slot:?} was not asked for") };
    bench.reply(ticket, Ok(answer));
}

#[test]
fn an_account_is_named_by_a_person_and_called_so_everywhere() {
    let mut bench = Bench::new((120, 36));
    let earlier = vec![name(Target::Account(BOB), "Bob")];
    answered(&mut bench, &Slot::Personal, Answer::Personal(earlier));
    bench.open(Destination::Account(ALICE));
    bench.keys("c");
    typed(&mut bench, "bob");
    bench.keys("enter");
    assert!(bench.personal.is_empty(), "two accounts of one name would look alike");
    bench.keys("ctrl-u");
    typed(&mut bench, "Alice's \u{7}safe");
    bench.keys("enter");
    assert_eq!(bench.personal, [name(Target::Account(ALICE), "Alice's safe")]);
    assert_eq!(bench.app.navigation.current().title(), "Account ‹Alice's safe›");
    bench.keys("y");
    let Some(crate::app::modal::Modal::Copy(menu)) = &bench.app.modal else { panic!("no menu") };
    assert!(menu.choices().iter().any(|choice| choice.label.starts_with("name, ") && choice.text == "Alice's safe"));
    bench.keys("esc /");
    typed(&mut bench, "alice's safe");
    bench.keys("enter");
    bench.page::<AccountPage>();
    assert_eq!(bench.app.navigation.current().title(), "Account ‹Alice's safe›", "it is found by its name");
    bench.keys("c ctrl-u enter");
    assert_eq!(bench.personal.last(), Some(&name(Target::Account(ALICE), "")), "an empty name takes it away");
    assert!(bench.app.context.glossary.label(ALICE).is_none());
    assert_eq!(bench.app.context.glossary.label(BOB).map(AsRef::as_ref), Some("‹Bob›"));
}

#[test]
fn a_transaction_and_a_denom_are_named_by_a_line_and_found_by_their_names() {
    let mut bench = Bench::new((120, 36));
    bench.keys("3");
    bench.serve_txs(&Txs::of(3));
    bench.keys(":");
    typed(&mut bench, "label \u{202e}the ‹big› one");
    let Some(crate::app::modal::Modal::Palette(palette)) = &bench.app.modal else { panic!("no palette") };
    let crate::app::modal::PaletteRow::Line { told, .. } = palette.picker.selected().expect("a row") else {
        panic!("another row")
    };
    assert!(told.starts_with("name transaction ") && told.ends_with("‹the big one›"), "{told}");
    bench.keys("enter");
    let named = bench.personal.last().cloned().expect("a name");
    assert_eq!((matches!(named.target(), Some(Target::Tx(_))), named.text.as_str()), (true, "the big one"));
    let list = drawn(&bench.app, (120, 36));
    assert!(list.contains("‹the big…"), "{list}");
    bench.keys("2 /");
    typed(&mut bench, "‹The Big One›");
    bench.keys("enter");
    let page = drawn(&bench.app, (120, 36));
    assert!(page.contains("Tx ‹the big one›"), "{page}");
    bench.keys(":");
    typed(&mut bench, "label");
    bench.keys("enter ctrl-u enter");
    assert_eq!(
        bench.personal.last(),
        Some(&PersonalEntry { text: String::new(), ..named }),
        "an empty name takes it away"
    );

    bench.open(Destination::Holders(Denom::new("umine")));
    bench.keys(":");
    typed(&mut bench, "label gas money");
    bench.keys("enter");
    assert_eq!(bench.personal.last(), Some(&name(Target::Denom(Denom::new("umine")), "gas money")));
    let page = drawn(&bench.app, (120, 36));
    assert!(page.contains("‹gas money›"), "{page}");
    bench.keys("1 :");
    typed(&mut bench, "label nothing");
    bench.keys("enter");
    assert_eq!(bench.personal.len(), 3, "the overview is nothing that one names");
    bench.open(Destination::Account(ALICE));
    bench.keys(":");
    typed(&mut bench, &format!("label {}", "x".repeat(33)));
    bench.keys("enter");
    let said = bench.app.toasts.shown().map(|toast| toast.text.clone());
    assert_eq!((bench.personal.len(), said.as_deref()), (3, Some("a name has at most 32 characters")));
}

#[test]
fn a_note_and_a_bookmark_are_kept_found_and_dropped() {
    let mut bench = Bench::new((120, 36));
    bench.open(Destination::Account(ALICE));
    bench.keys(":");
    typed(&mut bench, "note paid the \u{7}faucet twice");
    bench.keys("enter");
    let note = PersonalEntry::new(PersonalKind::Note, Target::Account(ALICE), "paid the faucet twice");
    assert_eq!(bench.personal, [note]);
    assert_eq!(crate::app::personal::shown_note(&bench.app), Some("paid the faucet twice"));
    bench.keys("2 /");
    typed(&mut bench, "faucet tw");
    bench.keys("enter");
    assert_eq!(bench.app.navigation.current().title(), format!("Account {}", ALICE.short()));
    bench.keys(":");
    typed(&mut bench, "bookmark the payer");
    bench.keys("enter 2 :");
    typed(&mut bench, "bookmark");
    bench.keys("enter");
    assert_eq!(bench.personal.len(), 2, "a tab is at hand without a bookmark");
    bench.keys("/ down");
    let kept = |bench: &Bench| {
        let Some(crate::app::modal::Modal::GoTo(go_to)) = &bench.app.modal else { panic!("no input") };
        go_to.marked_bookmark().cloned()
    };
    assert_eq!(kept(&bench), Some(Target::Account(ALICE)), "bookmarks stand first");
    bench.keys("enter");
    assert_eq!(bench.app.navigation.current().title(), format!("Account {}", ALICE.short()));
    bench.keys("2 / down del");
    let dropped = PersonalEntry::new(PersonalKind::Bookmark, Target::Account(ALICE), "");
    assert_eq!((bench.personal.last(), kept(&bench)), (Some(&dropped), None));
    bench.keys("esc");
    bench.open(Destination::Account(ALICE));
    bench.keys(":");
    typed(&mut bench, "note");
    bench.keys("enter ctrl-u enter");
    assert_eq!(crate::app::personal::shown_note(&bench.app), None, "an empty note takes it away");
}

#[test]
fn a_lists_filter_is_saved_by_name_and_comes_back() {
    let mut bench = Bench::new((120, 36));
    bench.open(Destination::TxsOf(MsgType::new("a.b.MsgCall")));
    bench.keys("F :");
    typed(&mut bench, "view save Failed Calls");
    bench.keys("enter");
    let view = PersonalEntry::view("Failed Calls", "txs failed a.b.MsgCall");
    assert_eq!(bench.personal, [view]);
    bench.keys("esc 1 :");
    typed(&mut bench, "view failed calls");
    bench.keys("enter");
    let page = bench.page::<TxsPage>();
    assert_eq!((page.txs.failed_only, page.txs.query.msgs.as_slice()), (true, &[MsgType::new("a.b.MsgCall")][..]));
    bench.open(Destination::Account(ALICE));
    bench.keys("s :");
    typed(&mut bench, "view save hers");
    bench.keys("enter 1 :");
    typed(&mut bench, "hers");
    bench.keys("enter");
    assert!(bench.page::<AccountPage>().txs.title().contains("signer only"), "the palette offers it by its name");
    bench.keys("2 :");
    typed(&mut bench, "view save blocks");
    bench.keys("enter :");
    typed(&mut bench, "view drop hers");
    bench.keys("enter :");
    typed(&mut bench, "view hers");
    bench.keys("enter");
    assert_eq!(bench.personal.last(), Some(&PersonalEntry::view("hers", "")), "a list of blocks has no filter to save");
    let said = bench.app.toasts.shown().map(|toast| toast.text.clone());
    assert_eq!(said.as_deref(), Some("no view has the name “hers”; saved views: “Failed Calls”"));
}

#[test]
fn an_imported_name_cannot_pass_for_the_networks() {
    let mut bench = Bench::new((120, 36));
    let entry = PersonalEntry::new(PersonalKind::ImportedName, Target::Account(ALICE), "opchild module");
    answered(&mut bench, &Slot::Personal, Answer::Personal(vec![entry]));
    bench.open(Destination::Account(ALICE));
    let page = drawn(&bench.app, (120, 36));
    assert!(page.contains("Account ‹opchild module› · name from a file that you imported"), "{page}");
    let glossary = &bench.app.context.glossary;
    assert_eq!(
        (glossary.known_label(ALICE), glossary.named_accounts().len()),
        (None, 0),
        "no knowledge and no concern"
    );
    bench.keys("c");
    typed(&mut bench, ", mine");
    bench.keys("enter");
    let page = drawn(&bench.app, (120, 36));
    assert!(page.contains("Account ‹opchild module, mine› · name from you"), "{page}");
    assert_eq!(bench.personal.last(), Some(&name(Target::Account(ALICE), "opchild module, mine")));
}

#[test]
fn a_persons_name_hides_nothing_that_its_text_means() {
    let mut bench = Bench::new((120, 36));
    let names = vec![name(Target::Account(ALICE), "77")];
    answered(&mut bench, &Slot::Personal, Answer::Personal(names));
    bench.keys("/");
    typed(&mut bench, "77");
    let Some(crate::app::modal::Modal::GoTo(go_to)) = &bench.app.modal else { panic!("no input") };
    let choices = go_to.picker.choices();
    assert!(choices.iter().any(|choice| choice.label.starts_with("‹77› · init1")), "{choices:?}");
    bench.keys("enter");
    assert!(bench.take(|slot| matches!(slot, Slot::GoTo(_))).is_some(), "the block is asked for as well");
}

#[test]
fn the_holder_under_the_cursor_is_named_from_the_rich_list() {
    let mut bench = Bench::new((120, 36));
    bench.open(Destination::Holders(Denom::new("uinit")));
    let holder = |address: Address, amount: &str| {
        let record = serde_json::json!({"account": address.bech32(), "amount": amount});
        Arc::new(serde_json::from_value::<Holder>(record).expect("a holder"))
    };
    let page = ListPage {
        items: vec![holder(BOB, "9"), holder(ALICE, "5")],
        next: None,
        total: Total::Exact(2),
        notes: Vec::new(),
    };
    let is_list = |slot: &Slot| matches!(slot, Slot::List(_, request) if matches!(**request, Request::Holders(..)));
    let Some((ticket, _)) = bench.take(is_list) else { panic!("no list is asked for") };
    bench.reply(ticket, Ok(Answer::Holders(page)));
    bench.keys("j c");
    typed(&mut bench, "Alice");
    bench.keys("enter");
    assert_eq!(bench.personal, [name(Target::Account(ALICE), "Alice")]);
    bench.page::<HoldersPage>();
}

#[test]
fn a_session_begins_where_the_last_one_ended() {
    let mut bench = Bench::new((120, 36));
    assert_eq!(bench.view, None, "what is on screen before the store answers is nobody's choice");
    let view = KeptView { tab: "NFTs".to_owned(), of: Some(format!("account {}", ALICE.bech32())) };
    answered(&mut bench, &Slot::View, Answer::View(Some(view.clone())));
    assert_eq!(bench.app.navigation.shown_root(), Some(Tab::Nfts));
    assert_eq!(bench.view, None, "the page is still to come");
    let target = bench.app.last_view.resume(true).expect("a page");
    bench.open(Destination::of(&target).expect("it can be opened"));
    bench.page::<AccountPage>();
    assert_eq!(bench.view, Some(KeptView { tab: "Txs".to_owned(), ..view.clone() }));
    bench.keys("2");
    assert_eq!(bench.view, Some(KeptView { tab: "Blocks".to_owned(), of: None }));

    let mut bench = Bench::new((120, 36));
    answered(&mut bench, &Slot::View, Answer::View(Some(view.clone())));
    assert_eq!(bench.app.last_view.resume(false), None, "a page of another chain is not opened");
    assert_eq!(bench.app.navigation.shown_root(), Some(Tab::Nfts));

    let mut bench = Bench::new((120, 36));
    bench.keys("3");
    answered(&mut bench, &Slot::View, Answer::View(Some(view)));
    assert_eq!(bench.app.last_view.resume(true), None);
    assert_eq!(bench.app.navigation.shown_root(), Some(Tab::Txs), "who pressed a key is not led away");
}

#[test]
fn nfts_opened_in_earlier_sessions_are_called_by_their_collections_names() {
    let mut bench = Bench::new((120, 36));
    let collection = Address::Short([0xad; 20]);
    let recents = vec![format!("token {}/1", collection.hex()), "block 7".to_owned()];
    answered(&mut bench, &Slot::Recents, Answer::Recents(recents));
    bench.keys("/");
    let labels = |bench: &Bench| -> Vec<String> {
        let Some(crate::app::modal::Modal::GoTo(go_to)) = &bench.app.modal else { panic!("no input") };
        go_to.picker.choices().iter().map(|choice| choice.label.clone()).collect()
    };
    assert!(labels(&bench)[0].starts_with("0xadad"), "{:?}", labels(&bench));
    let record = serde_json::json!({"object_addr": collection.hex(), "collection": {"name": "Tidal\u{7} Glyphs"},
        "height": 1, "timestamp": "2026-01-31T12:00:00Z"});
    let record = Arc::new(serde_json::from_value::<Collection>(record).expect("a collection"));
    answered(&mut bench, &Slot::NameOf(collection), Answer::Collection(record));
    assert!(labels(&bench)[0].starts_with("Tidal Glyphs #1 · "), "{:?}", labels(&bench));
    bench.keys("esc /");
    assert!(bench.take(|slot| matches!(slot, Slot::NameOf(_))).is_none(), "what is known is not asked for again");
    typed(&mut bench, "glyphs");
    assert!(labels(&bench)[0].starts_with("Tidal Glyphs #1 · "), "{:?}", labels(&bench));
}

#[test]
fn a_message_type_of_the_overview_leads_to_its_transactions() {
    let mut bench = Bench::new((120, 40));
    let height = status(9);
    let Some((ticket, _)) = bench.take(|slot| *slot == Slot::Status) else { panic!("no status is asked for") };
    bench.reply(ticket, Ok(Answer::Status(Box::new(height))));
    let Some((ticket, _)) = bench.take_newest() else { panic!("no transactions are asked for") };
    let record = serde_json::json!({"txhash": "0".repeat(64), "height": "1", "timestamp": "2026-01-31T12:00:00Z",
        "tx": {"body": {"messages": [{"@type": "/a.b.MsgCall"}]}}});
    let tx = Arc::new(serde_json::from_value(record).expect("a transaction"));
    let page = ListPage { items: vec![tx], next: None, total: Total::Exact(1), notes: Vec::new() };
    bench.reply(ticket, Ok(Answer::Txs(page)));
    bench.keys("tab tab enter");
    let page = bench.page::<TxsPage>();
    assert_eq!(page.txs.query.msgs, [MsgType::new("a.b.MsgCall")]);
    bench.keys("1 shift-tab esc tab");
    assert_eq!(bench.app.navigation.shown_root(), Some(Tab::Overview));
}

#[test]
fn the_body_of_an_answer_is_copied_to_the_byte() {
    let mut bench = Bench::new((120, 36));
    bench.keys("3");
    bench.serve_txs(&Txs::of(3));
    bench.keys("enter y B");
    let Some((ticket, request)) = bench.take(|slot| *slot == Slot::CopiedBody) else { panic!("nothing is asked for") };
    assert!(matches!(&request, Request::Body(of) if matches!(**of, Request::Tx(_))), "{request:?}");
    let body = "{\"tx\" : {\"height\":\"07\" } }\n";
    bench.reply(ticket, Ok(Answer::Body(body.into())));
    assert_eq!(bench.host.last(), Some(&crate::app::Effect::Copy(body.to_owned())));
}
