//! What the documents claim of keys and signing: rollscope holds no keys, a wallet signs, and rollscope broadcasts.

use super::source::{files, read};

/// Phrases by which the documents once denied the signing page.
const DENIALS: [&str; 9] = [
    "signs nothing",
    "sends nothing",
    "broadcasts nothing",
    "never signs",
    "never broadcasts",
    "does not sign",
    "does not broadcast",
    "cannot sign",
    "read-only explorer",
];

fn denials(text: &str) -> Vec<&'static str> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    DENIALS.into_iter().filter(|denial| text.contains(denial)).collect()
}

#[test]
fn no_document_denies_that_transactions_are_signed_and_broadcast() {
    let own = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "Cargo.toml", "src/lib.rs", "src/cli.rs"];
    let documents = files("docs", "md").into_iter().chain(files("src/cli", "rs"));
    for path in own.map(str::to_owned).into_iter().chain(documents) {
        assert_eq!(denials(&read(&path)), Vec::<&str>::new(), "{path}");
    }
    for path in ["README.md", "SECURITY.md"] {
        let text = read(path);
        assert!(text.contains("holds no keys") && text.contains("broadcasts"), "{path} says who signs and broadcasts");
    }
}

#[test]
fn a_denial_is_found() {
    assert_eq!(denials("It holds no keys,\nsigns nothing and Sends nothing."), ["signs nothing", "sends nothing"]);
    assert_eq!(denials("It holds no keys: a wallet signs, and rollscope broadcasts."), Vec::<&str>::new());
}
