//! A transaction that began several withdrawals: nobody can tell which one is meant, and each can be chosen.

use serde_json::{Value, json};

use super::{PlayedServer, event, folder, hash, indexed};

fn begun(sequence: &str, amount: &str, to: &str) -> Value {
    event(
        "initiate_token_withdrawal",
        &[
            ("from", "init1sender"),
            ("to", to),
            ("denom", "l2/aa"),
            ("base_denom", "uusdc"),
            ("amount", amount),
            ("l2_sequence", sequence),
        ],
    )
}

#[test]
fn several_withdrawals_of_one_transaction_are_listed_with_the_command_of_each() {
    let (server, folder) = (PlayedServer::start("far-2"), folder());
    let withdrawals = [begun("7", "40000000", "init1one"), begun("8", "2500000", "init1other")];
    let message = json!({"@type": "/opinit.opchild.v1.MsgInitiateTokenWithdrawal"});
    server.play().txs = vec![indexed(&hash(1), "2026-01-31T12:00:00Z", &message, &withdrawals)];
    let explorer = server.explorer(folder.path());
    explorer.press("6 t").type_text(&format!("far-2 {}", hash(1))).press("enter");
    explorer.wait_for("Withdrawals of the transaction; claim each by number");
    explorer.wait_for("40,000,000 smallest units of uusdc for init1one  rollscope claim far-2 7");
    explorer.wait_for("2,500,000 smallest units of uusdc for init1other  rollscope claim far-2 8");
    explorer.click("2,500,000 smallest units of uusdc for").press("y").wait_for("value of the line").press("l");
    assert_eq!(explorer.copied().last().map(String::as_str), Some("rollscope claim far-2 8"));
    server.play().txs = vec![indexed(&hash(2), "2026-01-31T12:00:00Z", &message, &withdrawals[..1])];
    explorer.press("esc t").type_text(&format!("far-2 {}", hash(2))).press("enter").wait_for("┌ Transfer 02C4");
    explorer.settle();
    assert!(!explorer.screen().contains("claim each by number"), "{}", explorer.screen());
    explorer.quit();
}
