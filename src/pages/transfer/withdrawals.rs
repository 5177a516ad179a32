//! The withdrawals that one transaction began, for a person to choose from: of several nobody knows which is meant.

use super::{
    hops::TransferFacts,
    line::{Line, TransferLine},
    lines::heading,
};
use crate::{
    config::Meaning,
    domain::{ChainId, text},
    story::{BegunWithdrawal, transfer::Names},
};

/// Columns of a number, and of an address.
const NUMBER: usize = 13;
const ADDRESS: usize = 70;

impl TransferFacts<'_> {
    /// A line for each of several: its number, how much it is, and for whom. It copies the command that claims it.
    pub(super) fn push_withdrawals(&self, lines: &mut Vec<Line>) {
        let begun = self.transfer.begun_withdrawals();
        if begun.len() < 2 {
            return;
        }
        lines.push(heading(TransferLine::Withdrawals, "Withdrawals of the transaction, each claimed by its number"));
        for withdrawal in begun {
            let command = self.transfer.current_tx().map(|tx| command(&tx.chain_id, withdrawal));
            let command = command.unwrap_or_default();
            let line = Line::at(0)
                .with(Meaning::Key, format!("{:<NUMBER$}", withdrawal.sequence))
                .with(Meaning::Number, self.amount_of(withdrawal))
                .with(Meaning::Muted, " for ")
                .with(Meaning::Text, text::clip(&withdrawal.to, ADDRESS))
                .with(Meaning::Muted, format!("  {}", text::clean(&command)));
            lines.push(line.copying(command).named(TransferLine::Withdrawal(withdrawal.sequence)));
        }
        lines.push(Line::at(0));
    }

    /// How much it is on the chain where it is claimed.
    fn amount_of(&self, withdrawal: &BegunWithdrawal) -> String {
        let ends = self.status_view.hops.iter().filter_map(|hop| hop.to.as_ref());
        let listed = self.cx.directory.chains.value().into_iter().flat_map(|chains| chains.iter());
        let mut chains = ends.chain(listed.map(|chain| &chain.chain_id));
        let l1 = chains.find(|chain| Names::is_settlement(&self.cx.directory, chain));
        let unknown = ChainId::new("");
        Names::amount(&self.cx.directory, l1.unwrap_or(&unknown), &withdrawal.l1_denom, withdrawal.amount)
    }
}

/// What shows where it stands, and claims it.
fn command(chain: &ChainId, withdrawal: &BegunWithdrawal) -> String {
    format!("rollscope claim {chain} {}", withdrawal.sequence)
}
