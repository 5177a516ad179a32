//! Stage of an optimistic withdrawal, from the executor's and the L1's answers. Each time has a
//! source; unknown times stay unset.

use std::time::Duration;

use crate::{
    domain::{Amount, ChainId, Denom, Height, TimedText, Timestamp, text},
    events::opinit::BridgeTransfer,
    signing::{ClaimError, MessageError, ReadyTx, WithdrawalClaim},
    story::decode,
    wire::{
        Tx,
        opinit::{ExecutorWithdrawal, HostedBridgeConfig, RollupBridge, SettlementAnswers},
    },
};

/// Maximum claims in one transaction; each carries its proof.
pub const MOST_CLAIMS: usize = 16;

/// Withdrawal that a rollup transaction began, from its event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunWithdrawal {
    pub sequence: u64,
    pub from: String,
    /// Recipient on the L1.
    pub to: String,
    pub l1_denom: Denom,
    /// Amount in the smallest unit.
    pub amount: Amount,
}

impl BegunWithdrawal {
    /// Returns the withdrawals of a transaction in order; none if it failed.
    pub fn all_of(tx: &Tx) -> Vec<Self> {
        if !tx.is_success() {
            return Vec::new();
        }
        let read = |begun: BridgeTransfer<'_>| {
            Some(Self {
                sequence: begun.sequence?,
                from: begun.from?.to_owned(),
                to: begun.to?.to_owned(),
                l1_denom: Denom::new(begun.other_denom?),
                amount: begun.number()?,
            })
        };
        decode(tx).events.iter().filter_map(BridgeTransfer::withdrawal).filter_map(read).collect()
    }

    pub fn is_that_of(&self, withdrawal: &ExecutorWithdrawal) -> bool {
        (self.sequence, self.from.as_str(), self.to.as_str())
            == (withdrawal.sequence, withdrawal.from.as_str(), withdrawal.to.as_str())
            && (self.l1_denom.as_str(), self.amount) == (withdrawal.amount.denom.as_str(), withdrawal.amount.amount)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WithdrawalStage {
    /// No output covers the withdrawal yet; the time of the next output is unknown.
    Unproposed,
    /// The executor names an output, but the L1's answer is missing.
    Unconfirmed { index: u64 },
    /// The L1 has the output that covers the withdrawal.
    Proposed {
        index: u64,
        /// Last rollup block that the output covers.
        height: Option<Height>,
        /// Time of the output on the L1.
        proposed: Timestamp,
        /// Challenge period from the L1; `None` if unknown.
        period: Option<Duration>,
    },
    /// The executor's proof is invalid: a claim with it would fail.
    Disproven(ClaimError),
    /// Claimed: the recipient has the funds.
    Claimed {
        /// Time of the output on the L1, and end of the challenge period, as far as the L1 answers.
        times: (Option<Timestamp>, Option<Timestamp>),
    },
}

impl WithdrawalStage {
    pub fn of(answers: &SettlementAnswers) -> Self {
        let stage = Self::before_claim(answers);
        match (answers.is_claimed, stage) {
            (Some(true), stage) => Self::Claimed { times: stage.times() },
            // Without the L1's answer, another account may have claimed it.
            (None, Self::Proposed { index, .. }) => Self::Unconfirmed { index },
            (_, stage) => stage,
        }
    }

    fn before_claim(answers: &SettlementAnswers) -> Self {
        let claim = match WithdrawalClaim::read(&answers.withdrawal) {
            Ok(Some(claim)) => claim,
            Ok(None) => return Self::Unproposed,
            Err(error) => return Self::Disproven(error),
        };
        let index = answers.withdrawal.output_index;
        let output = match &answers.output {
            Some(Some(output)) => &output.output_proposal,
            // The executor closes its tree shortly before the L1 has the output.
            Some(None) => return Self::Unproposed,
            None => return Self::Unconfirmed { index },
        };
        if let Err(error) = claim.verify(&output.output_root) {
            return Self::Disproven(error);
        }
        let Ok(proposed) = output.l1_block_time.parse() else { return Self::Unconfirmed { index } };
        let period = answers.bridge.as_ref().and_then(|bridge| bridge.bridge_config.challenge_period());
        Self::Proposed { index, height: output.l2_block_number.parse().ok(), proposed, period }
    }

    /// Returns when the withdrawal becomes claimable: the output's time plus the challenge period on the L1.
    pub fn claimable(&self) -> Option<Timestamp> {
        match self {
            Self::Proposed { proposed, period: Some(period), .. } => Some(proposed.after(*period)),
            _ => None,
        }
    }

    /// Returns the time of the output on the L1 and the end of the challenge period, also after the claim.
    pub fn times(&self) -> (Option<Timestamp>, Option<Timestamp>) {
        match self {
            Self::Claimed { times } => *times,
            Self::Proposed { proposed, .. } => (Some(*proposed), self.claimable()),
            _ => (None, None),
        }
    }

    pub fn is_ready(&self, now: Timestamp) -> bool {
        self.claimable().is_some_and(|time| time <= now)
    }

    pub fn sentence(&self, now: Timestamp) -> String {
        let at = |time: Timestamp| format!("{} UTC", time.day_and_clock());
        match self {
            Self::Unproposed => "No rollup output covers the withdrawal yet; the claim time is unknown.".to_owned(),
            Self::Unconfirmed { index } => {
                format!("The executor names output {index}; its state on the L1 is unknown.")
            }
            Self::Proposed { index, proposed, period: None, .. } => {
                format!("The L1 received output {index} at {}; its challenge period is unknown.", at(*proposed))
            }
            Self::Proposed { index, proposed, .. } => match self.claimable() {
                Some(time) if time > now => {
                    format!("The L1 received output {index} at {}; claimable from {}.", at(*proposed), at(time))
                }
                _ => format!("Claimable: output {index} is final, and the proof is valid."),
            },
            Self::Disproven(error) => {
                let error = error.to_string();
                let mut letters = error.chars();
                letters
                    .next()
                    .map(|first| first.to_uppercase().to_string() + letters.as_str() + ".")
                    .unwrap_or_default()
            }
            Self::Claimed { .. } => "The L1 confirms the claim: the recipient has the funds.".to_owned(),
        }
    }
}

/// Tells where a withdrawal that began at this time can be claimed, and about when, by the rollup's copy of the
/// bridge's terms.
pub fn claim_outlook(bridge: &RollupBridge, begun: Timestamp) -> TimedText {
    let terms = bridge.bridge_config.as_ref();
    let period = terms.and_then(HostedBridgeConfig::challenge_period);
    let place = format!("claimable on {}", text::clip(&bridge.l1_chain_id, 40));
    let number = text::clip(&bridge.bridge_id, 20);
    let words = TimedText::default().words(&place);
    match (terms.and_then(HostedBridgeConfig::output_interval), period) {
        (Some(interval), Some(period)) => {
            let [interval_words, period_words] = [interval, period].map(|time| text::span(time.as_secs()));
            words
                .words(" from about ")
                .minute(begun.after(interval).after(period))
                .words(&format!(" (bridge {number}: an output each {interval_words}, challenge period {period_words})"))
        }
        (None, Some(period)) => {
            let period = text::span(period.as_secs());
            words.words(&format!(" {period} after an output covers it (challenge period of bridge {number})"))
        }
        (_, None) => words.words(&format!("; the challenge period of bridge {number} is unknown")),
    }
}

/// Why no claim can be signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimRefusal {
    /// Not claimable now, with the reason as a sentence; includes a proof that does not match the L1's output.
    #[error("nothing to sign: {0}")]
    NotReady(String),
    #[error("the withdrawals go to several accounts: claim those of one account at a time")]
    Recipients,
    #[error("cannot build the claim: {0}")]
    Form(#[from] MessageError),
}

/// Builds one transaction for this L1 that claims all these withdrawals of one recipient, if all answers allow each:
/// the L1 has the output, the challenge period is over, the proof matches the output's root, and the withdrawal is
/// unclaimed. The recipient signs, unless another account pays the fee.
pub fn ready_claim<'a>(
    all: impl IntoIterator<Item = &'a SettlementAnswers>,
    l1: &ChainId,
    signer: Option<&str>,
    now: Timestamp,
) -> Result<ReadyTx, ClaimRefusal> {
    let (mut claims, mut recipient) = (Vec::new(), "");
    for answers in all {
        let stage = WithdrawalStage::of(answers);
        let claim = WithdrawalClaim::read(&answers.withdrawal).ok().flatten().filter(|_| stage.is_ready(now));
        claims.push(claim.ok_or_else(|| ClaimRefusal::NotReady(stage.sentence(now)))?);
        recipient = &answers.withdrawal.to;
    }
    let ready = WithdrawalClaim::ready(&claims, l1, signer.unwrap_or(recipient));
    Ok(ready.ok_or(ClaimRefusal::Recipients)??)
}
