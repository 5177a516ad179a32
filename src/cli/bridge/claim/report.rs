//! Stages of withdrawals as JSON, table and CSV.

use serde::{Deserialize, Serialize};

use super::super::{
    super::table::{Align, Heading, TableCell},
    print::{BridgeAnswer, OutputStyle},
    router_names::RouterNames,
};
use crate::{
    domain::{Amount, ChainId, Denom, Timestamp},
    story::{Names as _, WithdrawalStage},
    wire::opinit::{ExecutorWithdrawal, SettlementAnswers},
};

const COLUMNS: &[Heading] = &[
    ("Number", Align::Right),
    ("Amount", Align::Right),
    ("Stage", Align::Left),
    ("Claimable", Align::Left),
    ("As of", Align::Left),
];

/// Stage of a withdrawal as JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ClaimReport {
    chain_id: ChainId,
    l1_chain_id: ChainId,
    bridge_id: u64,
    sequence: u64,
    from: String,
    to: String,
    denom: Denom,
    amount: Amount,
    tx_hash: Option<String>,
    /// Name of the stage: `unproposed`, `unconfirmed`, `proposed`, `ready`, `disproven` or `claimed`.
    stage: String,
    sentence: String,
    output_index: Option<u64>,
    proposed: Option<Timestamp>,
    claimable: Option<Timestamp>,
    /// Time of the newest response from executor and L1.
    as_of: Timestamp,
}

impl ClaimReport {
    pub(super) fn of(answers: &SettlementAnswers, stage: &WithdrawalStage, chain_id: &ChainId, l1: &ChainId) -> Self {
        let ExecutorWithdrawal { bridge_id, sequence, from, to, amount, tx_hash, output_index, .. } =
            &answers.withdrawal;
        let word = match stage {
            WithdrawalStage::Unproposed => "unproposed",
            WithdrawalStage::Unconfirmed { .. } => "unconfirmed",
            WithdrawalStage::Proposed { .. } if stage.is_ready(answers.at) => "ready",
            WithdrawalStage::Proposed { .. } => "proposed",
            WithdrawalStage::Disproven(_) => "disproven",
            WithdrawalStage::Claimed => "claimed",
        };
        Self {
            chain_id: chain_id.clone(),
            l1_chain_id: l1.clone(),
            bridge_id: *bridge_id,
            sequence: *sequence,
            from: from.clone(),
            to: to.clone(),
            denom: Denom::new(amount.denom.as_str()),
            amount: amount.amount,
            tx_hash: tx_hash.clone(),
            stage: word.to_owned(),
            sentence: stage.sentence(answers.at),
            output_index: Some(*output_index).filter(|index| *index > 0),
            proposed: match stage {
                WithdrawalStage::Proposed { proposed, .. } => Some(*proposed),
                _ => None,
            },
            claimable: stage.claimable(),
            as_of: answers.at,
        }
    }
}

impl BridgeAnswer for ClaimReport {
    const CSV: &'static [&'static str] =
        &["chain_id", "sequence", "from", "to", "denom", "amount", "stage", "output_index", "proposed", "claimable"];

    fn csv(&self) -> Vec<Vec<String>> {
        vec![self.record()]
    }

    fn chains(&self) -> Vec<ChainId> {
        vec![self.l1_chain_id.clone()]
    }

    fn table(&self, names: &RouterNames, style: OutputStyle) -> String {
        let mut fields = vec![
            ("Stands", TableCell::new(&self.sentence)),
            ("Withdrawal", TableCell::new(format!("#{} of bridge {}", self.sequence, self.bridge_id))),
            ("Amount", TableCell::new(names.amount(&self.l1_chain_id, &self.denom, self.amount))),
            ("From", TableCell::new(&self.from)),
            ("To", TableCell::new(&self.to)),
        ];
        if let Some(claimable) = self.claimable {
            fields.push(("Claimable", TableCell::new(format!("{}, from the L1", claimable.cut_to_seconds()))));
        }
        fields.push(("As of", TableCell::new(self.as_of.cut_to_seconds().to_string())));
        style.details(&fields)
    }
}

impl ClaimReport {
    fn record(&self) -> Vec<String> {
        let or_empty = |value: Option<String>| value.unwrap_or_default();
        vec![
            self.chain_id.to_string(),
            self.sequence.to_string(),
            self.from.clone(),
            self.to.clone(),
            self.denom.to_string(),
            self.amount.to_string(),
            self.stage.clone(),
            or_empty(self.output_index.map(|index| index.to_string())),
            or_empty(self.proposed.map(|time| time.to_string())),
            or_empty(self.claimable.map(|time| time.to_string())),
        ]
    }
}

impl BridgeAnswer for Vec<ClaimReport> {
    const CSV: &'static [&'static str] = ClaimReport::CSV;

    fn csv(&self) -> Vec<Vec<String>> {
        self.iter().map(ClaimReport::record).collect()
    }

    fn chains(&self) -> Vec<ChainId> {
        self.first().map(ClaimReport::chains).unwrap_or_default()
    }

    fn table(&self, names: &RouterNames, style: OutputStyle) -> String {
        if self.is_empty() {
            return "no unclaimed withdrawals\n".to_owned();
        }
        let time = |time: Timestamp| TableCell::new(time.cut_to_seconds().to_string());
        let row = |one: &ClaimReport| {
            vec![
                TableCell::new(one.sequence.to_string()),
                TableCell::new(names.amount(&one.l1_chain_id, &one.denom, one.amount)),
                TableCell::new(&one.stage),
                one.claimable.map_or_else(|| TableCell::new("unknown"), time),
                time(one.as_of),
            ]
        };
        style.rows(COLUMNS, &self.iter().map(row).collect::<Vec<_>>())
    }
}
