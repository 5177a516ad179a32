//! Those of `MiniEVM`.

use rollscope::{
    domain::{Address, Vm},
    story::NftName,
};
use serde_json::json;

use super::{
    super::{changes, event, rows, supply, told, tx},
    TRANSFER, evm, log, moved, number, row, run, sent, who, word,
};

const SINGLE: &str = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
const BATCH: &str = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";
const WRAPPED: &str = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c";
const UNWRAPPED: &str = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";

#[test]
fn what_the_bank_and_the_log_both_say_counts_once() {
    let (token, one, two) = (who(9), who(1), who(2));
    let amount = format!("70{}", evm(token));
    let mut events = vec![run(&[moved(token, one, two, 70)])];
    events.extend(sent(one, two, &amount));
    let found = changes(&tx(&events), None);
    assert_eq!(rows(&found), [row(one, &evm(token), "-70"), row(two, &evm(token), "70")]);
    assert!(found.is_conserved && found.balances.iter().all(|change| !change.is_reported && change.events == [0]));
    assert_eq!(found.vm, Some(Vm::Evm));
}

#[test]
fn a_contract_that_nobody_else_names_is_only_reported() {
    let (token, one, nobody) = (who(9), who(1), who(0));
    let found = changes(&tx(&[run(&[moved(token, nobody, one, 3)])]), None);
    assert_eq!((rows(&found), supply(&found)), (vec![row(one, &evm(token), "3")], vec![format!("{} 3", evm(token))]));
    assert!(found.balances[0].is_reported);
    let created = told("erc20_created", &[("denom", "ibc/AA"), ("contract", &token.hex())]);
    let found = changes(&tx(&[created, run(&[moved(token, nobody, one, 3)])]), None);
    assert_eq!(rows(&found), [row(one, "ibc/AA", "3")]);
    assert!(!found.balances[0].is_reported);
}

#[test]
fn several_coins_at_once_find_their_contracts_though_the_amounts_are_equal() {
    let (one, two) = (who(1), who(2));
    let mut events = vec![run(&[moved(who(8), one, two, 5)]), run(&[moved(who(9), one, two, 5)])];
    events.extend(sent(one, two, "5ibc/AA,5l2/bb"));
    // A later message moves the second token without the bank: its name is known from the first.
    events.push(event("evm", &[("log", &moved(who(9), one, two, 1)), ("msg_index", "1")]));
    let found = changes(&tx(&events), None);
    let expected = [row(one, "ibc/AA", "-5"), row(two, "ibc/AA", "5"), row(one, "l2/bb", "-6"), row(two, "l2/bb", "6")];
    assert_eq!(rows(&found), expected);
    assert!(found.is_conserved);
}

#[test]
fn a_movement_of_the_bank_without_its_log_is_incomplete() {
    let (token, one, two) = (who(9), who(1), who(2));
    let mut events = vec![run(&[moved(token, one, two, 70)])];
    events.extend(sent(one, two, "71ibc/AA"));
    assert!(!changes(&tx(&events), None).is_conserved);
    let mut events = vec![run(&["not JSON".to_owned()])];
    events.extend(sent(one, two, ""));
    assert!(!changes(&tx(&events), None).is_conserved);
}

#[test]
fn an_account_that_a_log_cut_short_is_shown_whole() {
    let mut bytes = [7; 32];
    bytes[..12].copy_from_slice(&[1; 12]);
    let (token, long, cut, two) = (who(9), Address::Long(bytes), who(7), who(2));
    let mut events = vec![run(&[moved(token, two, cut, 70)])];
    events.extend(sent(two, long, "70ibc/AA"));
    let found = changes(&tx(&events), None);
    assert_eq!(rows(&found), [row(two, "ibc/AA", "-70"), row(long, "ibc/AA", "70")]);
    assert_eq!(found.of_account(cut).count(), 1);
    events.push(run(&[moved(token, cut, two, 70)]));
    assert_eq!(rows(&changes(&tx(&events), None)), Vec::<String>::new(), "it is the same account in a log");
}

#[test]
fn an_account_that_the_bank_names_short_and_long_keeps_its_short_name() {
    let mut bytes = [7; 32];
    bytes[..12].copy_from_slice(&[1; 12]);
    let (token, long, short, two) = (who(9), Address::Long(bytes), who(7), who(2));
    for order in [[long, short], [short, long]] {
        let mut events = Vec::new();
        for to in order {
            events.push(run(&[moved(token, two, short, 70)]));
            events.extend(sent(two, to, "70ibc/AA"));
        }
        let found = changes(&tx(&events), None);
        assert_eq!(rows(&found), [row(two, "ibc/AA", "-140"), row(short, "ibc/AA", "140")]);
    }
}

#[test]
fn a_contract_that_copies_the_logs_of_a_token_is_not_added_to_it() {
    let (token, copy, one, two) = (who(8), who(9), who(1), who(2));
    let mut events = vec![run(&[moved(token, one, two, 5)])];
    events.extend(sent(one, two, "5ibc/AA"));
    assert!(changes(&tx(&events), None).is_conserved);
    // The bank names nothing more, so the copy has its own name.
    events.push(run(&[moved(copy, one, two, 6)]));
    let found = changes(&tx(&events), None);
    assert_eq!((found.balances.len(), found.is_conserved), (4, true));
    assert_eq!(found.balances.iter().filter(|change| change.is_reported).count(), 2);
    // A second registration or a copy between log and bank takes the same name: which is the token is not known.
    events.push(told("erc20_created", &[("denom", "ibc/AA"), ("contract", &copy.hex())]));
    assert!(!changes(&tx(&events), None).is_conserved);
}

#[test]
fn a_token_that_somebody_vouches_for_is_not_only_reported() {
    let (token, one, two) = (who(9), who(1), who(2));
    let mut found = changes(&tx(&[run(&[moved(token, one, two, 3)])]), None);
    found.vouch(|denom| denom.as_str() == "ibc/AA");
    assert!(found.balances.iter().all(|change| change.is_reported));
    found.vouch(|denom| denom.as_str() == evm(token));
    assert!(found.balances.len() == 2 && found.balances.iter().all(|change| !change.is_reported));
}

#[test]
fn a_deposit_log_mints_only_where_the_contract_is_a_token_or_took_the_fees_coin() {
    let (weth, native, one, two) = (who(9), who(8), who(1), who(2));
    let deposit = log(weth, &[WRAPPED.to_owned(), word(one)], &number(50));
    let withdrawal = log(weth, &[UNWRAPPED.to_owned(), word(one)], &number(20));
    let paid = moved(native, one, weth, 50);
    let fee = |logs: &[&String]| {
        let mut tx = tx(&[run(&logs.iter().map(|log| (*log).clone()).collect::<Vec<_>>())]);
        let fee = json!({"amount": [{"denom": evm(native), "amount": "7"}]});
        let body = json!({"body": {"messages": []}, "auth_info": {"fee": fee}});
        tx.tx = serde_json::value::to_raw_value(&body).expect("it is JSON").into();
        changes(&tx, None)
    };
    let payment = [row(one, &evm(native), "-50"), row(weth, &evm(native), "50")];
    let minted = [payment.as_slice(), &[row(one, &evm(weth), "50")]].concat();
    let found = fee(&[&paid, &deposit]);
    assert_eq!((rows(&found), supply(&found)), (minted.clone(), vec![format!("{} 50", evm(weth))]));
    // A stake of another token logs the same.
    let found = changes(&tx(&[run(&[paid.clone(), deposit.clone()])]), None);
    assert_eq!((rows(&found), supply(&found)), (payment.to_vec(), vec![]));
    let found = fee(&[&moved(native, one, weth, 49), &deposit]);
    assert!(supply(&found).is_empty(), "another amount");
    let found = fee(&[&moved(native, one, two, 50), &deposit]);
    assert!(supply(&found).is_empty(), "another recipient");
    let found = fee(&[&moved(native, one, weth, 20), &withdrawal]);
    assert!(supply(&found).is_empty(), "the other way");
    let found = fee(&[&moved(native, weth, one, 20), &withdrawal]);
    assert_eq!(supply(&found), [format!("{} -20", evm(weth))]);
    // A contract that logs transfers is a token; its own mint counts once.
    let found = changes(&tx(&[run(&[paid.clone(), deposit.clone(), moved(weth, one, two, 50)])]), None);
    assert_eq!(supply(&found), [format!("{} 50", evm(weth))]);
    let found = changes(&tx(&[run(&[paid, deposit, moved(weth, who(0), one, 50)])]), None);
    assert_eq!(rows(&found), minted, "and not 100");
}

#[test]
fn nfts_and_items_of_the_evm_move_in_order() {
    let (nft, one, two, nobody) = (who(9), who(1), who(2), who(0));
    let erc721 = log(nft, &[TRANSFER.to_owned(), word(nobody), word(one), number(7)], "0x");
    let single =
        log(nft, &[SINGLE.to_owned(), word(one), word(one), word(two)], &format!("{}{}", number(3), &number(4)[2..]));
    let data: String = [64, 160, 2, 5, 6, 2, 50, 60].into_iter().map(|value| number(value)[2..].to_owned()).collect();
    let batch = log(nft, &[BATCH.to_owned(), word(one), word(one), word(nobody)], &format!("0x{data}"));
    let old = log(nft, &[TRANSFER.to_owned()], &format!("0x{}", "00".repeat(96)));
    let found = changes(&tx(&[run(&[erc721, single, batch, old])]), None);
    let short: Vec<_> = found
        .nfts
        .iter()
        .map(|change| {
            let NftName::Token { contract, token_id } = &change.what else { panic!("{:?}", change.what) };
            assert_eq!((contract, change.message), (&nft.checksummed(), 0));
            (token_id.as_str(), change.from, change.to, change.amount.map(|amount| amount.to_string()))
        })
        .collect();
    let count = |text: &str| Some(text.to_owned());
    let expected = [
        ("7", None, Some(one), None),
        ("3", Some(one), Some(two), count("4")),
        ("5", Some(one), None, count("50")),
        ("6", Some(one), None, count("60")),
    ];
    assert_eq!(short, expected);
    assert!(found.balances.is_empty() && found.is_conserved);
}

#[test]
fn a_batch_that_lies_about_its_lengths_is_left_out() {
    let topics = [BATCH.to_owned(), word(who(1)), word(who(1)), word(who(2))];
    let lies: [&[u128]; 6] =
        [&[64, 96], &[64, 96, 1, 5, 9], &[1, 2, 3], &[u128::MAX, 64], &[64, 64, u128::MAX, 1], &[]];
    for lie in lies {
        let data: String = lie.iter().map(|value| number(*value)[2..].to_owned()).collect();
        let found = changes(&tx(&[run(&[log(who(9), &topics, &format!("0x{data}"))])]), None);
        assert!(found.nfts.is_empty(), "{lie:?}: {:?}", found.nfts);
    }
}
