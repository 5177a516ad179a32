//! Withdrawals to the L1 that begin in a block.

use crate::{
    demo::{
        chain::BridgeWithdrawal,
        ledger::common::{
            record::{DepositHook, DepositRecord, Msg, TokenId, TxOutcome, TxRecord},
            render::{self, Render, RenderView, bridge},
        },
    },
    domain::Height,
};

/// Sequence number, sender and recipient, token, amount.
type Begun = (u64, [String; 2], TokenId, u128);

/// Returns the withdrawals that begin in these transactions; `first` is the global number of the first transaction.
pub(super) fn begun<F: Render>(view: RenderView<'_>, first: u64, txs: &[TxRecord<F>]) -> Vec<BridgeWithdrawal> {
    let mut all = Vec::new();
    for (number, tx) in (first..).zip(txs).filter(|(_, tx)| tx.outcome == TxOutcome::Success) {
        let view = RenderView { number, ..view };
        let mut found = Vec::new();
        tx.messages.iter().for_each(|msg| collect(&view, msg, &mut found));
        for (sequence, [from, to], token, amount) in found {
            all.push(BridgeWithdrawal {
                sequence,
                height: Height::new(view.height).unwrap_or(Height::FIRST),
                tx_hash: render::hash(&view, tx),
                from,
                to,
                l1_denom: bridge::base_denom(&view, token),
                amount: u64::try_from(amount).unwrap_or(u64::MAX),
            });
        }
    }
    all
}

fn collect<F: Render>(view: &RenderView<'_>, msg: &Msg<F>, found: &mut Vec<Begun>) {
    match msg {
        Msg::Withdraw { sender, to, token, amount, sequence } => {
            let sender = view.party(*sender).bech32.to_string();
            let to = to.as_deref().map_or_else(|| sender.clone(), str::to_owned);
            found.push((*sequence, [sender, to], *token, *amount));
        }
        Msg::Deposit(deposit) => found.extend(sent_back(view, deposit)),
        Msg::Exec { inner, .. } => inner.iter().for_each(|msg| collect(view, msg, found)),
        _ => {}
    }
}

/// Returns the withdrawal that sends back a deposit which the rollup could not credit.
fn sent_back(view: &RenderView<'_>, deposit: &DepositRecord) -> Option<Begun> {
    let (DepositHook::Refused { withdrawal } | DepositHook::TakenBack { withdrawal, .. }) = deposit.hook else {
        return None;
    };
    let ends = [view.party(deposit.to).bech32.to_string(), bridge::depositor(view, deposit)];
    Some((withdrawal, ends, deposit.token, deposit.amount))
}
