//! What the form begins with, and where it is filled in from elsewhere.

use super::{Entered, Field, form::End};
use crate::{
    app::{App, bridge::BridgeSide, page::Tab, view::View},
    domain::{Amount, ChainId, Denom},
    widgets::layout::Pane,
    wire::router::AssetRelease,
};

/// The amount that the form begins with, in display units.
const START: &str = "100";

impl App {
    /// Fills in the usual way once it is known: the L1's INIT to this rollup, and where a demo wallet has enough of it also
    /// an amount, so that there are routes to look at.
    pub(super) fn fill_in(&mut self) {
        let Some(quote) = self.quote().filter(|quote| !quote.is_touched) else { return };
        if quote.form.source.chain.is_none() {
            self.fill_in_ends();
        } else if quote.form.amount.is_none() {
            self.fill_in_amount();
        }
    }

    fn fill_in_ends(&mut self) {
        let Some(own) = self.own_chain() else { return };
        let Some((home, there, here)) = self.directory.usual_way(&own) else { return };
        let Some(quote) = self.quote_mut() else { return };
        quote.form.source = End { chain: Some(home), denom: Some(there) };
        quote.form.destination = End { chain: Some(own), denom: Some(here) };
        quote.field = Field::Amount;
        self.effects.redraw = true;
        self.fill_in_amount();
    }

    fn fill_in_amount(&mut self) {
        let Some((chain, denom)) = self.quote().and_then(|quote| quote.form.source.pair()) else { return };
        let Some(held) = self.directory.held(chain, denom) else { return };
        let decimals = self.directory.decimals(chain, denom);
        let start = decimals.and_then(|decimals| Amount::from_display(START, decimals).ok());
        let amount = start.filter(|start| held >= *start).map(|amount| Entered { amount, decimals });
        if let Some(quote) = self.quote_mut() {
            quote.form.amount = amount;
        }
    }

    /// An amount was typed in smallest units, and now the decimals are known: it stays the same amount.
    pub(super) fn adopt_decimals(&mut self) {
        let Some((chain, denom)) = self.quote().and_then(|quote| quote.form.source.pair()) else { return };
        let decimals = self.directory.decimals(chain, denom);
        if let Some(Some(entered)) = self.quote_mut().map(|quote| &mut quote.form.amount)
            && decimals.is_some()
        {
            entered.decimals = decimals;
        }
    }

    /// Opens the form for a route from where funds were released. The destination is that of the transfer on screen,
    /// where its route is known, or what the form has.
    pub(in crate::app) fn open_quote_from(&mut self, release: &AssetRelease) {
        let destination = self.shown_destination();
        let decimals = self.directory.decimals(&release.chain_id, &release.denom);
        self.open_tab(Tab::Bridge);
        let View::Bridge(view) = self.navigation.current_mut() else { return };
        view.side = BridgeSide::Quote;
        let quote = &mut view.quote;
        quote.is_touched = true;
        quote.focus = Pane::First;
        quote.form.source.chain = Some(release.chain_id.clone());
        quote.form.source.denom = Some(release.denom.clone());
        quote.form.amount =
            release.amount.filter(|amount| !amount.is_zero()).map(|amount| Entered { amount, decimals });
        if let Some((chain, denom)) = destination {
            quote.form.destination.chain = Some(chain);
            quote.form.destination.denom = Some(denom);
        }
        quote.field = quote.form.lack().map_or(Field::Amount, |(field, _)| field);
        self.effects.redraw = true;
    }

    /// Where the transfer on screen was to go.
    fn shown_destination(&self) -> Option<(ChainId, Denom)> {
        let View::Transfer(page) = self.navigation.current() else { return None };
        let transfer = self.transfers.get(&page.id)?;
        let route = transfer.route()?;
        Some((route.dest_asset_chain_id.clone(), route.dest_asset_denom.clone()))
    }
}
