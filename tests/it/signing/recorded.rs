//! The raw transactions of two recorded chains against those that are made here of the same messages.

use std::collections::BTreeMap;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    domain::ChainId,
    signing::{SignDocument, SignableMessage, SigningMode},
    wire::{
        proto::{self, TxRaw, decode_message, decode_tx, tx_hash},
        protobuf::{ProtoFields, bytes_of},
    },
};
use serde_json::Value;

use super::{base64, fee_of, number};
use crate::harness::recording::recorded_text;

const FIXTURE: &str = include_str!("../../fixtures/node/txs.jsonl");
/// Account numbers that the recorded chains gave at the most.
const ACCOUNTS: u64 = 80;

/// How many were made again, by type.
#[derive(Default)]
struct MadeAgain {
    bodies: BTreeMap<String, usize>,
    amino: usize,
    /// Those that had blanks.
    blanks: usize,
    personal: usize,
}

impl MadeAgain {
    fn take(&mut self, chain: &str, raw: &[u8]) {
        let Ok(json) = decode_tx(raw) else { return };
        let tx: Value = serde_json::from_str(&json).expect("the table writes JSON");
        let parts = TxRaw::read(raw).expect("a recorded transaction");
        let bodies = ProtoFields::new(&parts.body_bytes).flatten().filter(|field| field.number == 1);
        let messages: Option<Vec<_>> = bodies.map(|field| message(field.bytes?)).collect();
        let signers = tx["auth_info"]["signer_infos"].as_array().map_or(0, Vec::len);
        let (Some(messages), 1) = (messages, signers) else { return };
        if messages.is_empty() || tx["body"]["timeout_height"] != "0" {
            return;
        }
        // The parts that say more than a wallet of ours would.
        if tx["body"]["extension_options"] != serde_json::json!([]) || tx["body"].get("unordered").is_some() {
            return;
        }
        let made = |account: u64| {
            let info = &tx["auth_info"]["signer_infos"][0];
            let fee = serde_json::json!({"fee": {
                "amount": tx["auth_info"]["fee"]["amount"], "gas": tx["auth_info"]["fee"]["gas_limit"]}});
            let memo = tx["body"]["memo"].as_str().unwrap_or_default();
            let sequence = number(&info["sequence"]);
            SignDocument::new(ChainId::new(chain), account, sequence, fee_of(&fee), memo, &messages)
        };
        let body = TxRaw::read(&made(0).simulation(SigningMode::Personal, None)).expect("our own").body_bytes;
        if body != parts.body_bytes {
            // Blanks within a contract's message are not sent: it says the same without them.
            let ours = TxRaw { body_bytes: body, ..parts.clone() };
            assert_eq!(decode_tx(&ours.write()).as_deref(), Ok(json.as_str()));
            assert!(json.contains("MsgExecuteContract") && parts.body_bytes.windows(3).any(|bytes| bytes == b"\" :"));
            self.blanks += 1;
            return;
        }
        for message in &messages {
            *self.bodies.entry(message.kind().short().to_owned()).or_default() += 1;
        }
        self.take_signature(&tx, &parts, made);
    }

    fn take_signature(&mut self, tx: &Value, parts: &TxRaw, document_of: impl Fn(u64) -> SignDocument) {
        let info = &tx["auth_info"]["signer_infos"][0];
        let mode = info["mode_info"]["single"]["mode"].as_str().unwrap_or_default();
        let key = proto::public_key(&info["public_key"]).expect("a key");
        let account = key.address().expect("an account");
        // Some wallets leave the recovery byte, which nodes ignore.
        let signature = parts.signatures.first().and_then(|signature| signature.get(..64)).expect("a signature");
        let raw = TxRaw { signatures: vec![signature.to_vec()], ..parts.clone() }.write();
        let found = (0..ACCOUNTS).find_map(|number| {
            let document = document_of(number);
            match mode {
                "SIGN_MODE_LEGACY_AMINO_JSON" => document.with_amino_signature(account, &key, signature).ok(),
                "SIGN_MODE_EIP_191" => [27, 28].iter().find_map(|parity| {
                    let whole = [signature, &[*parity]].concat();
                    document.with_personal_signature(account, &whole).ok()
                }),
                _ => None,
            }
        });
        let count = match mode {
            "SIGN_MODE_LEGACY_AMINO_JSON" => &mut self.amino,
            "SIGN_MODE_EIP_191" => &mut self.personal,
            _ => return,
        };
        // Those of the other chain, and what was refused there, are of another document.
        if let Some(signed) = found {
            assert_eq!(signed.raw(), raw);
            assert_eq!(signed.hash(), tx_hash(&raw));
            *count += 1;
        }
    }
}

/// A message of the types that are signed here, as the bytes have it.
fn message(any: &[u8]) -> Option<SignableMessage> {
    let kind = std::str::from_utf8(bytes_of(any, 1)?).ok()?;
    let json = decode_message(kind.trim_start_matches('/'), bytes_of(any, 2).unwrap_or_default()).ok()?;
    SignableMessage::read(kind, &json).ok()
}

fn raw_of_blocks(chain: &str) -> Vec<Vec<u8>> {
    let text = recorded_text(chain, "blocks");
    let of_line = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        let txs = line["block"]["result"]["block"]["data"]["txs"].as_array().cloned();
        txs.or_else(|| line["block"]["block"]["data"]["txs"].as_array().cloned()).unwrap_or_default()
    };
    text.lines().flat_map(of_line).map(|tx| base64(&tx)).collect()
}

#[test]
fn bodies_of_recorded_transactions_are_made_again() {
    let mut made = MadeAgain::default();
    for line in FIXTURE.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let raw = line["raw"].as_str().or(line["tx"].as_str()).unwrap_or_default();
        made.take("wasmreal-1", &BASE64_STANDARD.decode(raw).unwrap_or_default());
    }
    assert!(made.bodies.len() > 3, "{:?}", made.bodies);
}

#[test]
fn whole_recordings_are_made_again() {
    let mut made = MadeAgain::default();
    for (chain, id) in [("miniwasm-0.7", "wasmreal-1"), ("minievm-1.1", "rollreal-2")] {
        let raw = raw_of_blocks(chain);
        assert!(raw.len() > 400, "{chain}: {}", raw.len());
        for tx in raw {
            made.take(id, &tx);
        }
    }
    let kinds: Vec<_> = made.bodies.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    for kind in ["MsgCall", "MsgExecuteContract", "MsgInitiateTokenWithdrawal", "MsgSend", "MsgTransfer"] {
        assert!(made.bodies.contains_key(kind), "{kinds:?}");
    }
    assert!(made.blanks <= 2, "{}", made.blanks);
    assert!(made.amino == 2 && made.personal >= 18, "{} amino, {} personal; {kinds:?}", made.amino, made.personal);
}
