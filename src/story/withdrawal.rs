//! Where an optimistic withdrawal stands, by what its executor and the L1 say. Every time in here is a fact, with who says
//! so; what nobody says is left open.

use std::time::Duration;

use super::decode;
use crate::{
    domain::{Amount, ChainId, Denom, Height, Timestamp},
    signing::{ClaimError, MessageError, ReadyTx, WithdrawalClaim},
    wire::{
        Tx,
        opinit::{ExecutorWithdrawal, SettlementAnswers},
    },
};

/// A withdrawal that a transaction of the rollup began, by its event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunWithdrawal {
    /// Its number on the bridge.
    pub sequence: u64,
    /// Who withdraws.
    pub from: String,
    /// Who gets it on the L1.
    pub to: String,
    /// The denom on the L1.
    pub l1_denom: Denom,
    /// How much, in the smallest unit.
    pub amount: Amount,
}

impl BegunWithdrawal {
    /// Those of a transaction, in order; none where it failed.
    pub fn all_of(tx: &Tx) -> Vec<Self> {
        if !tx.is_success() {
            return Vec::new();
        }
        let decoded = decode(tx);
        let events = decoded.events.iter().filter(|event| event.kind == "initiate_token_withdrawal");
        let read = |event: &super::DecodedEvent| {
            Some(Self {
                sequence: event.value("l2_sequence")?.parse().ok()?,
                from: event.value("from")?.to_owned(),
                to: event.value("to")?.to_owned(),
                l1_denom: Denom::new(event.value("base_denom")?),
                amount: event.value("amount")?.parse().ok()?,
            })
        };
        events.filter_map(read).collect()
    }

    /// Whether an executor speaks of this one.
    pub fn is_that_of(&self, withdrawal: &ExecutorWithdrawal) -> bool {
        (self.sequence, self.from.as_str(), self.to.as_str())
            == (withdrawal.sequence, withdrawal.from.as_str(), withdrawal.to.as_str())
            && (self.l1_denom.as_str(), self.amount) == (withdrawal.amount.denom.as_str(), withdrawal.amount.amount)
    }
}

/// Where a withdrawal stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WithdrawalStage {
    /// No output covers it yet; when one will is not known.
    Unproposed,
    /// The executor names an output, and what the L1 says of it is not known.
    Unconfirmed {
        /// The output.
        index: u64,
    },
    /// The L1 has the output that covers it.
    Proposed {
        /// The output.
        index: u64,
        /// The last block of the rollup that it covers.
        height: Option<Height>,
        /// When the L1 took it.
        proposed: Timestamp,
        /// How long it can be challenged, by the L1; `None` where that is not known.
        period: Option<Duration>,
    },
    /// The executor's proof is none, so that nothing is to be claimed with it.
    Disproven(ClaimError),
    /// Somebody claimed it: the recipient has it.
    Claimed,
}

impl WithdrawalStage {
    /// What the answers say.
    pub fn of(answers: &SettlementAnswers) -> Self {
        if answers.is_claimed == Some(true) {
            return Self::Claimed;
        }
        let claim = match WithdrawalClaim::read(&answers.withdrawal) {
            Ok(Some(claim)) => claim,
            Ok(None) => return Self::Unproposed,
            Err(error) => return Self::Disproven(error),
        };
        let index = answers.withdrawal.output_index;
        let output = match &answers.output {
            Some(Some(output)) => &output.output_proposal,
            // The executor closes its tree a little before the L1 has the output.
            Some(None) => return Self::Unproposed,
            None => return Self::Unconfirmed { index },
        };
        if let Err(error) = claim.verify(&output.output_root) {
            return Self::Disproven(error);
        }
        let Ok(proposed) = output.l1_block_time.parse() else { return Self::Unconfirmed { index } };
        let period = answers.bridge.as_ref().and_then(|bridge| seconds(&bridge.bridge_config.finalization_period));
        Self::Proposed { index, height: output.l2_block_number.parse().ok(), proposed, period }
    }

    /// From when on it can be claimed: a fact, by the output's time and the bridge's period on the L1.
    pub fn claimable(&self) -> Option<Timestamp> {
        match self {
            Self::Proposed { proposed, period: Some(period), .. } => Some(proposed.after(*period)),
            _ => None,
        }
    }

    /// Whether it can be claimed now.
    pub fn is_ready(&self, now: Timestamp) -> bool {
        self.claimable().is_some_and(|time| time <= now)
    }

    /// How it stands, in a sentence.
    pub fn sentence(&self, now: Timestamp) -> String {
        let at = |time: Timestamp| time.cut_to_seconds();
        match self {
            Self::Unproposed => "No output of the rollup covers it yet; when one will is not known.".to_owned(),
            Self::Unconfirmed { index } => {
                format!("The executor names output {index}; what the L1 says of it is not known.")
            }
            Self::Proposed { index, proposed, period: None, .. } => {
                format!(
                    "The L1 took output {index} at {}; how long that can be challenged is not known.",
                    at(*proposed)
                )
            }
            Self::Proposed { index, proposed, .. } => match self.claimable() {
                Some(time) if time > now => {
                    format!("The L1 took output {index} at {}; it can be claimed from {} on.", at(*proposed), at(time))
                }
                _ => format!("It can be claimed: output {index} is final, and the proof is right."),
            },
            Self::Disproven(error) => {
                let error = error.to_string();
                let mut letters = error.chars();
                letters
                    .next()
                    .map(|first| first.to_uppercase().to_string() + letters.as_str() + ".")
                    .unwrap_or_default()
            }
            Self::Claimed => "It was claimed, by the L1's word: the recipient has it.".to_owned(),
        }
    }
}

/// Why no claim is to be signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimRefusal {
    /// It is not claimable now, in a sentence; that includes a proof that does not lead to the L1's output.
    #[error("nothing is to be signed: {0}")]
    NotReady(String),
    /// The message cannot be written.
    #[error("the claim cannot be written: {0}")]
    Form(#[from] MessageError),
}

/// The claim that is to be signed on this L1, where by these answers everything speaks for it: the L1 has the output, its
/// period is over, the proof leads to its root, and nobody claimed it. The signer is the recipient, unless another pays the
/// fee.
pub fn ready_claim(
    answers: &SettlementAnswers,
    l1: &ChainId,
    signer: Option<&str>,
    now: Timestamp,
) -> Result<ReadyTx, ClaimRefusal> {
    let stage = WithdrawalStage::of(answers);
    let claim = WithdrawalClaim::read(&answers.withdrawal).ok().flatten().filter(|_| stage.is_ready(now));
    let Some(claim) = claim else { return Err(ClaimRefusal::NotReady(stage.sentence(now))) };
    Ok(claim.ready(l1, signer.unwrap_or(&answers.withdrawal.to))?)
}

/// A duration as the L1 writes it: `604800s`, `3.5s`.
fn seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.strip_suffix('s').map(|number| number.split_once('.').unwrap_or((number, "")))?;
    let nanos: u32 = if fraction.is_empty() { 0 } else { format!("{fraction:0<9}").get(..9)?.parse().ok()? };
    Some(Duration::new(whole.parse().ok()?, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_read_as_the_l1_writes_them() {
        assert_eq!(seconds("604800s"), Some(Duration::from_secs(604_800)));
        assert_eq!(seconds("1.5s"), Some(Duration::from_millis(1_500)));
        for wrong in ["", "s", "7", "7m", "-1s", "1.xs"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
