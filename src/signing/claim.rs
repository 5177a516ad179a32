//! Claim of an OPinit withdrawal: verifies the executor's data against the L1's output, and builds the message to sign
//! (`docs/apis/story.md` §3).

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::json;
use sha3::{Digest as _, Sha3_256};

use super::{FundsEffect, MessageError, ReadyForm, ReadyTx, SignableMessage};
use crate::{
    domain::{Amount, ChainId, Coin, Denom},
    wire::opinit::ExecutorWithdrawal,
};

/// Maximum hashes in a proof; a deeper tree has more leaves than any bridge has withdrawals.
const LONGEST_PROOF: usize = 64;

/// SHA3-256 hash.
type Hash = [u8; 32];

/// Invalid data about a withdrawal from an executor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    #[error("invalid executor response: {0}")]
    Form(&'static str),
    #[error("the amount exceeds the bridge's 64 bits")]
    Amount,
    /// The hashes do not lead from this withdrawal to the storage root.
    #[error("invalid executor proof: it does not lead from this withdrawal to the output root")]
    Proof,
    #[error("invalid executor proof: the L1 has another root for output {0}")]
    Output(u64),
}

/// Computes the Merkle leaf of a withdrawal from the executor's data.
pub fn withdrawal_leaf(withdrawal: &ExecutorWithdrawal) -> Result<Hash, ClaimError> {
    let text = |text: &str| -> Hash { Sha3_256::digest(text).into() };
    let amount = u64::try_from(withdrawal.amount.amount.get()).map_err(|_| ClaimError::Amount)?;
    let mut hasher = Sha3_256::new();
    hasher.update(withdrawal.bridge_id.to_be_bytes());
    hasher.update(withdrawal.sequence.to_be_bytes());
    hasher.update(text(&withdrawal.from));
    hasher.update(text(&withdrawal.to));
    hasher.update(text(&withdrawal.amount.denom));
    hasher.update(amount.to_be_bytes());
    Ok(Sha3_256::digest(hasher.finalize()).into())
}

/// Withdrawal whose proof is valid but not yet compared with the L1: see [`WithdrawalClaim::verify`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawalClaim {
    withdrawal: ExecutorWithdrawal,
    output_root: Hash,
}

impl WithdrawalClaim {
    /// Parses the executor's data and verifies the proof up to the storage root; `None` before an output covers the
    /// withdrawal.
    pub fn read(withdrawal: &ExecutorWithdrawal) -> Result<Option<Self>, ClaimError> {
        let (Some(proofs), Some(storage_root), Some(block_hash)) =
            (&withdrawal.withdrawal_proofs, &withdrawal.storage_root, &withdrawal.last_block_hash)
        else {
            return Ok(None);
        };
        if withdrawal.output_index == 0 {
            return Ok(None);
        }
        let version = withdrawal.version.as_deref().and_then(|text| BASE64_STANDARD.decode(text).ok());
        let version = version.filter(|bytes| bytes.len() == 1).ok_or(ClaimError::Form("the version"))?;
        let (storage_root, block_hash) =
            (hash(storage_root, "the storage root")?, hash(block_hash, "the hash of the last block")?);
        if proofs.len() > LONGEST_PROOF {
            return Err(ClaimError::Form("the proof"));
        }
        let mut root = withdrawal_leaf(withdrawal)?;
        for beside in proofs {
            let beside = hash(beside, "the proof")?;
            let (first, second) = if root <= beside { (root, beside) } else { (beside, root) };
            root = Sha3_256::digest([first, second].concat()).into();
        }
        if root != storage_root {
            return Err(ClaimError::Proof);
        }
        let output_root = Sha3_256::digest([&version[..], &storage_root, &block_hash].concat()).into();
        Ok(Some(Self { withdrawal: withdrawal.clone(), output_root }))
    }

    /// Compares the proof with the L1's output root (base64).
    pub fn verify(&self, output_root: &str) -> Result<(), ClaimError> {
        let index = self.withdrawal.output_index;
        let kept = hash(output_root, "the output's root").map_err(|_| ClaimError::Output(index))?;
        if kept == self.output_root { Ok(()) } else { Err(ClaimError::Output(index)) }
    }

    fn message(&self, sender: &str) -> Result<SignableMessage, MessageError> {
        let ExecutorWithdrawal { bridge_id, sequence, to, from, amount, output_index, .. } = &self.withdrawal;
        let fields = json!({
            "sender": sender,
            "bridge_id": bridge_id.to_string(),
            "output_index": output_index.to_string(),
            "withdrawal_proofs": self.withdrawal.withdrawal_proofs,
            "from": from,
            "to": to,
            "sequence": sequence.to_string(),
            "amount": { "denom": amount.denom, "amount": amount.amount.to_string() },
            "version": self.withdrawal.version,
            "storage_root": self.withdrawal.storage_root,
            "last_block_hash": self.withdrawal.last_block_hash,
        });
        SignableMessage::read("opinit.ophost.v1.MsgFinalizeTokenWithdrawal", &fields.to_string())
    }

    fn coin(&self) -> Coin {
        let amount = &self.withdrawal.amount;
        Coin { denom: Denom::new(amount.denom.as_str()), amount: amount.amount }
    }

    fn effect(&self) -> FundsEffect {
        let ExecutorWithdrawal { bridge_id, sequence, to, .. } = &self.withdrawal;
        FundsEffect::Claim { coin: self.coin(), bridge_id: *bridge_id, sequence: *sequence, to: to.clone() }
    }

    /// Builds one transaction of claims for this L1 account, which pays the fee but receives no funds. Verify each
    /// claim first. Returns `None` without claims, or for several recipients.
    pub fn ready(claims: &[Self], l1: &ChainId, sender: &str) -> Option<Result<ReadyTx, MessageError>> {
        let first = claims.first()?;
        let Coin { denom, .. } = first.coin();
        if claims.iter().any(|claim| claim.withdrawal.to != first.withdrawal.to) {
            return None;
        }
        let is_one_denom = claims.iter().all(|claim| claim.coin().denom == denom);
        let total = claims.iter().try_fold(Amount::ZERO, |sum, claim| sum.checked_add(claim.coin().amount));
        let messages: Result<Vec<_>, _> = claims.iter().map(|claim| claim.message(sender)).collect();
        Some(messages.map(|messages| ReadyTx {
            chain_id: l1.clone(),
            signer: sender.to_owned(),
            form: ReadyForm::Cosmos(messages),
            source: denom.clone(),
            receiver: first.withdrawal.to.clone(),
            arrives_on: l1.clone(),
            arrives_as: is_one_denom.then_some(denom),
            least: total.filter(|_| is_one_denom),
            dollars: None,
            // The messages belong to the chain and involve no contract.
            doubts: Vec::new(),
            proven: Vec::new(),
            contracts: Vec::new(),
            effects: claims.iter().map(Self::effect).collect(),
        }))
    }
}

fn hash(text: &str, name: &'static str) -> Result<Hash, ClaimError> {
    let bytes = BASE64_STANDARD.decode(text).ok().and_then(|bytes| Hash::try_from(bytes).ok());
    bytes.ok_or(ClaimError::Form(name))
}
