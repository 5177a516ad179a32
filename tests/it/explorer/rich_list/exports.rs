//! Lists in files: the loaded rows, or the whole list.

use std::{
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{GAS, account, amount, denom, holder, holders, informed, parameter, paying, with_holders};
use crate::{
    explorer::scripted::Server,
    harness::{Explorer, replay::Answer},
};

const ALL: u64 = 6_234;

/// The names of a folder's files, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Types this path into the open dialog.
fn name(explorer: &Explorer, path: &Path) {
    explorer.press("up ctrl-u").type_text(&path.display().to_string());
}

#[test]
fn all_holders_are_written_with_exact_integers_and_no_file_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = with_holders(ALL);
    let explorer = informed(&server).size(120, 36).start();
    explorer.press("5").wait_for("of 6,234");
    // Four keys write all of them where the explorer was started.
    explorer.press("e a f").wait_for("( ) loaded 100   (•) all 6,234").wait_for("(•) CSV");
    explorer.wait_for(&format!("holders-{}.csv", GAS.replace('/', "-")));
    name(&explorer, &folder.path().join("all.csv"));
    explorer.press("enter").wait_for("✓ 6,234 rows · saved ").wait_for("all.csv");
    let text = fs::read_to_string(folder.path().join("all.csv")).expect("the file");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (6_235, "account,amount,height,time,symbol,decimals,named_by"));
    for (number, line) in (0..).zip(&lines[1..]) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[..2], [account(number).hex(), amount(number, ALL)], "{line}");
        assert_eq!((cells[2], &cells[4..]), ("37", &["GAS", "18", "network"][..]), "{line}");
    }
    explorer.press("e a");
    name(&explorer, &folder.path().join("all.csv"));
    explorer.press("enter").wait_for("all-2.csv");
    let lines = fs::read_to_string(folder.path().join("all-2.csv")).expect("the file");
    assert_eq!(lines.lines().count(), 6_234, "JSON lines, whatever the name");
    assert_eq!(fs::read_to_string(folder.path().join("all.csv")).expect("the file"), text);
    assert_eq!(names(folder.path()), ["all-2.csv", "all.csv"]);
    // The loaded rows keep their way, with the addresses masked on request.
    explorer.press("e m f f").wait_for("-masked.json").press("enter").wait_for("100 of 6,234 rows · saved holders-");
    let (_, masked) = explorer.written().pop().expect("a file");
    let rows: Vec<serde_json::Value> = serde_json::from_str(&masked).expect("an array");
    assert_eq!(rows.len(), 100);
    assert!(!masked.contains(&account(0).hex()[2..]) && !masked.contains(&account(0).bech32()), "{masked}");
    explorer.quit();
}

#[test]
fn a_failure_writes_nothing_and_the_choice_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let fails = Arc::new(AtomicBool::new(true));
    let (failing, stalls) = (Arc::clone(&fails), Arc::new(AtomicBool::new(false)));
    let stalling = Arc::clone(&stalls);
    let server = Server::new(move |seen, _| match denom(seen).as_deref() {
        Some(GAS) if parameter(seen, "pagination.key") == Some("6000") && failing.load(Ordering::SeqCst) => {
            Answer::text(500, "out of order")
        }
        Some(GAS) if parameter(seen, "pagination.key") == Some("6000") && stalling.load(Ordering::SeqCst) => {
            Answer::Stall(b"HTTP/1.1 200 OK\r\n")
        }
        Some(GAS) => holders(seen, ALL, |number| holder(number, amount(number, ALL))),
        _ => paying(seen),
    });
    let explorer = informed(&server).size(120, 36).start();
    explorer.press("5").wait_for("of 6,234").press("e a");
    name(&explorer, &folder.path().join("missing/all.jsonl"));
    explorer.press("enter").wait_for("✗ No such file or directory (os error 2); no file was written");
    explorer.press("ctrl-u").type_text(&folder.path().join("all.jsonl").display().to_string());
    explorer.press("enter").wait_for("(500): out of order; no file was written, 6,000 rows");
    assert_eq!(names(folder.path()), Vec::<String>::new());
    fails.store(false, Ordering::SeqCst);
    stalls.store(true, Ordering::SeqCst);
    // No reply of the terminal is waited for any more, which may be cut after its ESC.
    explorer.let_pass(std::time::Duration::from_secs(4));
    explorer.keys("enter").wait_for("reading: 6,000 rows of 6,234").keys("esc");
    explorer.wait_for("export cancelled: no file was written");
    crate::harness::wait_until("the temporary file is gone", || names(folder.path()).is_empty());
    stalls.store(false, Ordering::SeqCst);
    explorer.press("e a");
    name(&explorer, &folder.path().join("all.jsonl"));
    explorer.press("enter").wait_for("6,234 rows · saved");
    assert_eq!(names(folder.path()), ["all.jsonl"]);
    explorer.quit();
}
