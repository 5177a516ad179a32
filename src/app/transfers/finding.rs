//! Lookup of the user's unclaimed withdrawals.

use std::{collections::BTreeSet, sync::Arc};

use super::{TransferCx, Transfers, open_claims::PACE};
use crate::{
    domain::{Address, AddressRule, ChainId, Timestamp},
    msg::{Ask, OpenQuestion, Slot, ask},
    wire::{ApiError, opinit::OpenWithdrawals},
};

/// Maximum accounts to look up.
const MOST_ACCOUNTS: usize = 16;

impl Transfers {
    /// Asks for the withdrawals of the user's accounts, while a screen shows them.
    pub(super) fn ask_open(&mut self, cx: &mut TransferCx<'_>) {
        if cx.facts.labelled.is_none() || cx.facts.executor.is_none() {
            return;
        }
        let Some(l1) = cx.claims_l1() else { return };
        let accounts = self.own_accounts(&l1, cx);
        self.open.by_account.retain(|account, _| accounts.contains(account));
        for account in accounts {
            let known = self.open.by_account.get(&account);
            let slot = Slot::OpenWithdrawals(account);
            if known.and_then(|of| of.asked).is_some_and(|at| at.after(PACE) > cx.facts.now) || cx.is_waiting(&slot) {
                continue;
            }
            let Some(ask) = self.open_question(account, cx) else { return };
            let of = self.open.by_account.entry(account).or_default();
            of.asked = Some(cx.facts.now);
            of.claims.ask(cx.facts.now);
            cx.request(slot, ask, move |transfers, result, cx| transfers.take_open(account, result, cx));
        }
    }

    /// Returns when to ask for the withdrawals next.
    pub(super) fn next_open(&self, cx: &TransferCx<'_>) -> Option<Timestamp> {
        self.open.next().filter(|_| cx.facts.labelled.is_some())
    }

    /// Drops the ages, so that the withdrawals are looked up again at once.
    pub(super) fn ask_open_again(&mut self) {
        for of in self.open.by_account.values_mut() {
            of.asked = None;
        }
    }

    /// Returns the request for an account's withdrawals; `None` without an executor or an L1.
    pub(super) fn open_question(&mut self, account: Address, cx: &TransferCx<'_>) -> Option<Ask<Arc<OpenWithdrawals>>> {
        let l1 = cx.claims_l1()?;
        let trusted = cx.directory.trust(&l1, cx.facts.own_chain.as_ref()).rest;
        self.open.is_l1_of_router = trusted.is_none();
        let listed = || cx.directory.settlement().filter(|listed| listed.chain_id == l1).map(|info| info.rest.clone());
        let executor = cx.facts.executor.clone()?;
        let paid = self.open.by_account.get(&account).map(|of| of.paid.clone()).unwrap_or_default();
        let l1_rest = trusted.or_else(listed);
        Some(ask::open_withdrawals(Arc::new(OpenQuestion { account, executor, l1_rest, paid })))
    }

    pub(super) fn take_open(
        &mut self,
        account: Address,
        result: Result<Arc<OpenWithdrawals>, ApiError>,
        cx: &mut TransferCx<'_>,
    ) {
        self.open.settle(account, result, cx.facts.now);
        self.version += 1;
        cx.redraw();
    }

    /// Returns the user's accounts on the L1: of the connected wallet, the demo wallet, kept transfers, and accounts
    /// that the user named.
    fn own_accounts(&self, l1: &ChainId, cx: &TransferCx<'_>) -> BTreeSet<Address> {
        let connected = self.accounts.as_ref().and_then(|accounts| accounts.on(l1, &AddressRule::Initia));
        let connected = connected.and_then(|address| address.account());
        let demo = cx.directory.wallet().and_then(|wallet| wallet.addresses.get(l1)?.parse().ok());
        let here = self.all.iter().filter(|transfer| transfer.follower.record.gone_chain.is_none());
        let kept = here.flat_map(|transfer| {
            let route = transfer.follower.route();
            let place = route.and_then(|route| route.required_chain_addresses.iter().position(|chain| chain == l1));
            let routed = place.and_then(|place| transfer.follower.record.addresses.get(place));
            let begun = transfer.follower.begun_withdrawals().iter().map(|begun| &begun.to);
            routed.into_iter().chain(begun).filter_map(|address| address.parse().ok())
        });
        let labelled = cx.facts.labelled.iter().flatten().copied();
        connected.into_iter().chain(demo).chain(kept).chain(labelled).take(MOST_ACCOUNTS).collect()
    }
}

impl TransferCx<'_> {
    /// Returns the L1 of the withdrawals, once its servers are known.
    pub(super) fn claims_l1(&self) -> Option<ChainId> {
        let listed = || self.directory.settlement().map(|chain| chain.chain_id.clone());
        let is_known = !self.facts.has_router || !self.directory.awaits_chains();
        self.facts.l1.clone().or_else(listed).filter(|_| is_known)
    }
}
