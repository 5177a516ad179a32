//! The page trait stays small, no code decides by which page is shown, and each page has a test that opens it.

use std::collections::BTreeMap;

use super::{code, read};

/// Methods of the trait at the most.
const METHODS: usize = 24;
/// Kinds of `PageEvent` at the most.
const EVENTS: usize = 16;
/// Code lines of all `impl Page` of the explorer at the most.
const LINES: usize = 1_700;
/// Code lines of the smallest of them at the most.
const SMALLEST: usize = 80;

/// Each page with the test that opens it: file and function.
const TESTED: &[(&str, &str, &str)] = &[
    (
        "AccountPage",
        "it/explorer/account.rs",
        "either_form_leads_to_the_same_page_and_one_comes_back_to_the_same_place",
    ),
    ("BlockPage", "it/explorer/pages.rs", "a_block_opens_with_its_transactions_and_its_json"),
    ("BlocksPage", "it/explorer/lists.rs", "a_walk_through_all_blocks_has_each_once"),
    ("BridgePage", "it/explorer/bridge_quote.rs", "when_a_route_is_through_is_told_in_the_persons_zone"),
    ("CollectionPage", "it/explorer/nfts.rs", "cards_are_walked_in_all_directions"),
    ("CollectionsPage", "it/explorer/nfts.rs", "the_name_is_searched_with_every_key_and_esc_takes_it_back"),
    ("ComparePage", "it/explorer/compare.rs", "the_two_are_compared_and_each_line_leads_to_its_place"),
    (
        "HoldersPage",
        "it/explorer/rich_list.rs",
        "the_tab_opens_on_the_denom_that_pays_most_fees_even_before_the_first_blocks_are_there",
    ),
    ("OverviewPage", "it/explorer/screens.rs", "the_overview_shows_the_chain_and_its_index"),
    ("ResultsPage", "it/explorer/anything.rs", "several_things_become_a_table"),
    ("SendPage", "it/explorer/bridge_prepare.rs", "the_demo_wallet_signs_hook_and_messages_and_the_transfer_begins"),
    ("TokenPage", "it/explorer/nfts/art.rs", "metadata_is_fetched_only_when_it_is_asked_for"),
    ("TransferPage", "it/explorer/transfers.rs", "a_hash_is_tracked_from_unknown_to_its_end"),
    ("TxPage", "it/explorer/pages.rs", "a_transaction_opens_with_its_tabs"),
    ("TxsPage", "it/explorer/lists.rs", "a_walk_through_all_transactions_has_each_once"),
];

/// What stands between the braces of an item at the beginning of a line, without comments and words in quotes.
fn body<'a>(code: &'a str, head: &str) -> Option<&'a str> {
    let (_, rest) = code.split_once(head)?;
    Some(rest.split_once("\n}\n").map_or(rest, |(body, _)| body))
}

fn methods(source: &str) -> usize {
    let code = code(source);
    body(&code, "pub(crate) trait Page:")
        .map_or(0, |body| body.lines().filter(|line| line.starts_with("    fn ")).count())
}

fn events(source: &str) -> usize {
    let code = code(source);
    let is_kind = |line: &&str| line.strip_prefix("    ").is_some_and(|line| line.starts_with(char::is_uppercase));
    body(&code, "pub(crate) enum PageEvent").map_or(0, |body| body.lines().filter(is_kind).count())
}

/// The pages of a source with the code lines of their `impl Page`.
fn pages(source: &str) -> BTreeMap<String, usize> {
    let code = code(source);
    let blocks = code.split("\nimpl Page for ").skip(1);
    let page = |block: &str| {
        let block = block.split_once("\n}\n").map_or(block, |(block, _)| block);
        let name = block.chars().take_while(|c| c.is_alphanumeric()).collect();
        (name, block.lines().filter(|line| !line.trim().is_empty()).count() + 1)
    };
    blocks.map(page).collect()
}

/// Places where the session decides by the tab of the page on screen.
fn decisions(source: &str) -> usize {
    let code = code(source);
    [".tab() == ", ".tab() != ", "place().tab == ", "place().tab != ", "place.tab == ", "place.tab != ", "tabs[Tab::"]
        .iter()
        .map(|way| code.matches(way).count())
        .sum()
}

/// `Deref` impls, which pass the fields of another type off as one's own.
fn derefs(source: &str) -> usize {
    let code = code(source);
    let is_deref = |line: &&str| line.contains("Deref for ") || line.contains("DerefMut for ");
    code.lines().filter(|line| line.starts_with("impl")).filter(is_deref).count()
}

/// Arms that drop an answer in silence.
fn dropped(source: &str) -> usize {
    let code = code(source);
    ["Ok(_) => {}", "Ok(_)) => {}", "Ok(_) => (),"].iter().map(|arm| code.matches(arm).count()).sum()
}

fn all_pages() -> BTreeMap<String, usize> {
    read("src")
        .iter()
        .filter(|(path, _)| path.starts_with("pages") && !path.starts_with("pages/tests"))
        .flat_map(|(_, source)| pages(source))
        .collect()
}

#[test]
fn the_page_trait_stays_small() {
    let sources = read("src");
    let trait_methods: usize = sources.values().map(|source| methods(source)).sum();
    let kinds: usize = sources.values().map(|source| events(source)).sum();
    assert!((10..=METHODS).contains(&trait_methods), "Page has {trait_methods} methods");
    assert!((5..=EVENTS).contains(&kinds), "PageEvent has {kinds} kinds");
    let pages = all_pages();
    let (lines, smallest) = (pages.values().sum::<usize>(), pages.values().min().copied().unwrap_or_default());
    assert!((500..=LINES).contains(&lines), "all impl Page have {lines} lines: {pages:?}");
    assert!((10..=SMALLEST).contains(&smallest), "the smallest page has {smallest} lines");
}

#[test]
fn nothing_is_decided_by_the_tab_of_a_page() {
    for (path, source) in read("src").iter().filter(|(path, _)| path.starts_with("app") || path.starts_with("ui")) {
        assert_eq!(decisions(source), 0, "{}: a flag of Place says it", path.display());
    }
}

#[test]
fn no_deref_stands_in_for_inheritance() {
    let rooms = ["app", "app.rs", "panes", "pages", "ui"];
    let sources = read("src");
    let of_rooms = sources.iter().filter(|(path, _)| rooms.iter().any(|room| path.starts_with(room)));
    let mut files = 0;
    for (path, source) in of_rooms {
        assert_eq!(derefs(source), 0, "{}: name the field instead", path.display());
        files += 1;
    }
    assert!(files > 150, "{files} files");
    for source in [
        "impl Deref for App {\n",
        "impl DerefMut for App {\n",
        "impl std::ops::Deref for Drawing<'_> {\n",
        "impl<'a> Deref for PageCx<'a> {\n",
    ] {
        assert_eq!(derefs(source), 1, "{source}");
    }
    assert_eq!(derefs("// impl Deref for App\nfn a(b: impl Deref<Target = u8>) {}\n"), 0);
}

#[test]
fn no_answer_is_dropped_in_silence() {
    for (path, source) in read("src") {
        let is_held = ["app", "panes", "pages", "ui"].iter().any(|room| path.starts_with(room));
        if is_held && !path.starts_with("app/transfers") {
            assert_eq!(dropped(&source), 0, "{}", path.display());
        }
    }
    assert_eq!(dropped("match a {\n Ok(_) => {}\n (false, Ok(_)) => {}\n Err(_) => {}\n}"), 2);
}

#[test]
fn each_page_has_a_test_that_opens_it() {
    let (pages, tests) = (all_pages(), read("tests"));
    let tested: Vec<&str> = TESTED.iter().map(|(page, ..)| *page).collect();
    assert_eq!(
        pages.keys().map(String::as_str).collect::<Vec<_>>(),
        tested,
        "a page without a test, or a test without its page"
    );
    for (page, file, function) in TESTED {
        let source =
            tests.iter().find(|(path, _)| path.as_path() == std::path::Path::new(file)).map(|(_, source)| source);
        assert!(
            source.is_some_and(|source| source.contains(&format!("fn {function}("))),
            "{page}: no {function} in {file}"
        );
    }
}

#[test]
fn a_page_that_grows_is_found() {
    let source = "pub(crate) trait Page: Any {\n    // fn no();\n    fn a(&self);\n\n    fn b(&self) {\n        c();\n    }\n}\n\nfn d() {}\n";
    assert_eq!(methods(source), 2);
    let source = "pub(crate) enum PageEvent<'a> {\n    /// Words.\n    A,\n    B {\n        c: bool,\n    },\n}\n";
    assert_eq!(events(source), 2);
    let source =
        "struct A;\n\nimpl Page for NewPage {\n    /// Words.\n    fn a() {\n\n        b();\n    }\n}\n\nfn c() {}\n";
    assert_eq!(pages(source), BTreeMap::from([("NewPage".to_owned(), 5)]));
    for source in
        ["if page.tab() == Tab::Bridge {}", "self.tabs[Tab::Overview as usize]", "a(page.place().tab != Tab::Txs)"]
    {
        assert_eq!(decisions(source), 1, "{source}");
    }
    assert_eq!(decisions("self.tab == AccountTab::Txs // page.tab() == Tab::Bridge"), 0);
}
