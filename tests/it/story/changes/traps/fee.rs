//! Those of the fee: what it was is known only where its movements say the same.

use rollscope::story::Changes;
use serde_json::Value;

use super::{COLLECTOR, changes, event, evm, fee, moved, row, rows, sent, tx, who};

/// A fee of 90 with this refund and these movements of it.
fn refunded(refund: &str, back: Option<u128>) -> Changes {
    let (one, token) = (who(1), who(9));
    let collector = COLLECTOR.parse().expect("an address");
    let run = |log: String| event("evm", &[("log", &log)]);
    let mut events = vec![run(moved(token, one, collector, 90))];
    events.extend(fee(one, &format!("90{}", evm(token))));
    events.push(event("gas_refund", &[("gas", "7"), ("coins", refund)]));
    events.extend(back.map(|back| run(moved(token, collector, one, back))));
    changes(&tx(&events), None)
}

#[test]
fn a_refund_is_believed_where_it_came_back() {
    let coin = |amount: u128| format!("{amount}{}", evm(who(9)));
    let found = refunded(&coin(30), Some(30));
    assert_eq!((rows(&found), found.is_conserved), (vec![], true));
    assert_eq!(found.fee.net_paid[0].to_string(), coin(60));
    assert!(refunded(&coin(90), Some(90)).is_conserved, "all of it may come back");
    assert!(refunded("", None).is_conserved, "and nothing");
    assert!(!refunded(&coin(30), None).is_conserved, "nothing came back");
    assert!(!refunded(&coin(30), Some(20)).is_conserved, "less came back");
    assert!(!refunded(&coin(91), Some(91)).is_conserved, "more came back than was paid");
    assert!(!refunded("30ibc/AA", Some(30)).is_conserved, "another coin came back");
    assert!(!refunded("30", Some(30)).is_conserved, "it cannot be read");
}

#[test]
fn a_fee_that_another_paid_or_of_another_amount_is_not_shown_as_known() {
    let (one, two) = (who(1), who(2));
    let mut events: Vec<Value> = fee(one, "9uinit").into();
    events.extend(sent(one, two, "5uinit"));
    assert!(changes(&tx(&events), None).is_conserved);
    let [spent, received, _] = fee(two, "9uinit");
    let told = event("tx", &[("fee", "9uinit"), ("fee_payer", &one.bech32())]);
    assert!(!changes(&tx(&[spent, received, told]), None).is_conserved, "another paid");
    let [spent, received, _] = fee(one, "8uinit");
    let told = event("tx", &[("fee", "9uinit"), ("fee_payer", &one.bech32())]);
    assert!(!changes(&tx(&[spent, received, told]), None).is_conserved, "another amount moved");
}

#[test]
fn a_fee_of_several_coins_is_apart_coin_by_coin() {
    let (one, two) = (who(1), who(2));
    let mut events: Vec<Value> = fee(one, "4ibc/AA,9uinit").into();
    events.extend(sent(one, two, "5uinit"));
    let found = changes(&tx(&events), None);
    assert_eq!(rows(&found), [row(one, "uinit", "-5"), row(two, "uinit", "5")]);
    let paid: Vec<String> = found.fee.net_paid.iter().map(ToString::to_string).collect();
    assert_eq!((paid, found.is_conserved), (vec!["4ibc/AA".to_owned(), "9uinit".to_owned()], true));
}
