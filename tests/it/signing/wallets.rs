//! Wallets with keys of their own: what they sign becomes a transaction, whichever kind they are; hooks too.

use alloy_primitives::{hex, keccak256};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use k256::ecdsa::SigningKey;
use proptest::prelude::*;
use rollscope::{
    domain::{Address, Amount, ChainId, Denom, PublicKey},
    signing::{
        AcceptedQuote, FundsEffect, SignDocument, SignableMessage, SignatureError, SigningFee, SigningMode,
        SigningRefusal, hook_sequence, personal_digest, sequence_after,
    },
    wire::{
        proto::{decode_tx, tx_hash},
        router::{OpHook, Route, SignedOpHook},
    },
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const CONTRACT: &str = "0x2A08405287E96C526eE41a144d90C4799bFE3e34";
const WRAPPER: &str = "0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783";
const THIEF: &str = "0x3333333333333333333333333333333333333333";

/// A wallet with one account.
struct Wallet(SigningKey);

impl Wallet {
    fn of(seed: u8) -> Self {
        Self(SigningKey::from_slice(&[seed; 32]).expect("a key"))
    }

    fn key(&self, kind: &str) -> PublicKey {
        let point = self.0.verifying_key().to_sec1_point(true);
        PublicKey::new(kind, point.as_bytes()).expect("a key of this type")
    }

    /// What an Ethereum wallet answers to `personal_sign`.
    fn personal(&self, text: &str) -> Vec<u8> {
        let (signature, recovery) = self.0.sign_prehash_recoverable(&personal_digest(text.as_bytes()));
        [signature.to_bytes().as_slice(), &[27 + recovery.to_byte()]].concat()
    }

    fn digest(&self, digest: &[u8]) -> Vec<u8> {
        self.0.sign_prehash_recoverable(digest).0.to_bytes().to_vec()
    }
}

fn account(key: &PublicKey) -> Address {
    key.address().expect("an account")
}

fn call(sender: Address, contract: &str, input: &str) -> Value {
    json!({ "sender": sender.bech32(), "contract_addr": contract, "input": input, "value": "0" })
}

fn document(sender: Address, sequence: u64) -> SignDocument {
    let message = call(sender, CONTRACT, "0x").to_string();
    let message = SignableMessage::read("/minievm.evm.v1.MsgCall", &message).expect("a call");
    let fee = SigningFee { amount: Vec::new(), gas: 7 };
    SignDocument::new(ChainId::new("rollreal-1"), 3, sequence, fee, "", &[message])
}

#[test]
fn both_kinds_of_key_sign_the_documents_own_bytes() {
    let wallet = Wallet::of(7);
    for kind in [PublicKey::SECP256K1, PublicKey::ETH_SECP256K1] {
        let key = wallet.key(kind);
        let document = document(account(&key), 4);
        let text = document.text();
        let digests = [<[u8; 32]>::from(Sha256::digest(&text)), keccak256(&text).0];
        let is_eth = kind == PublicKey::ETH_SECP256K1;
        let (right, wrong) = if is_eth { (digests[1], digests[0]) } else { (digests[0], digests[1]) };
        let signed = document.with_amino_signature(account(&key), &key, &wallet.digest(&right)).unwrap();
        let tx: Value = serde_json::from_str(&decode_tx(signed.raw()).unwrap()).unwrap();
        let info = &tx["auth_info"]["signer_infos"][0];
        assert_eq!(info["mode_info"]["single"]["mode"], "SIGN_MODE_LEGACY_AMINO_JSON");
        assert_eq!((&info["public_key"]["@type"], &info["sequence"]), (&json!(kind), &json!("4")));
        assert_eq!(signed.hash(), tx_hash(signed.raw()));
        let error = document.with_amino_signature(account(&key), &key, &wallet.digest(&wrong));
        assert_eq!(error, Err(SignatureError::Invalid), "{kind}");
        let changed = document.clone().with_fee(SigningFee { amount: Vec::new(), gas: 8 });
        let error = changed.with_amino_signature(account(&key), &key, &wallet.digest(&right));
        assert_eq!(error, Err(SignatureError::Invalid), "another fee is another document");
        let other = Wallet::of(8).key(kind);
        let error = document.with_amino_signature(account(&key), &other, &wallet.digest(&right));
        assert_eq!(error, Err(SignatureError::OtherAccount { expected: account(&key), signed: account(&other) }));
    }
    let key = PublicKey::Ed25519([1; 32]);
    let error = document(account(&key), 1).with_amino_signature(account(&key), &key, &[1; 64]);
    assert_eq!(error, Err(SignatureError::KeyType));
}

#[test]
fn simulations_have_the_form_of_what_will_be_signed() {
    let wallet = Wallet::of(7);
    let key = wallet.key(PublicKey::ETH_SECP256K1);
    let document = document(account(&key), 4);
    let signed = document.with_personal_signature(account(&key), &wallet.personal(&document.text())).unwrap();
    for simulated in
        [document.simulation(SigningMode::Personal, None), document.simulation(SigningMode::Personal, Some(&key))]
    {
        assert_eq!(simulated.len(), signed.raw().len());
        let parsed: Value = serde_json::from_str(&decode_tx(&simulated).unwrap()).unwrap();
        assert_eq!(parsed["signatures"][0], BASE64_STANDARD.encode([0; 64]));
        assert_eq!(parsed["auth_info"]["signer_infos"][0]["mode_info"]["single"]["mode"], "SIGN_MODE_EIP_191");
    }
}

#[test]
fn newer_chains_say_that_nothing_is_delegated_and_sequences_grow_with_calls() {
    let key = Wallet::of(7).key(PublicKey::ETH_SECP256K1);
    let document = document(account(&key), 4);
    assert!(!document.text().contains("auth_list"));
    assert!(document.clone().with_delegations().text().contains(r#""access_list":null,"auth_list":null,"#));
    assert_eq!(sequence_after(4, document.messages()), 6);
    assert_eq!((hook_sequence(4, false), hook_sequence(4, true)), (4, 6));
    let mut delegating = call(account(&key), CONTRACT, "0x");
    delegating["auth_list"] = json!([{ "chain_id": "1" }]);
    assert!(SignableMessage::read("/minievm.evm.v1.MsgCall", &delegating.to_string()).is_err());
}

/// `uinit` on the rollup of bridge 11.
const DEPOSITED: &str = "l2/8f73cfaf153520f511b4fc0bd71d60d64b4e19eff04a350e642718a3c1ab3b06";

/// The hook of the embedded router: an allowance of any amount for the wrapper, then the conversion.
fn hook(recipient: Address, spender: &str, receiver: &str) -> OpHook {
    let word = |text: &str| hex::encode(text.parse::<Address>().expect("an account").word());
    let selector = |name: &str| hex::encode(&keccak256(name)[..4]);
    let approve = format!("0x{}{}{}", selector("approve(address,uint256)"), word(spender), "f".repeat(64));
    let denom = hex::encode(DEPOSITED);
    let convert = format!(
        "0x{}{}{:0>64}{:0>64}{:0>64}{denom:0<192}",
        selector("toLocal(address,string,uint8)"),
        word(receiver),
        "60",
        "6",
        "43",
    );
    let message = |value: Value| json!({ "msg_type_url": "/minievm.evm.v1.MsgCall", "msg": value.to_string() });
    let messages = [call(recipient, CONTRACT, &approve), call(recipient, WRAPPER, &convert)].map(message);
    serde_json::from_value(json!({ "chain_id": "yominet-1", "hook": messages })).expect("a hook")
}

fn compare(recipient: Address, hook: &OpHook) -> Result<Vec<FundsEffect>, SigningRefusal> {
    compare_over("11", recipient, hook).map(|(_, effects)| effects)
}

fn compare_over(bridge: &str, recipient: Address, hook: &OpHook) -> Result<(OpHook, Vec<FundsEffect>), SigningRefusal> {
    let route: Route = serde_json::from_value(json!({
        "amount_in": "1", "amount_out": "1", "source_asset_chain_id": "interwoven-1", "source_asset_denom": "uinit",
        "dest_asset_chain_id": "yominet-1", "dest_asset_denom": "evm/ab", "required_op_hook": true,
        "operations": [{"op_init_transfer": {"from_chain_id": "interwoven-1", "to_chain_id": "yominet-1",
            "denom_in": "uinit", "denom_out": "evm/ab", "op_init_bridge_id": bridge}}],
    }))
    .expect("a route");
    let addresses = [recipient.bech32(), recipient.bech32()];
    let slippage = "0.5".parse().expect("half a percent");
    let known = super::registry();
    let (addresses, known, now) = (&addresses, &known, super::guard::before_timeouts());
    let quote = AcceptedQuote { route: &route, addresses, slippage, hook: None, known, now };
    quote.compare_hook(hook)
}

#[test]
fn a_hook_is_compared_signed_and_given_to_the_router() {
    let wallet = Wallet::of(9);
    let key = wallet.key(PublicKey::ETH_SECP256K1);
    let me = account(&key);
    let honest = hook(me, WRAPPER, &me.hex());
    let (written, effects) = compare_over("11", me, &honest).unwrap();
    let exact = Amount::from(1);
    assert!(matches!(effects[0], FundsEffect::Allowance { amount, .. } if amount == exact), "{effects:?}");
    let is_whole = |denom: &Denom, amount: Option<Amount>| denom.as_str() == DEPOSITED && amount == Some(exact);
    assert!(matches!(&effects[1], FundsEffect::Conversion { denom, amount, .. } if is_whole(denom, *amount)));
    let refusal = compare_over("12", me, &honest).unwrap_err();
    assert!(matches!(refusal, SigningRefusal::Bridge { known: 11, .. }), "{refusal}");
    assert!(honest.hook[0].msg.as_received().contains(&"f".repeat(64)), "the router's allowance is unlimited");
    assert!(
        written.hook[0].msg.as_received().contains(&format!("{:0>64}", 1))
            && !written.hook[0].msg.as_received().contains(&"f".repeat(64))
    );
    assert_eq!(written.hook[1], honest.hook[1]);
    let document = SignDocument::of_hook(&written, 14, 5).unwrap();
    assert!(document.text().contains(r#""fee":{"amount":[],"gas":"1"},"memo":"""#), "{}", document.text());
    let signed = document.with_personal_signature(me, &wallet.personal(&document.text())).unwrap();
    let SignedOpHook::Object { signer, hook, .. } = signed.op_hook(me).unwrap() else { panic!("an object") };
    assert_eq!((signer, BASE64_STANDARD.decode(hook).unwrap()), (me.bech32(), signed.raw().to_vec()));
}

#[test]
fn a_hook_that_lies_is_refused() {
    let me = account(&Wallet::of(9).key(PublicKey::ETH_SECP256K1));
    let refused = |hook: &OpHook| compare(me, hook).unwrap_err();
    assert!(matches!(refused(&hook(me, THIEF, &me.hex())), SigningRefusal::Spender { .. }));
    assert!(matches!(refused(&hook(me, WRAPPER, THIEF)), SigningRefusal::Receiver { .. }));
    let other = THIEF.parse().unwrap();
    assert!(matches!(refused(&hook(other, WRAPPER, THIEF)), SigningRefusal::Signer { .. }));
    let mut elsewhere = hook(me, WRAPPER, &me.hex());
    elsewhere.chain_id = ChainId::new("evil-1");
    assert!(matches!(refused(&elsewhere), SigningRefusal::Chain { .. }));
    let mut other = hook(me, WRAPPER, &me.hex());
    other.hook[1].msg =
        other.hook[1].msg.as_received().replace(&hex::encode(&DEPOSITED[60..]), &hex::encode("cafecaf")).into();
    assert!(matches!(refused(&other), SigningRefusal::SourceAsset { .. }), "another denom than the deposit's");
    // The registry knows the wrapped INIT of this rollup: no deposit brings it.
    let mut other = hook(me, WRAPPER, &me.hex());
    other.hook[0].msg =
        other.hook[0].msg.as_received().replace(CONTRACT, "0x856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96").into();
    assert!(matches!(refused(&other), SigningRefusal::SourceAsset { .. }), "an allowance of another token");
    // The wrapper makes another token of other decimals, and none of 256.
    for (decimals, words) in [("12", "18 decimals, but the known decimals are 6"), ("100", "unknown effect")] {
        let mut other = hook(me, WRAPPER, &me.hex());
        other.hook[1].msg = other.hook[1]
            .msg
            .as_received()
            .replace(&format!("{:0>64}{:0>64}", "6", "43"), &format!("{decimals:0>64}{:0>64}", "43"))
            .into();
        assert!(refused(&other).to_string().contains(words), "{}", refused(&other));
    }
    let mut twice = hook(me, WRAPPER, &me.hex());
    twice.hook.extend(twice.hook.clone());
    assert!(matches!(refused(&twice), SigningRefusal::Step { .. }), "two allowances for one deposit");
    let mut alone = hook(me, WRAPPER, &me.hex());
    alone.hook.truncate(1);
    assert!(matches!(refused(&alone), SigningRefusal::Spender { .. }), "an allowance and nothing after it");
    let mut alone = hook(me, WRAPPER, &me.hex());
    alone.hook.remove(0);
    assert_eq!(refused(&alone), SigningRefusal::NoAllowance, "it would convert nothing");
    alone.hook.clear();
    assert!(matches!(refused(&alone), SigningRefusal::Step { .. }));
    // A router that names its own contract in both places: any amount of the token might be taken from then on.
    let mut swapped = hook(me, WRAPPER, &me.hex());
    for message in &mut swapped.hook {
        message.msg =
            message.msg.as_received().replace(WRAPPER, THIEF).replace(&WRAPPER[2..].to_lowercase(), &THIEF[2..]).into();
    }
    let refusal = refused(&swapped);
    let expected = THIEF.parse().unwrap();
    assert!(matches!(refusal, SigningRefusal::UnknownContract { address, .. } if address == expected), "{refusal}");
    let mut unknown = hook(me, WRAPPER, &me.hex());
    unknown.hook[1].msg = call(me, WRAPPER, "0x414b2f31").to_string().into();
    assert!(refused(&unknown).to_string().contains("0x414b2f31"));
}

proptest! {
    #[test]
    fn any_other_text_is_not_what_was_signed(sequence in 0..u64::MAX, change in 1..u64::MAX) {
        let wallet = Wallet::of(7);
        let me = account(&wallet.key(PublicKey::ETH_SECP256K1));
        let signature = wallet.personal(&document(me, sequence).text());
        prop_assert!(document(me, sequence).with_personal_signature(me, &signature).is_ok());
        let other = document(me, sequence.wrapping_add(change));
        prop_assert!(other.with_personal_signature(me, &signature).is_err());
    }
}
