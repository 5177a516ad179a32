//! What an Ethereum wallet signs and posts to the JSON-RPC of the EVM rollup.

use alloy_primitives::{U256, hex, keccak256};
use rollscope::{
    demo::{
        Rollup,
        posted::{AccessEntry, EthereumPayload, PostedTx, ethereum_chain_id},
    },
    domain::{Address, Vm},
    wire::proto::decode_tx,
};
use serde_json::{Value, json};

use super::{Scene, Signer};
use crate::{
    harness::{chain_of, recording::Recording},
    server::client::{ANYWHERE, Server},
};

const PRICE: u128 = 5_000_000_000;
const GAS: u64 = 150_000;

/// What the node answers to a question, with its error where it has one.
async fn ask(scene: &Scene, method: &str, params: Value) -> Value {
    let question = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    scene.server.post("/node/json-rpc", &question).await.json()
}

async fn eth(scene: &Scene, method: &str, params: Value) -> Value {
    let answer = ask(scene, method, params).await;
    assert!(answer.get("error").is_none(), "{method}: {answer}");
    answer["result"].clone()
}

fn number(hex: &Value) -> U256 {
    let text = hex.as_str().expect("hex");
    U256::from_str_radix(text.trim_start_matches("0x"), 16).expect("a number")
}

async fn held(scene: &Scene, account: &str) -> U256 {
    number(&eth(scene, "eth_getBalance", json!([account, "latest"])).await)
}

async fn nonce(scene: &Scene, tag: &str) -> u64 {
    number(&eth(scene, "eth_getTransactionCount", json!([scene.signer.hex(), tag])).await).to()
}

/// A payment; the signature is still nobody's.
fn payment(nonce: u64, to: [u8; 20], value: u128) -> EthereumPayload {
    EthereumPayload {
        kind: 2,
        chain_id: ethereum_chain_id("rollscope-evm-1"),
        nonce,
        tip: 1,
        fee_cap: PRICE,
        gas: GAS,
        to: Some(to),
        value: U256::from(value),
        input: Vec::new(),
        access_list: Vec::new(),
        signature: [0; 65],
    }
}

fn call(nonce: u64, token: &str, signature: &str, words: &[[u8; 32]]) -> EthereumPayload {
    let to = hex::decode_to_array(token).expect("an address");
    EthereumPayload { input: data(signature, words), ..payment(nonce, to, 0) }
}

fn data(signature: &str, words: &[[u8; 32]]) -> Vec<u8> {
    [&keccak256(signature)[..4], &words.concat()].concat()
}

fn word(number: u128) -> [u8; 32] {
    U256::from(number).to_be_bytes()
}

async fn send(scene: &Scene, payload: &EthereumPayload) -> String {
    let raw = scene.signer.sign_payload(payload);
    let hash = eth(scene, "eth_sendRawTransaction", json!([hex::encode_prefixed(&raw)])).await;
    assert_eq!(hash, hex::encode_prefixed(keccak256(&raw)));
    hash.as_str().expect("a hash").to_owned()
}

/// The contract of a token.
async fn contract(scene: &Scene, denom: &str) -> String {
    let path = format!("/node/rest/minievm/evm/v1/contracts/by_denom?denom={}", denom.replace('/', "%2F"));
    scene.server.json(&path).await["address"].as_str().expect("an address").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_of_each_kind_are_taken_and_found_under_both_hashes() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(61)).await;
    let (mine, to) = (scene.signer.hex(), [0x5b; 20]);
    let theirs = Address::Short(to).checksummed();
    for (nth, kind) in (0..).zip([2, 1, 0]) {
        assert_eq!(nonce(&scene, "latest").await, nth);
        let (before, received) = (held(&scene, &mine).await, held(&scene, &theirs).await);
        let entry = AccessEntry { address: [7; 20], storage_keys: vec![[0; 32], [9; 32]] };
        let access_list = if kind == 0 { Vec::new() } else { vec![entry] };
        let tip = if kind == 2 { 3 } else { PRICE * 2 };
        let payload = EthereumPayload { kind, tip, fee_cap: PRICE * 2, access_list, ..payment(nth, to, 1_000) };
        let hash = send(&scene, &payload).await;
        assert_eq!(nonce(&scene, "pending").await, nth + 1);
        assert_eq!(nonce(&scene, "latest").await, nth, "it is in no block yet");
        assert_eq!(eth(&scene, "eth_getTransactionReceipt", json!([hash])).await, Value::Null);
        scene.step(1);
        let receipt = eth(&scene, "eth_getTransactionReceipt", json!([hash])).await;
        assert_eq!((&receipt["status"], &receipt["type"]), (&json!("0x1"), &json!(format!("{kind:#x}"))), "{receipt}");
        assert_eq!((&receipt["from"], &receipt["to"]), (&json!(mine.to_lowercase()), &json!(hex::encode_prefixed(to))));
        let tx = eth(&scene, "eth_getTransactionByHash", json!([hash])).await;
        assert_eq!((number(&tx["nonce"]), number(&tx["value"])), (U256::from(nth), U256::from(1_000)), "{tx}");
        assert_eq!(tx["accessList"].as_array().map(Vec::len), (kind > 0).then_some(1), "{tx}");
        assert_eq!(held(&scene, &theirs).await, received + U256::from(1_000));
        // Half of the gas that is left comes back, and one unit is declared more than is asked.
        let used = number(&receipt["gasUsed"]);
        let paid = U256::from(GAS) - (U256::from(GAS) - used) / U256::from(2);
        let fee = paid * U256::from(PRICE * 2) + U256::from(1);
        assert_eq!(held(&scene, &mine).await, before - U256::from(1_000) - fee);
        both_hashes(&scene, &hash).await;
    }
}

/// The Ethereum hash and the Cosmos hash name one transaction, to the node and to the index.
async fn both_hashes(scene: &Scene, hash: &str) {
    let cosmos = eth(scene, "cosmos_cosmosTxHashByTxHash", json!([hash])).await;
    let cosmos = cosmos.as_str().expect("a hash").to_uppercase();
    assert_eq!(eth(scene, "cosmos_txHashByCosmosTxHash", json!([format!("0x{cosmos}")])).await, json!(hash));
    let found = scene.tx(scene.chain_id(), &cosmos).await;
    assert_eq!(found["tx"]["auth_info"]["signer_infos"][0]["mode_info"]["single"]["mode"], 9_999, "{found}");
    let indexed = scene.server.json(&format!("/indexer/tx/v1/txs/{cosmos}")).await;
    assert_eq!(indexed["tx"]["tx"]["body"], found["tx"]["body"]);
    let receipt = scene.server.json(&format!("/indexer/tx/v1/evm-txs/{hash}")).await;
    assert_eq!(receipt["tx"]["transactionHash"], hash, "{receipt}");
    let mirrored = eth(scene, "cosmos_txHashByCosmosTxHash", json!([format!("0x{}", "0".repeat(64))])).await;
    assert_eq!(mirrored, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_sent_and_allowances_given() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(62)).await;
    let (me, other) = (scene.signer.hex(), Address::Short([0x5c; 20]));
    let token = contract(&scene, scene.bridged().as_str()).await;
    let mine: Address = me.parse().expect("an address");
    let read = async |signature: &str, words: &[[u8; 32]]| {
        let data = hex::encode_prefixed(data(signature, words));
        number(&eth(&scene, "eth_call", json!([{ "to": token, "data": data }, "latest"])).await)
    };
    let before = read("balanceOf(address)", &[mine.word()]).await;
    let transfer = call(0, &token, "transfer(address,uint256)", &[other.word(), word(2_500)]);
    let asked = json!([{ "from": me, "to": token, "data": hex::encode_prefixed(&transfer.input) }]);
    let called = json!([asked[0], "latest"]);
    assert_eq!(number(&eth(&scene, "eth_call", called).await), U256::from(1), "it would return true");
    assert_eq!(read("balanceOf(address)", &[mine.word()]).await, before, "and nothing has moved");
    let gas: u64 = number(&eth(&scene, "eth_estimateGas", asked).await).to();
    let hash = send(&scene, &EthereumPayload { gas, ..transfer }).await;
    let limited = call(1, &token, "approve(address,uint256)", &[other.word(), word(77)]);
    let second = send(&scene, &limited).await;
    scene.step(1);
    let receipt = eth(&scene, "eth_getTransactionReceipt", json!([hash])).await;
    assert_eq!(receipt["status"], "0x1", "{receipt}");
    let topics: Vec<&Value> = receipt["logs"].as_array().expect("logs").iter().map(|log| &log["topics"][0]).collect();
    assert!(
        topics.contains(&&json!(hex::encode_prefixed(keccak256("Transfer(address,address,uint256)")))),
        "{receipt}"
    );
    assert_eq!(eth(&scene, "eth_getTransactionReceipt", json!([second])).await["status"], "0x1");
    assert_eq!(read("balanceOf(address)", &[mine.word()]).await, before - U256::from(2_500));
    assert_eq!(read("balanceOf(address)", &[other.word()]).await, U256::from(2_500));
    let allowance = async || read("allowance(address,address)", &[mine.word(), other.word()]).await;
    assert_eq!(allowance().await, U256::from(77));
    send(&scene, &call(2, &token, "approve(address,uint256)", &[other.word(), [0xff; 32]])).await;
    scene.step(1);
    assert_eq!(allowance().await, U256::MAX);
    send(&scene, &call(3, &token, "approve(address,uint256)", &[other.word(), word(0)])).await;
    scene.step(1);
    assert_eq!(allowance().await, U256::ZERO);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_contract_refuses_is_in_a_block_with_its_reason_and_costs_its_fee() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(63)).await;
    let token = contract(&scene, scene.bridged().as_str()).await;
    let other = Address::Short([0x5d; 20]);
    let transfer = |nonce| call(nonce, &token, "transfer(address,uint256)", &[other.word(), word(u128::MAX)]);
    let asked = json!([{ "from": scene.signer.hex(), "to": token, "data": hex::encode_prefixed(&transfer(0).input) }]);
    for method in ["eth_estimateGas", "eth_call"] {
        let refusal = ask(&scene, method, asked.clone()).await;
        let reason = refusal["error"]["message"].as_str().expect("a sentence");
        assert!(reason.contains("ERC20: transfer amount exceeds balance"), "{method}: {refusal}");
    }
    let unknown = json!([{ "from": scene.signer.hex(), "to": token, "data": "0x12345678" }, "latest"]);
    let refusal = ask(&scene, "eth_call", unknown).await;
    assert!(refusal["error"]["message"].as_str().is_some_and(|why| why.contains("is unknown to it")), "{refusal}");
    let before = held(&scene, &scene.signer.hex()).await;
    let reverted = send(&scene, &transfer(0)).await;
    let starved = send(&scene, &EthereumPayload { gas: 30_000, ..payment(1, [0x5d; 20], 1) }).await;
    scene.step(1);
    for hash in [&reverted, &starved] {
        let receipt = eth(&scene, "eth_getTransactionReceipt", json!([hash])).await;
        assert_eq!(
            (&receipt["status"], receipt["logs"].as_array().map(Vec::len)),
            (&json!("0x0"), Some(0)),
            "{receipt}"
        );
        both_hashes(&scene, hash).await;
    }
    let fees = U256::from(GAS + 30_000) * U256::from(PRICE) + U256::from(2);
    assert_eq!(held(&scene, &scene.signer.hex()).await, before - fees);
    assert_eq!(nonce(&scene, "latest").await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_refused_in_the_words_of_an_ethereum_node() {
    let scene = Scene::of(Vm::Evm, Signer::ethereum(64)).await;
    let token = contract(&scene, scene.bridged().as_str()).await;
    send(&scene, &payment(0, [1; 20], 5)).await;
    let good = payment(1, [1; 20], 5);
    let sign = |payload: &EthereumPayload| scene.signer.sign_payload(payload);
    let stranger = Signer::ethereum(98);
    let mut torn = sign(&good);
    torn.truncate(60);
    let rich = EthereumPayload { value: U256::from(10_u128.pow(30)), ..good.clone() };
    let cases = [
        ("bytes", vec![2, 1, 2], "rlp: "),
        ("nothing", Vec::new(), "typed transaction too short"),
        ("torn", torn, "rlp: value size exceeds available input length"),
        ("kind", vec![3, 0xc0], "transaction type not supported"),
        ("again", sign(&payment(0, [1; 20], 5)), "already known"),
        ("chain", sign(&EthereumPayload { chain_id: 1, ..good.clone() }), "invalid chain id for signer: have 1 want"),
        ("low", sign(&payment(0, [1; 20], 6)), "nonce too low: next nonce 1, tx nonce 0"),
        ("high", sign(&payment(2, [1; 20], 5)), "nonce too high: next nonce 1, tx nonce 2"),
        ("funds", sign(&rich), "insufficient funds for gas * price + value"),
        ("nobody", stranger.sign_payload(&payment(0, [1; 20], 5)), "insufficient funds for gas * price + value"),
        (
            "price",
            sign(&EthereumPayload { fee_cap: PRICE / 2, ..good.clone() }),
            "max fee per gas less than block base fee",
        ),
        (
            "tip",
            sign(&EthereumPayload { tip: PRICE * 3, ..good.clone() }),
            "max priority fee per gas higher than max fee",
        ),
        ("gas", sign(&EthereumPayload { gas: 20_999, ..good.clone() }), "intrinsic gas too low: gas 20999"),
        ("unknown call", sign(&call(1, &token, "mystery(uint256)", &[word(1)])), "does not support the call 0x"),
        ("long call", sign(&call(1, &token, "burn(uint256)", &[word(1), word(2)])), "does not support the call 0x"),
        ("contract", sign(&payment(1, hex::decode_to_array(&token).expect("hex"), 5)), "accepts no payment"),
        (
            "deployment",
            sign(&EthereumPayload { to: None, gas: 900_000, ..good.clone() }),
            "deploys no custom contracts",
        ),
    ];
    let before = held(&scene, &scene.signer.hex()).await;
    for (what, raw, words) in cases {
        let answer = ask(&scene, "eth_sendRawTransaction", json!([hex::encode_prefixed(raw)])).await;
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(words), "{what}: {answer}");
    }
    assert_eq!(held(&scene, &scene.signer.hex()).await, before);
    assert_eq!(nonce(&scene, "pending").await, 1, "nothing else was taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_ethereum_wallet_sent_is_found_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = || {
        let mut options = chain_of(20);
        options.data = Some(folder.path().join("demo.sqlite"));
        options
    };
    let scene = Scene::with(options(), Signer::ethereum(65)).await;
    let hash = send(&scene, &payment(0, [0x5e; 20], 1_234)).await;
    scene.step(2);
    let receipt = eth(&scene, "eth_getTransactionReceipt", json!([hash])).await;
    let Scene { server, facts, signer } = scene;
    drop(server);
    let rollup = Rollup::start(options(), ANYWHERE).expect("it starts again");
    rollup.wait_until_indexed().expect("it indexes");
    let scene = Scene { server: Server::of(rollup), facts, signer };
    assert_eq!(eth(&scene, "eth_getTransactionReceipt", json!([hash])).await, receipt);
    assert_eq!(nonce(&scene, "latest").await, 1);
    both_hashes(&scene, &hash).await;
}

#[test]
fn a_published_transaction_is_read_and_written_as_it_is() {
    // The example of EIP-155.
    let raw = hex!(
        "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe"
        "537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83"
    );
    let read = EthereumPayload::read(&raw, 1).expect("it is good");
    assert_eq!((read.nonce, read.gas, read.fee_cap), (9, 21_000, 20_000_000_000));
    assert_eq!(hex::encode(read.digest()), "daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53");
    let signer = read.signer().expect("it is signed").address().expect("a point");
    assert_eq!(signer.checksummed(), "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F");
    assert_eq!(read.write(), raw);
}

/// Of a real rollup: each Cosmos transaction that Ethereum's wallets signed gives the Ethereum transaction again whose
/// hash its node says.
#[test]
fn recorded_transactions_have_the_hashes_that_their_node_gave_them() {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm);
    let chain_id = ethereum_chain_id("rollreal-2");
    assert_eq!(chain_id, 0x6_cf22_17d3_33dd, "what the node says");
    let mut found = 0;
    for block in &recording.blocks {
        let receipts = block.receipts.as_ref().map_or("", |receipts| receipts.get());
        for raw in block.raw_txs() {
            let json: Value = serde_json::from_str(&decode_tx(&raw).expect("it is read")).expect("JSON");
            let is_ethereum = json["auth_info"]["signer_infos"][0]["mode_info"]["single"]["mode"] == 9_999;
            if !is_ethereum || json["body"]["messages"][0]["@type"] != "/minievm.evm.v1.MsgCall" {
                continue;
            }
            let payload = PostedTx::read(&raw).expect("it is good").ethereum(chain_id).expect("it is whole");
            assert!(receipts.contains(&hex::encode_prefixed(payload.hash())), "block {}: {json}", block.height);
            let denom = rollscope::domain::Denom::new("GAS");
            assert_eq!(payload.to_cosmos(&denom).as_ref(), Ok(&raw), "block {}", block.height);
            found += 1;
        }
    }
    assert!(found > 50, "{found}");
}
