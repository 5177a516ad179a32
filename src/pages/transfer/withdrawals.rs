//! Lines of all withdrawals in one transaction; the user chooses one.

use super::{
    hops::TransferFacts,
    line::{Line, TransferLine},
    lines::heading,
};
use crate::{
    config::Meaning,
    domain::{ChainId, text},
    story::{BegunWithdrawal, Names},
};

/// Columns of an L2 sequence number, and of an address.
const NUMBER: usize = 13;
const ADDRESS: usize = 70;

impl TransferFacts<'_> {
    /// Adds one line per withdrawal: number, amount and recipient. Copying the line yields the command that claims it.
    pub(super) fn push_withdrawals(&self, lines: &mut Vec<Line>) {
        let begun = self.transfer.follower.begun_withdrawals();
        if begun.len() < 2 {
            return;
        }
        lines.push(heading(TransferLine::Withdrawals, "Withdrawals of the transaction; claim each by number"));
        for withdrawal in begun {
            let command = self.transfer.follower.current_tx().map(|tx| command(&tx.chain_id, withdrawal));
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

    /// Formats the amount that the L1 pays out.
    fn amount_of(&self, withdrawal: &BegunWithdrawal) -> String {
        let ends = self.status_view.hops.iter().filter_map(|hop| hop.to.as_ref());
        let listed = self.cx.directory.chains.value().into_iter().flat_map(|chains| chains.iter());
        let mut chains = ends.chain(listed.map(|chain| &chain.chain_id));
        let l1 = chains.find(|chain| Names::is_settlement(&self.cx.directory, chain));
        let unknown = ChainId::new("");
        Names::amount(&self.cx.directory, l1.unwrap_or(&unknown), &withdrawal.l1_denom, withdrawal.amount)
    }
}

fn command(chain: &ChainId, withdrawal: &BegunWithdrawal) -> String {
    format!("rollscope claim {chain} {}", withdrawal.sequence)
}
