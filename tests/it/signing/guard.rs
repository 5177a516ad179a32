//! A router's messages against the accepted quote: the samples as they are, and each lie that a hostile router could
//! tell.

use rollscope::{
    domain::{Amount, ChainId, Denom, Timestamp},
    signing::{AcceptedQuote, FundsEffect, KnownContracts, ReadyTx, SigningRefusal},
    story::Names,
    wire::router::{MsgsResponse, Route, SignedOpHook},
};
use serde_json::{Value, json};

pub(super) const DEPOSIT: &str = include_str!("../../fixtures/router/msgs-gas-warning-composed.json");
pub(super) const HOOKED: &str = include_str!("../../fixtures/router/msgs-op-deposit-with-hook-cosmos-tx-composed.json");
pub(super) const WITHDRAWAL: &str = include_str!("../../fixtures/router/msgs-op-withdraw-cosmos-tx-composed.json");
pub(super) const PACKETS: &str = include_str!("../../fixtures/router/msgs-ibc-multihop-cosmos-tx-composed.json");
pub(super) const SWAP: &str = include_str!("../../fixtures/router/msgs-swap-move-execute-cosmos-tx-composed.json");
const CIRCLE: &str = include_str!("../../fixtures/router/msgs-cctp-evm-tx-composed.json");
const LAYER_ZERO: &str = include_str!("../../fixtures/router/msgs-layerzero-evm-tx-composed.json");
const THIEF: &str = "init1dvl455wwqnkjs9gj5hpxqqvt3c8l8jatuqrggy";

/// Five minutes before the packets of the samples time out.
pub(super) fn before_timeouts() -> Timestamp {
    Timestamp::from_nanos(1_763_720_100_000_000_000)
}

/// A quote, the addresses that were given for it, and the router's answer.
pub(super) struct Offer {
    pub(super) route: Value,
    pub(super) addresses: Vec<String>,
    hook: Option<Value>,
    pub(super) answer: Value,
}

impl Offer {
    pub(super) fn of_sample(sample: &str) -> Self {
        let sample: Value = serde_json::from_str(sample).expect("a sample is JSON");
        let asked = &sample["request"]["body"];
        let mut route = asked.clone();
        let steps = asked["operations"].as_array().expect("operations");
        let inner = |step: &Value, name: &str| {
            let of_step = step.as_object().expect("an operation").values();
            of_step.filter_map(|inner| inner.get(name)?.as_str()).map(str::to_owned).next()
        };
        let mut chains: Vec<String> = inner(&steps[0], "from_chain_id").into_iter().collect();
        chains.extend(steps.iter().filter_map(|step| inner(step, "to_chain_id")));
        route["required_chain_addresses"] = json!(chains);
        let is_swap = steps.iter().any(|step| step.get("swap").is_some());
        route["does_swap"] = json!(is_swap);
        route["required_op_hook"] = json!(asked.get("signed_op_hook").is_some());
        let addresses = serde_json::from_value(asked["address_list"].clone()).expect("addresses");
        let hook = asked.get("signed_op_hook").cloned();
        Self { route, addresses, hook, answer: sample["response"]["body"].clone() }
    }

    pub(super) fn compare(&self) -> Result<Vec<ReadyTx>, SigningRefusal> {
        let route: Route = serde_json::from_value(self.route.clone()).expect("a route");
        let answer: MsgsResponse = serde_json::from_str(&self.answer.to_string()).expect("an answer");
        let hook: Option<SignedOpHook> =
            self.hook.as_ref().map(|hook| serde_json::from_str(&hook.to_string()).expect("a hook"));
        let slippage =
            self.route["slippage_tolerance_percent"].as_str().unwrap_or("0.5").parse().expect("a percentage");
        let known = KnownContracts::built_in();
        let (addresses, hook, now) = (&self.addresses, hook.as_ref(), before_timeouts());
        AcceptedQuote { route: &route, addresses, slippage, hook, known, now }.compare(&answer)
    }

    pub(super) fn with_text(mut self, change: impl Fn(&str) -> String) -> Self {
        let msg = &mut self.answer["txs"][0]["cosmos_tx"]["msgs"][0]["msg"];
        *msg = json!(change(msg.as_str().expect("a message is text")));
        self
    }

    pub(super) fn with(self, pointer: &str, value: &Value) -> Self {
        let msg = self.answer["txs"][0]["cosmos_tx"]["msgs"][0]["msg"].as_str().expect("text").to_owned();
        let mut fields: Value = serde_json::from_str(&msg).expect("a message is JSON");
        match fields.pointer_mut(pointer) {
            Some(field) => *field = value.clone(),
            None => fields[pointer.trim_start_matches('/')] = value.clone(),
        }
        self.with_text(|_| fields.to_string())
    }

    pub(super) fn text(&self) -> String {
        self.answer["txs"][0]["cosmos_tx"]["msgs"][0]["msg"].as_str().unwrap_or_default().to_owned()
    }
}

/// Chains and denoms as they are.
pub(super) struct PlainNames;

impl Names for PlainNames {
    fn chain(&self, chain: &ChainId) -> String {
        chain.to_string()
    }

    fn amount(&self, _: &ChainId, denom: &Denom, amount: Amount) -> String {
        format!("{amount} {denom}")
    }

    fn denom(&self, _: &ChainId, denom: &Denom) -> String {
        denom.to_string()
    }
}

pub(super) fn refused(offer: &Offer) -> SigningRefusal {
    offer.compare().expect_err("a lie is not offered")
}

#[test]
fn honest_samples_are_ready_to_be_signed() {
    for sample in [DEPOSIT, HOOKED, WITHDRAWAL, PACKETS, SWAP] {
        let offer = Offer::of_sample(sample);
        let ready = offer.compare().unwrap();
        assert_eq!((ready.len(), ready[0].effects.len()), (1, 1));
        assert_eq!(ready[0].receiver, *offer.addresses.last().unwrap());
    }
    let ready = Offer::of_sample(SWAP).compare().unwrap();
    let FundsEffect::Swap { amount, least, .. } = ready[0].effects[0] else { panic!("{ready:?}") };
    assert_eq!((amount, least), (Amount::from(90_000_000_000), Some(Amount::from(8_176_367_745))));
}

#[test]
fn what_cannot_be_decoded_is_named_and_not_offered() {
    for (sample, name) in [(CIRCLE, "a call of 0xcbb12ff8 at 0x3333"), (LAYER_ZERO, "a call of 0x6a5282d0 at 0x66a5")] {
        let refusal = refused(&Offer::of_sample(sample));
        assert!(matches!(refusal, SigningRefusal::Undecodable(_)) && refusal.to_string().contains(name), "{refusal}");
    }
    let swap = || Offer::of_sample(SWAP);
    for (pointer, value) in
        [("/function_name", json!("swap_all")), ("/module_name", json!("dex2")), ("/args", json!([]))]
    {
        let refusal = refused(&swap().with(pointer, &value));
        assert!(matches!(refusal, SigningRefusal::Undecodable(_)), "{refusal}");
    }
    let other = refused(&swap().with("/module_address", &json!("0x2")));
    assert!(other.to_string().contains("0x2::dex::swap_script"), "{other}");
    let field = refused(&swap().with("/gift", &json!("all")));
    assert!(matches!(field, SigningRefusal::Message(_)) && field.to_string().contains("gift"), "{field}");
}

#[test]
fn another_receiver_is_refused_wherever_it_stands() {
    for (sample, pointer) in [(DEPOSIT, "/to"), (HOOKED, "/to"), (WITHDRAWAL, "/to"), (PACKETS, "/receiver")] {
        let refusal = refused(&Offer::of_sample(sample).with(pointer, &json!(THIEF)));
        assert!(matches!(&refusal, SigningRefusal::Receiver { found, .. } if found == THIEF), "{refusal}");
    }
    let honest = "noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv";
    let refusal = refused(&Offer::of_sample(PACKETS).with_text(|msg| msg.replace(honest, "noble1thief")));
    assert!(matches!(&refusal, SigningRefusal::Receiver { found, .. } if found == "noble1thief"), "{refusal}");
    let refusal = refused(&Offer::of_sample(PACKETS).with("/memo", &json!("")));
    assert!(matches!(refusal, SigningRefusal::Step { .. }), "it would stop half way: {refusal}");
    let refusal = refused(&Offer::of_sample(SWAP).with("/sender", &json!(THIEF)));
    assert!(matches!(refusal, SigningRefusal::Signer { .. }), "{refusal}");
}

#[test]
fn another_asset_and_a_larger_amount_are_refused() {
    for (sample, denom, amount) in [
        (DEPOSIT, "/amount/denom", "/amount/amount"),
        (WITHDRAWAL, "/amount/denom", "/amount/amount"),
        (PACKETS, "/token/denom", "/token/amount"),
    ] {
        let refusal = refused(&Offer::of_sample(sample).with(denom, &json!("uusdc")));
        assert!(matches!(&refusal, SigningRefusal::SourceAsset { found, .. } if found == "uusdc"), "{refusal}");
        let refusal = refused(&Offer::of_sample(sample).with(amount, &json!("999999999")));
        assert!(matches!(refusal, SigningRefusal::AmountAbove { .. }), "{refusal}");
        let refusal = refused(&Offer::of_sample(sample).with(amount, &json!("1")));
        assert!(matches!(refusal, SigningRefusal::AmountBelow { .. }), "less would arrive than quoted: {refusal}");
    }
    let sold = json!([
        "VDs1o5z62tPaPCMknEdEVdFe/S+U+ElHMibe6KPHqeE=",
        "VDs1o5z62tPaPCMknEdEVdFe/S+U+ElHMibe6KPHqeE=",
        "AARr9BQAAAA=",
        "AYF4WecBAAAA"
    ]);
    assert!(matches!(refused(&Offer::of_sample(SWAP).with("/args", &sold)), SigningRefusal::SourceAsset { .. }));
}

#[test]
fn a_lower_minimum_is_refused() {
    for least in ["AA==", "AQEAAAAAAAAA"] {
        let refusal = refused(&Offer::of_sample(SWAP).with("/args/3", &json!(least)));
        assert!(matches!(refusal, SigningRefusal::MinimumBelow { .. }), "{refusal}");
    }
    let mut offer = Offer::of_sample(DEPOSIT);
    offer.answer["min_amount_out"] = json!("14999999");
    let refusal = refused(&offer);
    let (least, found) = (Amount::from(15_000_000), Some(Amount::from(14_999_999)));
    assert_eq!(refusal, SigningRefusal::MinimumBelow { least, found });
}

#[test]
fn another_way_chain_or_count_is_refused() {
    let way = |offer: Offer| matches!(refused(&offer), SigningRefusal::Step { .. });
    assert!(way(Offer::of_sample(DEPOSIT).with("/bridge_id", &json!("13"))));
    assert!(way(Offer::of_sample(PACKETS).with("/source_channel", &json!("channel-9"))));
    assert!(way(Offer::of_sample(PACKETS).with_text(|msg| msg.replace("channel-3", "channel-4"))));
    let mut offer = Offer::of_sample(DEPOSIT);
    offer.answer["txs"][0]["cosmos_tx"]["chain_id"] = json!("evil-1");
    assert_eq!(
        refused(&offer),
        SigningRefusal::Chain { quoted: ChainId::new("interwoven-1"), found: ChainId::new("evil-1") }
    );
    let mut offer = Offer::of_sample(DEPOSIT);
    let tx = offer.answer["txs"][0].clone();
    offer.answer["txs"] = json!([tx, tx]);
    assert_eq!(refused(&offer), SigningRefusal::Count { quoted: 1, found: 2 });
    let mut offer = Offer::of_sample(DEPOSIT);
    let message = offer.answer["txs"][0]["cosmos_tx"]["msgs"][0].clone();
    offer.answer["txs"][0]["cosmos_tx"]["msgs"] = json!([message, message]);
    assert!(way(offer), "twice the same");
    let mut offer = Offer::of_sample(WITHDRAWAL);
    offer.answer["txs"][0]["cosmos_tx"]["msgs"][0]["msg_type_url"] = json!("/cosmos.authz.v1beta1.MsgGrant");
    assert!(refused(&offer).to_string().contains("cosmos.authz.v1beta1.MsgGrant"));
}

#[test]
fn only_the_hook_that_was_signed_goes_along() {
    assert_eq!(refused(&Offer::of_sample(HOOKED).with("/data", &json!("AAAA"))), SigningRefusal::Hook);
    assert_eq!(refused(&Offer::of_sample(HOOKED).with("/data", &json!(""))), SigningRefusal::Hook);
    assert_eq!(refused(&Offer::of_sample(DEPOSIT).with("/data", &json!("AAAA"))), SigningRefusal::Hook);
}

#[test]
fn memos_with_anything_unknown_are_refused() {
    let memo = Offer::of_sample(PACKETS).text();
    assert!(memo.contains("forward"));
    for (from, to) in [
        (r#"\"forward\":{"#, r#"\"wasm\":{\"contract\":\"c\"},\"forward\":{"#),
        (r#"\"retries\":2"#, r#"\"refund\":2"#),
        (r#"\"retries\":2"#, r#"\"Receiver\":\"noble1thief\""#),
        (r#"\"next\":null"#, r#"\"next\":{\"wasm\":{\"contract\":\"c\",\"msg\":{}}}"#),
        (r#"\"port\":\"transfer\""#, r#"\"port\":\"wasm.noble1thief\""#),
    ] {
        let offer = Offer::of_sample(PACKETS).with_text(|msg| msg.replacen(from, to, 1));
        assert_ne!(offer.text(), memo, "{from}");
        let refusal = refused(&offer);
        assert!(matches!(refusal, SigningRefusal::Undecodable(_)), "{to}: {refusal}");
    }
    let noted = Offer::of_sample(DEPOSIT);
    assert_eq!(noted.compare().unwrap()[0].source, Denom::new("uinit"));
}

mod ethereum_tests {
    use alloy_primitives::{U256, hex, keccak256};

    use super::*;

    const ME: &str = "0x294fAc7D33Ac5250DBa7f3f233766637Ac18Ff69";
    const TOKEN: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
    const OTHER: &str = "0x4444444444444444444444444444444444444444";
    const MINE_THERE: &str = "noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv";

    fn word(number: u64) -> String {
        hex::encode(U256::from(number).to_be_bytes::<32>())
    }

    fn account(text: &str) -> String {
        let bytes = rollscope::signing::account_of(text).expect("an account");
        hex::encode(bytes.word())
    }

    fn burn(amount: u64, recipient: &str, token: &str) -> String {
        let selector = hex::encode(&keccak256("depositForBurn(uint256,uint32,bytes32,address)")[..4]);
        [selector, word(amount), word(4), account(recipient), account(token)].concat()
    }

    /// A burn of 500 USDC on Ethereum for one's own account on Noble.
    fn offer() -> Offer {
        let mut offer = Offer::of_sample(CIRCLE);
        offer.route["operations"].as_array_mut().expect("operations").truncate(1);
        let out = json!("499588000");
        offer.route["amount_out"] = out.clone();
        offer.route["dest_asset_chain_id"] = json!("noble-1");
        offer.route["dest_asset_denom"] = json!("uusdc");
        offer.route["required_chain_addresses"] = json!(["1", "noble-1"]);
        offer.addresses = vec![ME.to_owned(), MINE_THERE.to_owned()];
        offer.answer["min_amount_out"] = out;
        offer.answer["txs"][0]["evm_tx"]["data"] = json!(burn(500_000_000, MINE_THERE, TOKEN));
        offer
    }

    fn with(field: &str, value: Value) -> Offer {
        let mut offer = offer();
        *offer.answer.pointer_mut(&format!("/txs/0/evm_tx{field}")).expect("a field") = value;
        offer
    }

    #[test]
    fn an_honest_burn_is_ready_with_its_allowance() {
        let ready = offer().compare().unwrap();
        let [FundsEffect::Allowance { amount, .. }, FundsEffect::Burn(burn)] = &ready[0].effects[..] else {
            panic!("{ready:?}")
        };
        assert_eq!((*amount, burn.amount), (Amount::from(500_000_000), Amount::from(500_000_000)));
    }

    #[test]
    fn each_lie_is_refused_as_what_it_is() {
        let refusal = refused(&with("/data", json!(burn(500_000_000, OTHER, TOKEN))));
        assert!(matches!(refusal, SigningRefusal::Receiver { .. }), "{refusal}");
        let refusal = refused(&with("/data", json!(burn(500_000_001, MINE_THERE, TOKEN))));
        assert!(matches!(refusal, SigningRefusal::AmountAbove { .. }), "{refusal}");
        let refusal = refused(&with("/data", json!(burn(500_000_000, MINE_THERE, OTHER))));
        assert!(matches!(refusal, SigningRefusal::SourceAsset { .. }), "{refusal}");
        for value in ["1", "10000000000000000000"] {
            let refusal = refused(&with("/value", json!(value)));
            assert!(matches!(refusal, SigningRefusal::AmountAbove { .. }), "a burn takes no value: {refusal}");
        }
        let refusal = refused(&with("/chain_id", json!("137")));
        assert!(matches!(refusal, SigningRefusal::Chain { .. }), "{refusal}");
        let refusal = refused(&with("/signer_address", json!(OTHER)));
        assert!(matches!(refusal, SigningRefusal::Signer { .. }), "{refusal}");
        let refusal = refused(&with("/required_erc20_approvals/0/spender", json!(OTHER)));
        assert!(matches!(refusal, SigningRefusal::Spender { .. }), "{refusal}");
        let refusal = refused(&with("/required_erc20_approvals/0/amount", json!("500000001")));
        assert!(matches!(refusal, SigningRefusal::AllowanceAmount { .. }), "{refusal}");
        let refusal = refused(&with("/required_erc20_approvals/0/token_contract", json!(OTHER)));
        assert!(matches!(refusal, SigningRefusal::SourceAsset { .. }), "{refusal}");
    }

    #[test]
    fn an_odd_encoding_and_other_functions_are_not_understood() {
        let honest = burn(500_000_000, MINE_THERE, TOKEN);
        let selector = |name: &str| hex::encode(&keccak256(name)[..4]);
        let unlimited = [selector("approve(address,uint256)"), account(OTHER), "f".repeat(64)].concat();
        let dirty = honest.replacen(&word(4), &format!("ff{}", &word(4)[2..]), 1);
        for data in [format!("{honest}00"), dirty, selector("setApprovalForAll(address,bool)")] {
            let refusal = refused(&with("/data", json!(data)));
            assert!(matches!(refusal, SigningRefusal::Undecodable(_)), "{refusal}");
        }
        let refusal = refused(&with("/data", json!(unlimited)));
        assert!(matches!(refusal, SigningRefusal::Step { .. }), "an allowance is no burn: {refusal}");
        let refusal = refused(&with("/data", json!("")));
        assert!(matches!(refusal, SigningRefusal::Step { .. }), "{refusal}");
    }
}
