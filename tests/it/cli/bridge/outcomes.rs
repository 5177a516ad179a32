//! `on_end`: a program of one's own is given how a followed transfer ended.

use std::{fs, path::PathBuf};

use rollscope::store::Store;
use rstest::rstest;
use serde_json::Value;

use super::{Chain, HASH, fixture, parse};
use crate::{cli::program::Home, harness::replay::Answer};

/// A router that knows one transfer, which ended like this.
fn router_of(status: String) -> Chain {
    Chain::scripted(move |seen| match seen.target.split('?').next() {
        Some("/v2/tx/track") => Answer::json(r#"{"tx_hash":"x","explorer_link":""}"#),
        Some("/v2/tx/status") => {
            // The status of the transaction that is asked about.
            let named = seen.target.split('&').find_map(|part| part.split("tx_hash=").nth(1)).unwrap_or(HASH);
            Answer::json(status.replace(&HASH.to_uppercase(), &named.to_uppercase()))
        }
        _ => Answer::text(404, "404 page not found"),
    })
}

fn arrived() -> Chain {
    router_of(fixture("status-4b-completed-success-composed"))
}

/// A home where the end of a transfer is told to a script, which gets these arguments too. It is run by a shell that is
/// the program itself: one that was just written and is still open elsewhere could not be started.
fn home_of(script: &str, arguments: &[&str], limit: &str) -> (Home, PathBuf) {
    let home = Home::empty();
    let path = home.path().join("told.sh");
    fs::write(&path, script).expect("a file can be written");
    let words: Vec<String> =
        ["/bin/sh", &path.display().to_string()].iter().chain(arguments).map(|word| format!("{word:?}")).collect();
    let folder = home.path().join("config/rollscope");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let config = format!("[transfers]\non_end = [{}]\non_end_timeout = \"{limit}\"\n", words.join(", "));
    fs::write(folder.join("config.toml"), config).expect("a file can be written");
    let out = home.path().join("told");
    (home, out)
}

fn watch(home: &Home, router: &Chain) -> crate::cli::program::Ran {
    home.run(&format!("transfer echelon-1 {HASH} --watch --router {}", router.url()))
}

/// What the script was given, by each of its runs.
fn told(path: &PathBuf) -> Vec<Value> {
    fs::read_to_string(path).unwrap_or_default().lines().map(parse).collect()
}

#[test]
fn each_outcome_is_told_once_with_the_facts_as_json() {
    let (home, out) = home_of("cat >> \"$HOME/told\"", &[], "20s");
    let router = arrived();
    let line = parse(watch(&home, &router).good().lines().last().expect("a line"));
    let facts = told(&out);
    assert_eq!(facts.len(), 1);
    for key in ["headline", "source", "phase", "chain_id", "tx_hash", "release", "evidence", "times", "hops", "status"]
    {
        assert_eq!(facts[0][key], line[key], "{key}: the program is given what scripts are given");
    }
    watch(&home, &router).good();
    assert_eq!(told(&out).len(), 1, "the same outcome is not told again");
    let failed = router_of(fixture("status-6a-completed-error-packet-timeout-composed"));
    assert_eq!(watch(&home, &failed).status, 4);
    assert_eq!(told(&out).len(), 2, "another outcome of the same transfer is another");
    home.run(&format!("transfer echelon-1 {HASH} --router {}", router.url())).good();
    assert_eq!(told(&out).len(), 2, "one look follows nothing to its end");
}

#[test]
fn of_several_that_are_followed_each_is_told_and_one_at_a_time() {
    // Where two ran at once the folder of the first would be there already.
    let (home, out) =
        home_of("mkdir \"$HOME/busy\" || exit 1; cat >> \"$HOME/told\"; rmdir \"$HOME/busy\"", &[], "20s");
    let router = arrived();
    let hashes: Vec<String> = ["AB", "CD", "EF"].iter().map(|digits| digits.repeat(32)).collect();
    home.run(&format!("transfer echelon-1 {} --watch --router {}", hashes.join(" "), router.url())).good();
    let mut known: Vec<String> =
        told(&out).iter().filter_map(|facts| facts["tx_hash"].as_str().map(str::to_owned)).collect();
    known.sort();
    assert_eq!(known, hashes);
}

#[test]
fn no_shell_reads_the_arguments() {
    let (home, _) = home_of("printf '%s' \"$1\" > \"$HOME/argument\"", &["$HOME; `touch x` \"y\""], "20s");
    watch(&home, &arrived()).good();
    let argument = fs::read_to_string(home.path().join("argument")).expect("the script wrote it");
    assert_eq!(argument, "$HOME; `touch x` \"y\"");
}

#[rstest]
#[case::fails("cat > /dev/null; exit 7", "20s", "note: on_end: /bin/sh failed: exit status: 7")]
#[case::hangs(
    "sleep 600 & sleep 600",
    "200ms",
    "note: on_end: rollscope killed the process group of /bin/sh after 200ms"
)]
#[case::writes_much("yes | head -c 30000000; yes | head -c 30000000 >&2", "50s", "")]
#[case::reads_nothing("exit 0", "20s", "")]
fn whatever_the_program_does_the_command_ends_as_the_transfer_did(
    #[case] script: &str,
    #[case] limit: &str,
    #[case] note: &str,
) {
    let (home, _) = home_of(script, &[], limit);
    // More than a pipe takes at once.
    let long = format!(r#"{{"state":"STATE_COMPLETED_SUCCESS","more":"{}"}}"#, "x".repeat(300_000));
    let ran = watch(&home, &router_of(long));
    assert_eq!((ran.status, ran.err.trim_end()), (0, note));
}

#[test]
fn a_program_that_is_missing_is_named() {
    let home = Home::with_config("[transfers]\non_end = [\"/nowhere/at-all\"]\n");
    let ran = watch(&home, &arrived());
    assert_eq!(ran.status, 0);
    assert!(ran.err.starts_with("note: on_end: cannot start /nowhere/at-all: ") && ran.err.lines().count() == 1);
    assert!(ran.err.contains("the next start of the explorer retries"), "{ran:?}");
    let state = home.path().join("state/rollscope/state.sqlite");
    let waiting = Store::open(&state).and_then(|mut store| store.waiting_outcomes()).expect("the state file");
    assert_eq!(waiting, 1, "nobody was told: it waits");
}

#[test]
fn where_the_state_file_cannot_be_used_nobody_knows_whether_it_was_told() {
    let (home, out) = home_of("cat >> \"$HOME/told\"", &[], "20s");
    // A file stands where the folder should be.
    fs::write(home.path().join("state"), "").expect("a file can be written");
    let ran = watch(&home, &arrived());
    assert_eq!((ran.status, told(&out).len()), (0, 0));
    assert!(ran.err.starts_with("note: rollscope skips on_end, which may have run already"), "{ran:?}");
}

#[rstest]
#[case("on_end = \"notify-send\"", "expected [\"program\", \"argument\", …]")]
#[case("on_end = [\"\"]", "the program name is empty")]
#[case("on_end = [5]", "expected text in quotes")]
#[case("on_end_timeout = \"30\"", "add the unit")]
fn what_is_no_program_is_said_with_its_line(#[case] line: &str, #[case] words: &str) {
    let home = Home::with_config(&format!("[transfers]\n{line}\n"));
    let ran = watch(&home, &arrived());
    assert!(ran.status == 0 && ran.err.contains(words) && ran.err.contains("line 2"), "{ran:?}");
}
