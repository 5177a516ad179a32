//! A withdrawal that is proven, made by the rules of the chains and by nothing of this program.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use sha3::{Digest as _, Sha3_256};

fn sha3(parts: &[&[u8]]) -> Vec<u8> {
    Sha3_256::digest(parts.concat()).to_vec()
}

/// Withdrawal 7 of bridge 9 as an executor has it, with its neighbour's leaf as its proof, and its output on the L1.
pub(crate) fn proven() -> (Value, Value) {
    proven_to("init1to")
}

pub(crate) fn proven_to(to: &str) -> (Value, Value) {
    let (withdrawal, output, _) = withdrawal(7, to, &[5; 32]);
    (withdrawal, output)
}

/// Withdrawals 7 and 8 of bridge 9 in one output, each with its Merkle leaf in base64, and the output.
pub(crate) fn proven_pair(to: &str) -> ([(Value, String); 2], Value) {
    let leaf = |number| withdrawal(number, to, &[0; 32]).2;
    let leaves = [leaf(7), leaf(8)];
    let [first, second] =
        [(7, 1), (8, 0)].map(|(number, beside): (u64, usize)| withdrawal(number, to, &leaves[beside]));
    let base64 = |leaf: &[u8]| BASE64_STANDARD.encode(leaf);
    ([(first.0, base64(&first.2)), (second.0, base64(&second.2))], second.1)
}

/// A withdrawal with its neighbour as its proof, its output, and its leaf.
fn withdrawal(sequence: u64, to: &str, beside: &[u8]) -> (Value, Value, Vec<u8>) {
    let number = |number: u64| number.to_be_bytes();
    let text = |text: &str| sha3(&[text.as_bytes()]);
    let inner = sha3(&[&number(9), &number(sequence), &text("init1from"), &text(to), &text("uinit"), &number(500)]);
    let leaf = sha3(&[&inner]);
    let storage = if &leaf[..] <= beside { sha3(&[&leaf, beside]) } else { sha3(&[beside, &leaf]) };
    let root = sha3(&[&[1], &storage, &[8; 32]]);
    let base64 = |bytes: &[u8]| BASE64_STANDARD.encode(bytes);
    let withdrawal = json!({
        "sequence": sequence, "bridge_id": 9, "from": "init1from", "to": to, "output_index": 3,
        "amount": { "denom": "uinit", "amount": "500" }, "withdrawal_proofs": [base64(beside)],
        "version": base64(&[1]), "storage_root": base64(&storage), "last_block_hash": base64(&[8; 32]),
    });
    let output = json!({ "output_proposal": {
        "output_root": base64(&root), "l1_block_time": "2026-01-31T12:00:00Z", "l2_block_number": "100",
    } });
    (withdrawal, output, leaf)
}
