//! What a live `MiniEVM` node answered to simulations, read as before a signature.

use rollscope::{
    client::ClientOptions,
    domain::{Address, Amount, ChainId, Coin, Denom, GasPrice, Height},
    signing::{
        ChainTrust, EthereumCall, HeldCoins, ReadyForm, ReadyTx, SendingAccess, SignableMessage, SimulatedRun,
        SimulationQuestion, TxSimulation,
    },
    story::{Glossary, SimulatedEffect, SimulatedVerdict, simulation_lines},
    worker::simulate,
};
use serde_json::{Value, json};

use super::guard::{DEPOSIT, Offer, PlainNames};
use crate::harness::replay::{Answer, Replay};

const RECORDED: &str = include_str!("../../fixtures/live/simulations.jsonl");

/// A transaction of one message, as if it had been compared with a quote.
fn ready(message: &Value) -> ReadyTx {
    let kind = message["@type"].as_str().unwrap_or_default();
    let mut fields = message.clone();
    fields.as_object_mut().map(|fields| fields.shift_remove("@type"));
    let read = SignableMessage::read(kind, &fields.to_string());
    let signable = read.unwrap_or_else(|error| panic!("{message}: {error}"));
    let offered = Offer::of_sample(DEPOSIT).compare().unwrap_or_else(|refusal| panic!("{refusal}"));
    let mut tx = offered.into_iter().next().unwrap_or_else(|| panic!("a transaction"));
    let signer = message.get("sender").or(message.get("from_address")).and_then(Value::as_str);
    (tx.signer, tx.chain_id) = (signer.unwrap_or_default().to_owned(), ChainId::new("live-1"));
    tx.effects = Vec::new();
    tx.form = ReadyForm::Cosmos(vec![signable]);
    tx
}

async fn asked(tx: &ReadyTx, status: u16, answer: Value) -> TxSimulation {
    let replay = Replay::scripted(move |seen, _| match seen.target.split('?').next().unwrap_or_default() {
        "/cosmos/tx/v1beta1/simulate" => Answer::typed(status, "application/json", answer.to_string()),
        path if path.starts_with("/cosmos/auth/v1beta1/account_info/") => {
            Answer::json(r#"{"info":{"account_number":"7","sequence":"260"}}"#)
        }
        path if path.starts_with("/cosmos/bank/v1beta1/balances/") => {
            let held = r#"{"balances":[],"pagination":{"next_key":null,"total":"0"}}"#;
            Answer::json(held).with("grpc-metadata-x-cosmos-block-height", "31")
        }
        _ => Answer::typed(404, "application/json", r#"{"code":5,"message":"not found"}"#),
    });
    let replay = replay.await;
    let access = SendingAccess { rest: replay.url().to_owned(), takes_personal: true, ..SendingAccess::default() };
    simulate(&SimulationQuestion::new(tx, &access), &ClientOptions::default()).await
}

fn effect(tx: &ReadyTx, simulation: &TxSimulation) -> SimulatedEffect {
    SimulatedEffect::of(tx, &SendingAccess::default(), simulation, &Glossary::default())
}

#[tokio::test]
async fn recorded_simulations_tell_what_moves_and_why_they_fail() {
    let l2 = "l2/8596b00794b47ed41072aa2070e05ab4f42cd20781674461da418c28f5b5aa82";
    let less = "fails: reverted: “ERC20: transfer amount exceeds balance” — usually: the account holds less than it tried \
                to move";
    let expected = [
        "moves GAS -77".to_owned(),
        less.to_owned(),
        format!("moves {l2} -55"),
        less.to_owned(),
        "moves evm/B2603c024ddBc15C3FF744CF5ED70B67f5F7C89A -5".to_owned(),
        "fails: reverted, and the node tells no reason".to_owned(),
        "fails: reverted: “nothing here”".to_owned(),
        "fails: reverted: “decoding bech32 failed: invalid bech32 string length 5: Precompile failed”".to_owned(),
    ];
    let mut read = Vec::new();
    for line in RECORDED.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let tx = ready(&record["messages"][0]);
        let status = u16::try_from(record["status"].as_u64().unwrap()).unwrap();
        let simulation = asked(&tx, status, record["answer"].clone()).await;
        let effect = effect(&tx, &simulation);
        read.push(match (&effect.verdict, &effect.moves) {
            (SimulatedVerdict::Fails(why), _) => format!("fails: {why}"),
            (SimulatedVerdict::Succeeds, Some(moves)) => {
                let moves = moves.iter().map(|moved| format!("{} {}", moved.denom.as_str(), moved.delta));
                format!("moves {}", moves.collect::<Vec<_>>().join(", "))
            }
            other => format!("{other:?}"),
        });
    }
    assert_eq!(read, expected);
}

#[tokio::test]
async fn a_node_without_an_answer_has_simulated_nothing() {
    let first: Value = serde_json::from_str(RECORDED.lines().next().unwrap()).unwrap();
    let tx = ready(&first["messages"][0]);
    for (status, answer, why) in [
        (200, json!({"gas_info": {"gas_used": "much"}}), "number"),
        (502, json!({}), "502"),
        (501, json!({"code": 12, "message": "Not Implemented", "details": []}), "501"),
    ] {
        let simulation = asked(&tx, status, answer).await;
        let told = format!("{:?}", effect(&tx, &simulation).verdict);
        assert!(told.starts_with("Untold(") && told.contains(why), "{told}");
    }
    let nowhere = simulate(&SimulationQuestion::new(&tx, &SendingAccess::default()), &ClientOptions::default()).await;
    assert!(matches!(&nowhere.run, SimulatedRun::Untold(why) if why == "no node of the chain is known"), "{nowhere:?}");
}

#[tokio::test]
async fn a_call_on_an_evm_chain_is_tried_and_its_revert_read() {
    let address = |byte| Address::Short([byte; 20]);
    let call = EthereumCall {
        chain_id: 1,
        from: address(1),
        to: address(2),
        value: "5".parse().unwrap(),
        data: vec![1, 2, 3, 4],
        approvals: Vec::new(),
    };
    // Error(string) with "no".
    let reason = format!("0x08c379a0{:064x}{:064x}{:0<64}", 32, 2, alloy_primitives::hex::encode("no"));
    let refusal = |code: i64, message: &str, data: &str| json!({"code": code, "message": message, "data": data});
    for (error, run) in [
        (None, "Ethereum(Ok(21000))".to_owned()),
        (Some(refusal(3, "execution reverted", &reason)), "fails: reverted: “no”".to_owned()),
        (Some(refusal(-32_000, "Reverted", "")), "fails: “Reverted”".to_owned()),
        (Some(refusal(-32_005, "too many requests", "")), "untold".to_owned()),
    ] {
        let replay = Replay::scripted(move |seen, _| {
            let asked: Value = serde_json::from_str(&seen.body).unwrap_or_default();
            assert_eq!(
                (&asked["params"][0]["value"], &asked["params"][0]["data"]),
                (&json!("0x5"), &json!("0x01020304"))
            );
            let answer = match (&error, asked["method"].as_str()) {
                (Some(error), _) => json!({"jsonrpc": "2.0", "id": 1, "error": error}),
                (None, Some("eth_call")) => json!({"jsonrpc": "2.0", "id": 1, "result": "0x"}),
                (None, _) => json!({"jsonrpc": "2.0", "id": 1, "result": "0x5208"}),
            };
            Answer::json(answer.to_string())
        });
        let replay = replay.await;
        let first: Value = serde_json::from_str(RECORDED.lines().next().unwrap()).unwrap();
        let mut tx = ready(&first["messages"][0]);
        tx.form = ReadyForm::Ethereum(call.clone());
        let question = SimulationQuestion {
            url: replay.url().to_owned(),
            ..SimulationQuestion::new(&tx, &SendingAccess::default())
        };
        let simulation = simulate(&question, &ClientOptions::default()).await;
        let told = match (&simulation.run, effect(&tx, &simulation).verdict) {
            (_, SimulatedVerdict::Fails(why)) => format!("fails: {why}"),
            (SimulatedRun::Untold(_), _) => "untold".to_owned(),
            (ran, _) => format!("{ran:?}"),
        };
        assert_eq!(told, run);
    }
}

#[tokio::test]
async fn a_fee_is_short_of_what_the_movements_leave_whatever_the_case_of_its_denom() {
    let moved = Denom::new("evm/B2603c024ddBc15C3FF744CF5ED70B67f5F7C89A");
    let record: Value = serde_json::from_str(RECORDED.lines().nth(4).unwrap()).unwrap();
    let tx = ready(&record["messages"][0]);
    let mut simulation = asked(&tx, 200, record["answer"].clone()).await;
    let coins = vec![Coin { denom: moved.clone(), amount: Amount::from(6) }];
    assert_eq!(simulation.held.map(|held| held.height.map(Height::get)), Some(Some(31)), "the header tells it");
    simulation.held = Some(HeldCoins { coins, height: Height::new(31) });
    let price = GasPrice::new(Denom::new(moved.as_str().to_lowercase()), "1").unwrap();
    let trust = ChainTrust { fees: vec![price.into()], ..ChainTrust::default() };
    let access = SendingAccess { trust, ..SendingAccess::default() };
    let effect = SimulatedEffect::of(&tx, &access, &simulation, &Glossary::default());
    assert_eq!(effect.shortfall.as_ref().unwrap().left, Amount::from(1), "5 of 6 leave");
    let balance = |simulation: &TxSimulation| {
        let lines = simulation_lines(&effect, simulation, &tx, false, &PlainNames);
        lines.into_iter().find(|line| line.name == "Balance").map(|line| line.text).unwrap_or_default()
    };
    assert!(balance(&simulation).contains(" at height 31, "), "{}", balance(&simulation));
    simulation.held = Some(HeldCoins::default());
    assert!(balance(&simulation).contains(" now, "), "{}", balance(&simulation));
}
