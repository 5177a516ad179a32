//! Contracts that a router names: each known one passes with the call that it is for, and a router that swaps callee,
//! spender, receiver, amount or chain is found out.

use alloy_primitives::{U256, hex, keccak256};
use rollscope::{
    domain::{Address, Amount, ChainId},
    signing::{
        AcceptedQuote, ContractPart, ContractSource, ContractUse, ContractVerdict, FundsEffect, KnownContracts,
        ReadyTx, SigningRefusal, account_of,
    },
    story::{Style, signing_sentences, text_of},
    wire::router::{MsgsResponse, Route},
};
use serde_json::{Value, json};

use super::guard::PlainNames;

const ME: &str = "0x294fAc7D33Ac5250DBa7f3f233766637Ac18Ff69";
const THIEF: &str = "0x4444444444444444444444444444444444444444";
const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const AMOUNT: u64 = 500_000_000;
const FEE: u64 = 400_000;
/// Skip's relayer on Noble, which alone finishes what its contract sends there.
const RELAYER: &str = "0x691cf4641d5608f085b2c1921172120bb603d074";

/// The contracts that the person has to confirm.
pub(super) fn unknown(ready: &ReadyTx) -> impl Iterator<Item = &ContractUse> {
    ready.contracts.iter().filter(|contract| contract.verdict == ContractVerdict::Unknown)
}

fn word(number: u64) -> String {
    hex::encode(U256::from(number).to_be_bytes::<32>())
}

fn account(text: &str) -> String {
    hex::encode(account_of(text).expect("an account").word())
}

fn call(signature: &str, words: &[String]) -> String {
    [hex::encode(&keccak256(signature)[..4]), words.concat()].concat()
}

/// What a protocol's contract is called with, and the step of the quote that it does.
#[derive(Clone, Debug)]
struct Called {
    chain: String,
    contract: String,
    step: Value,
    denom: &'static str,
    data: String,
    value: u64,
    taken: u64,
    to: &'static str,
    arrives: u64,
}

/// An account on the chain where it arrives.
fn mine_on(chain: &str) -> String {
    match chain {
        "noble-1" => "noble10jr5un2e6jnpyaqqhzsq9j4luu0l4rg5s3qutv".to_owned(),
        "osmosis-1" => "osmo1x8ad0zyw52mvndh7hlnafrg0gt284ga7syxplu".to_owned(),
        "interwoven-1" => "init19986clfn43f9pka870erxanxx7kp3lmfcrz898".to_owned(),
        _ => ME.to_owned(),
    }
}

impl Called {
    fn burn(chain: &str, contract: &str, (signature, more): (&str, &[String]), (taken, arrives): (u64, u64)) -> Self {
        let burnt = if signature.starts_with("request") { arrives } else { taken };
        let burnt = if signature.contains("uint256,uint256,uint32") { AMOUNT } else { burnt };
        let words = [word(burnt), word(4), account(&mine_on("noble-1")), account(USDC)];
        let data = call(signature, &[words.as_slice(), more].concat());
        Self {
            chain: chain.to_owned(),
            contract: contract.to_owned(),
            step: json!({"cctp_transfer": {}}),
            denom: USDC,
            data,
            value: 0,
            taken,
            to: "noble-1",
            arrives,
        }
    }

    fn first_version(chain: &str, contract: &str) -> Self {
        Self::burn(chain, contract, ("depositForBurn(uint256,uint32,bytes32,address)", &[]), (AMOUNT, AMOUNT))
    }

    fn second_version(chain: &str, contract: &str) -> Self {
        let more = [word(0), word(FEE), word(2000)];
        let signature = "depositForBurn(uint256,uint32,bytes32,address,bytes32,uint256,uint32)";
        Self::burn(chain, contract, (signature, &more), (AMOUNT, AMOUNT - FEE))
    }

    fn relayed(chain: &str, contract: &str) -> Self {
        let signature = "requestCCTPTransferWithCaller(uint256,uint32,bytes32,address,uint256,bytes32)";
        Self::burn(chain, contract, (signature, &[word(FEE), account(RELAYER)]), (AMOUNT, AMOUNT - FEE))
    }

    fn order(chain: &str, contract: &str, domain: u64, to: &'static str) -> Self {
        let words = [
            account(ME),
            account(&mine_on(to)),
            word(AMOUNT),
            word(AMOUNT - FEE),
            word(domain),
            word(1_763_720_400),
            word(7 * 32),
            word(0),
        ];
        let data = call("submitOrder(bytes32,bytes32,uint256,uint256,uint32,uint64,bytes)", &words);
        let step = json!({"go_fast_transfer": {}});
        let first = Self::first_version(chain, contract);
        Self { step, data, to, arrives: AMOUNT - FEE, ..first }
    }

    fn message(chain: &str, contract: &str) -> Self {
        let words = [
            // Where the struct begins, the fee, and who gets back what is left of it.
            word(4 * 32),
            word(FEE),
            word(0),
            account(ME),
            word(30_326),
            account(&mine_on("interwoven-1")),
            word(AMOUNT),
            word(AMOUNT),
            word(7 * 32),
            word(8 * 32),
            word(9 * 32),
            word(0),
            word(0),
            word(0),
        ];
        let signature = "send((uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)";
        Self {
            step: json!({"layer_zero_transfer": {"messaging_fee_amount": FEE.to_string()}}),
            denom: "ethereum-native",
            data: call(signature, &words),
            value: AMOUNT + FEE,
            taken: 0,
            to: "interwoven-1",
            arrives: AMOUNT / 1_000,
            ..Self::first_version(chain, contract)
        }
    }

    fn compare_by(&self, known: &KnownContracts) -> Result<ReadyTx, SigningRefusal> {
        let mut step = self.step.clone();
        let inner = step.as_object_mut().and_then(|step| step.values_mut().next()).expect("one key");
        // Circle mints its own coin on Noble.
        let out = if self.to == "noble-1" { "uusdc" } else { "x" };
        let ends =
            json!({"from_chain_id": self.chain, "to_chain_id": self.to, "denom_in": self.denom, "denom_out": out});
        inner.as_object_mut().expect("an object").extend(ends.as_object().cloned().expect("an object"));
        let (sent, arrives) = (json!(AMOUNT.to_string()), json!(self.arrives.to_string()));
        step["amount_in"] = sent.clone();
        step["amount_out"] = arrives.clone();
        let route: Route = serde_json::from_value(json!({
            "amount_in": sent, "amount_out": arrives, "operations": [step],
            "source_asset_chain_id": self.chain, "source_asset_denom": self.denom,
            "dest_asset_chain_id": self.to, "dest_asset_denom": out,
            "required_chain_addresses": [self.chain, self.to], "txs_required": 1,
        }))
        .expect("a route");
        let approval = json!({"token_contract": USDC, "spender": self.contract, "amount": self.taken.to_string()});
        let approvals = if self.taken > 0 { json!([approval]) } else { json!([]) };
        let answer: MsgsResponse = serde_json::from_value(json!({"txs": [{"evm_tx": {
            "chain_id": self.chain, "to": self.contract, "value": self.value.to_string(), "data": self.data,
            "required_erc20_approvals": approvals, "signer_address": ME,
        }}]}))
        .expect("an answer");
        let addresses = [ME.to_owned(), mine_on(self.to)];
        let slippage = "0.5".parse().expect("half a percent");
        let (addresses, now) = (&addresses, super::guard::before_timeouts());
        let quote = AcceptedQuote { route: &route, addresses, slippage, hook: None, known, now };
        quote.compare(&answer).map(|mut ready| ready.remove(0))
    }

    fn compare(&self) -> Result<ReadyTx, SigningRefusal> {
        self.compare_by(KnownContracts::built_in())
    }

    fn refused(&self, from: &str, to: &str) -> SigningRefusal {
        let data = self.data.replacen(from, to, 1);
        assert_ne!(data, self.data, "{from}");
        Self { data, ..self.clone() }.compare().expect_err("a lie is not offered")
    }
}

/// The rows of the registry: chain, contract, name.
fn rows() -> Vec<(String, String, String)> {
    let text = include_str!("../../../assets/contracts.tsv");
    let cells = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let contracts = cells.filter(|cells| cells.first() == Some(&"contract"));
    contracts.map(|cells| (cells[1].to_owned(), cells[2].to_owned(), cells[3].to_owned())).collect()
}

fn called_by(chain: &str, contract: &str, name: &str) -> Option<Called> {
    Some(match name {
        "Circle's TokenMessenger" | "the embedded chains' TokenMessenger" => Called::first_version(chain, contract),
        "Circle's TokenMessengerV2" => Called::second_version(chain, contract),
        "Skip's CCTP relayer" | "the embedded chains' CCTP relayer" => Called::relayed(chain, contract),
        "Skip's Go Fast" => Called::order(chain, contract, 875, "osmosis-1"),
        "the embedded chains' Go Fast" => Called::order(chain, contract, 4, "noble-1"),
        "Initia's ETH adapter of LayerZero" => Called::message(chain, contract),
        // Of chains of CosmWasm: below.
        "Skip's swap entry point" => return None,
        other => panic!("nothing calls {other}"),
    })
}

#[test]
fn each_known_contract_passes_with_the_call_that_it_is_for_and_its_neighbour_is_not_known() {
    let mut count = 0;
    for (chain, contract, name) in rows() {
        let Some(called) = called_by(&chain, &contract, &name) else { continue };
        let ready = called.compare().unwrap_or_else(|refusal| panic!("{name} on {chain}: {refusal}"));
        assert!(ready.contracts.iter().any(|it| it.part == ContractPart::Called), "{name}");
        assert_eq!(unknown(&ready).count(), 0, "{name} on {chain}: {:?}", ready.contracts);
        let first = &signing_sentences(&ready, &PlainNames)[0];
        assert!(!text_of(&first.phrases, Style::Exact).contains("UNKNOWN"), "{name}");
        // A router that names its own contract as callee and spender, with everything else as it was.
        let mut swapped = called_by(&chain, THIEF, &name).expect("the same call");
        swapped.contract = THIEF.to_owned();
        let ready = swapped.compare().expect("all that is compared fits");
        let unknown: Vec<ContractPart> = unknown(&ready).map(|it| it.part).collect();
        assert!(unknown.contains(&ContractPart::Called), "{name}: {unknown:?}");
        assert_eq!(unknown.contains(&ContractPart::Spender), called.taken > 0, "{name}");
        let first = &signing_sentences(&ready, &PlainNames)[0];
        let first = text_of(&first.phrases, Style::Exact);
        assert!(first.starts_with("UNKNOWN: ") && first.contains(THIEF), "{first}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn a_known_contract_of_another_chain_is_not_known() {
    let on_base = Called::first_version("8453", "0xBd3fa81B58Ba92a82136038B25aDec7066af3155");
    assert_eq!(unknown(&on_base.compare().unwrap()).count(), 2);
}

#[test]
fn the_persons_word_and_the_chains_count_as_what_they_are() {
    let called = Called::first_version("1", THIEF);
    let thief: Address = THIEF.parse().unwrap();
    let sources = |known: &KnownContracts| -> Vec<ContractVerdict> {
        called.compare_by(known).unwrap().contracts.into_iter().map(|it| it.verdict).collect()
    };
    let trusting = KnownContracts::built_in().clone().trusting([(ChainId::new("1"), thief)]);
    let elsewhere = KnownContracts::built_in().clone().trusting([(ChainId::new("8453"), thief)]);
    assert!(sources(&elsewhere).iter().all(|verdict| *verdict == ContractVerdict::Unknown));
    let by_person =
        |verdict: &ContractVerdict| matches!(verdict, ContractVerdict::Known { source: ContractSource::Person, .. });
    assert!(sources(&trusting).iter().all(by_person));
    let chain = KnownContracts::default().with(ChainId::new("1"), thief, "wrapper", ContractSource::Chain);
    // Without the registry no number of a chain is known either.
    assert!(matches!(called.compare_by(&chain), Err(SigningRefusal::Step { .. })));
    let mut ready = called.compare().unwrap();
    ready.accept_contracts();
    assert_eq!(unknown(&ready).count(), 0);
    assert!(ready.contracts.iter().all(|it| it.verdict == ContractVerdict::Accepted && it.is_unknown()));
}

#[test]
fn a_burn_in_each_form_is_refused_with_each_lie() {
    let messenger = "0xBd3fa81B58Ba92a82136038B25aDec7066af3155";
    let forms = [
        Called::first_version("1", messenger),
        Called::second_version("1", messenger),
        Called::relayed("1", messenger),
    ];
    let mine = account(&mine_on("noble-1"));
    for form in forms {
        let refusal = form.refused(&mine, &account(THIEF));
        assert!(matches!(refusal, SigningRefusal::Receiver { .. }), "{refusal}");
        // The same bytes on a chain where nobody has the key.
        let refusal = form.refused(&format!("{}{mine}", word(4)), &format!("{}{mine}", word(6)));
        assert!(matches!(refusal, SigningRefusal::Step { .. }), "{refusal}");
        let refusal = form.refused(&format!("{}{mine}", word(4)), &format!("{}{mine}", word(99)));
        assert!(refusal.to_string().contains("with number 99"), "{refusal}");
        let refusal = form.refused(&account(USDC), &account(THIEF));
        assert!(matches!(refusal, SigningRefusal::SourceAsset { .. }), "{refusal}");
    }
}

#[test]
fn fees_that_eat_the_amount_are_refused() {
    let messenger = "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d";
    let refusal = Called::second_version("1", messenger).refused(&word(FEE), &word(AMOUNT - 1));
    assert!(matches!(refusal, SigningRefusal::MinimumBelow { .. }), "Circle's fee: {refusal}");
    let relayer = "0xBC8552339dA68EB65C8b88B414B5854E0E366cFc";
    let burn = Called::relayed("1", relayer);
    let (honest, lie) = ([word(AMOUNT - FEE), word(FEE)], [word(FEE), word(AMOUNT - FEE)]);
    let data = burn.data.replacen(&honest[0], &lie[0], 1).replacen(
        &format!("{}{}", honest[1], account(RELAYER)),
        &format!("{}{}", lie[1], account(RELAYER)),
        1,
    );
    let refusal = Called { data, ..burn.clone() }.compare().unwrap_err();
    assert!(matches!(refusal, SigningRefusal::MinimumBelow { .. }), "the relayer's: {refusal}");
    // Anybody may finish it; somebody unknown alone may not without a yes.
    let data = burn.data.replacen(&account(RELAYER), &word(0), 1);
    assert_eq!(unknown(&Called { data, ..burn.clone() }.compare().unwrap()).count(), 0);
    let data = burn.data.replacen(&account(RELAYER), &account(THIEF), 1);
    let ready = Called { data, ..burn }.compare().unwrap();
    let unknown: Vec<_> = unknown(&ready).map(|it| (it.part, it.chain_id.as_str().to_owned())).collect();
    assert_eq!(unknown, [(ContractPart::Finisher, "noble-1".to_owned())]);
}

#[test]
fn an_order_and_a_message_are_refused_with_each_lie() {
    let order = Called::order("42161", "0x23cb6147e5600c23d1fb5543916d3d5457c9b54c", 875, "osmosis-1");
    let refusal = order.refused(&account(&mine_on("osmosis-1")), &account(THIEF));
    assert!(matches!(refusal, SigningRefusal::Receiver { .. }), "{refusal}");
    let refusal = order.refused(&account(ME), &account(THIEF));
    assert!(matches!(refusal, SigningRefusal::Signer { .. }), "who gets it back: {refusal}");
    assert!(matches!(order.refused(&word(AMOUNT - FEE), &word(1)), SigningRefusal::MinimumBelow { .. }));
    assert!(matches!(order.refused(&word(875), &word(1)), SigningRefusal::Step { .. }));

    let message = Called::message("1", "0x66a503A1060Ab3F2b1aAABed613Fe30babBC1bDE");
    let ready = message.compare().unwrap();
    let [FundsEffect::Message { amount, fee, .. }] = ready.effects[..] else { panic!("{ready:?}") };
    assert_eq!((amount, fee), (Amount::from(u128::from(AMOUNT)), Amount::from(u128::from(FEE))));
    let refusal = message.refused(&account(&mine_on("interwoven-1")), &account(THIEF));
    assert!(matches!(refusal, SigningRefusal::Receiver { .. }), "{refusal}");
    let refusal = message.refused(&account(ME), &account(THIEF));
    assert!(matches!(refusal, SigningRefusal::Receiver { .. }), "the refund: {refusal}");
    assert!(matches!(message.refused(&word(30_326), &word(30_101)), SigningRefusal::Step { .. }));
    let twice = word(AMOUNT).repeat(2);
    let refusal = message.refused(&twice, &[word(AMOUNT), word(1)].concat());
    assert!(matches!(refusal, SigningRefusal::MinimumBelow { .. }), "{refusal}");
    let refusal = message.refused(&twice, &[word(AMOUNT + 1), word(AMOUNT + 1)].concat());
    assert!(matches!(refusal, SigningRefusal::AmountAbove { .. }), "{refusal}");
    let refusal = Called { value: AMOUNT + FEE + 1, ..message.clone() }.compare().unwrap_err();
    assert!(matches!(refusal, SigningRefusal::AmountAbove { .. }), "{refusal}");
    // A call that follows there is not read.
    let data = message.data.replacen(
        &[word(0), word(0), word(0)].concat(),
        &[word(0), word(1), format!("ff{}", "0".repeat(62)), word(0)].concat(),
        1,
    );
    let data = data.replacen(&word(9 * 32), &word(10 * 32), 1);
    let refusal = Called { data, ..message }.compare().unwrap_err();
    assert!(matches!(refusal, SigningRefusal::Undecodable(_)), "{refusal}");
}

#[test]
fn wrappers_of_the_networks_are_known_and_others_are_not() {
    let known = super::registry();
    let wrapper: Address = "0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783".parse().unwrap();
    let on = |chain: &str| known.verdict(&ChainId::new(chain), wrapper, ContractPart::Called);
    assert!(matches!(on("yominet-1"), ContractVerdict::Known { .. }));
    assert_eq!(on("civitia-1"), ContractVerdict::Unknown);
}
