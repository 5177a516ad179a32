//! Fills the form: with defaults, or with values from other pages.

use super::{
    FormField, QuoteSide,
    form::{EnteredAmount, RouteEnd},
};
use crate::{
    app::{Context, page::PageCx},
    domain::{Amount, ChainId, Denom},
    widgets::layout::Pane,
    wire::router::AssetRelease,
};

/// Amount that the form starts with, in display units.
const START: &str = "100";

impl QuoteSide {
    /// Fills in the ends of the newest transfer, or else the usual route from the L1's INIT to this rollup, and an
    /// amount if the demo wallet has enough.
    pub(super) fn fill_in(&mut self, cx: &mut PageCx<'_>) {
        if self.is_touched {
            return;
        }
        if self.form.source.chain.is_none() {
            self.fill_in_ends(cx);
        } else if self.form.amount.is_none() {
            self.fill_in_amount(cx.context);
        }
    }

    fn fill_in_ends(&mut self, cx: &mut PageCx<'_>) {
        let Some(own) = cx.context.own_chain() else { return };
        let Some(usual) = cx.context.directory.usual_way(&own) else { return };
        let last = cx.context.transfers.last_way();
        let ((from, there), (to, here)) = last.unwrap_or(((usual.0, usual.1), (own, usual.2)));
        self.form.source = RouteEnd { chain: Some(from), denom: Some(there) };
        self.form.destination = RouteEnd { chain: Some(to), denom: Some(here) };
        self.field = FormField::Amount;
        cx.redraw();
        self.fill_in_amount(cx.context);
    }

    fn fill_in_amount(&mut self, cx: &Context) {
        let Some((chain, denom)) = self.form.source.pair() else { return };
        let Some(held) = cx.directory.held(chain, denom) else { return };
        let decimals = cx.directory.decimals(chain, denom);
        let start = decimals.and_then(|decimals| Amount::from_display(START, decimals).ok());
        self.form.amount = start.filter(|start| held >= *start).map(|amount| EnteredAmount { amount, decimals });
    }

    /// Converts an amount in the smallest unit once the decimals are known. Its value does not change.
    pub(super) fn adopt_decimals(&mut self, cx: &Context) {
        let Some((chain, denom)) = self.form.source.pair() else { return };
        let decimals = cx.directory.decimals(chain, denom);
        if let Some(entered) = &mut self.form.amount
            && decimals.is_some()
        {
            entered.decimals = decimals;
        }
    }

    /// Starts a form at the chain that released funds, to `to` or to the current destination.
    pub(crate) fn begin_from(&mut self, release: AssetRelease, to: Option<(ChainId, Denom)>, cx: &Context) {
        let decimals = cx.directory.decimals(&release.chain_id, &release.denom);
        self.is_touched = true;
        self.focus = Pane::First;
        self.form.source = RouteEnd { chain: Some(release.chain_id), denom: Some(release.denom) };
        self.form.amount =
            release.amount.filter(|amount| !amount.is_zero()).map(|amount| EnteredAmount { amount, decimals });
        if let Some((chain, denom)) = to {
            self.form.destination = RouteEnd { chain: Some(chain), denom: Some(denom) };
        }
        self.field = self.form.lack().map_or(FormField::Amount, |(field, _)| field);
    }
}
