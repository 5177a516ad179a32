//! A transaction that does something else in its block than a node simulated before the signature.

use rollscope::domain::{Amount, Balance, Denom, SignerMove, SimulatedOutcome, TransferRecord};
use serde_json::{Value, json};

use super::{ME, PlayedServer, Stage, event, folder, hash, indexed, mine};

const BURNER: &str = "init1gz9n8jnu9fgqw7vem9ud67gqjk5q4m2w0aejne";

/// The transfer after a simulation in which 100 USDC leave.
fn simulated() -> TransferRecord {
    let mut record = mine();
    let delta = Balance::below_zero(Amount::from(100_000_000));
    let moves = vec![SignerMove { denom: Denom::new("uusdc"), delta }];
    let (host, signer) = ("node.example".to_owned(), ME.to_owned());
    record.txs[0].simulated = Some(SimulatedOutcome { host, signer, moves });
    record
}

/// The transaction in its block, in which this leaves.
fn executed(coin: &str, code: u32) -> Value {
    let events = [
        event("coin_spent", &[("spender", ME), ("amount", coin)]),
        event("coin_received", &[("receiver", BURNER), ("amount", coin)]),
        event("coin_spent", &[("spender", BURNER), ("amount", coin)]),
        event("burn", &[("burner", BURNER), ("amount", coin)]),
    ];
    let message = json!({"@type": "/cosmos.bank.v1beta1.MsgSend"});
    let mut tx = indexed(&hash(1), "2026-01-31T12:00:04Z", &message, if code == 0 { &events } else { &[] });
    tx["code"] = json!(code);
    tx
}

#[test]
fn another_outcome_than_the_simulated_one_is_noted_once_and_an_equal_one_is_not() {
    let differs = "The transaction differs from what node.example simulated before you signed";
    let fails = "The transaction failed, but node.example simulated a success before you signed.";
    for (tx, noted) in [
        (executed("100000000uusdc", 0), None),
        (executed("101000000uusdc", 0), Some(format!("{differs}: -101 USDC moved, -100 USDC simulated."))),
        (executed("100000000uusdc", 5), Some(fails.to_owned())),
    ] {
        let (server, folder) = (PlayedServer::start("noble-1"), folder());
        server.set(Stage::FirstHop);
        server.play().txs = vec![tx];
        let explorer = server.opened(&simulated(), folder.path());
        explorer.wait_for("the indexer of Noble");
        match noted {
            Some(words) => {
                explorer.wait_for(&words);
                assert_eq!(explorer.screen().matches("node.example").count(), 1, "{}", explorer.screen());
            }
            None => assert!(!explorer.screen().contains("node.example"), "{}", explorer.screen()),
        }
        explorer.quit();
    }
}
