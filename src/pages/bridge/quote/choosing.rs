//! Requests for the account's balances and for the assets that a route can reach, for an open list of assets.

use std::sync::Arc;

use super::{FormField, QuoteSide};
use crate::{
    app::{
        Context,
        page::{PageCx, PageEffect},
        prompt::PickPurpose,
    },
    domain::ChainId,
    msg::ask,
    pages::bridge::BridgePage,
    widgets::layout::Pane,
    wire::router::{BalancesQuery, BalancesRequest, ReachRequest},
};

impl QuoteSide {
    /// Requests missing data for the asset list of the cursor's field.
    pub(super) fn learn_assets(&mut self, cx: &mut PageCx<'_>) {
        let accounts = cx.context.transfers.accounts.as_ref();
        if self.answers.wallet.as_ref() != accounts {
            self.answers.held.clear();
            self.answers.wallet = accounts.cloned();
        }
        let end = match self.field {
            FormField::DestinationAsset => &self.form.destination,
            FormField::SourceAsset => &self.form.source,
            // The amount has the connected wallet's balance beside it.
            _ if accounts.is_some() => &self.form.source,
            _ => return,
        };
        if self.focus != Pane::First || !cx.context.has_router() {
            return;
        }
        if let Some(chain) = end.chain.clone().filter(|chain| !self.answers.held.contains_key(chain))
            && own_address(&chain, cx.context).is_some()
        {
            self.answers.held.insert(chain, None);
            // At most one request is pending. A new one includes the chains that have no answer yet.
            let unanswered = self.answers.held.iter().filter(|(_, held)| held.is_none()).map(|(chain, _)| chain);
            let query = |address| BalancesQuery { address, denoms: Vec::new() };
            let chains = unanswered.filter_map(|chain| Some((chain.clone(), query(own_address(chain, cx.context)?))));
            let request = BalancesRequest { chains: chains.collect() };
            cx.request(ask::router_balances(Arc::new(request)), |page: &mut BridgePage, result, cx| {
                // After a failure the list keeps its content.
                let Ok(balances) = result else { return };
                let answered = balances.chains.iter().map(|(chain, held)| (chain.clone(), Some(held.clone())));
                page.quote.answers.held.extend(answered);
                page.quote.describe_assets(cx);
            });
        }
        let wanted = self.form.source.pair().map(|(chain, denom)| ReachRequest {
            source_asset_chain_id: chain.clone(),
            source_asset_denom: denom.clone(),
            allow_multi_tx: true,
        });
        if let Some(request) = wanted.filter(|_| self.field == FormField::DestinationAsset)
            && self.answers.reach.as_ref().is_none_or(|(asked, _)| *asked != request)
        {
            self.answers.reach = Some((request.clone(), None));
            cx.request(ask::reach(request), |page: &mut BridgePage, result, cx| {
                let Ok(reach) = result else { return };
                if let Some((_, answer)) = &mut page.quote.answers.reach {
                    *answer = Some(reach);
                }
                page.quote.describe_assets(cx);
            });
        }
    }

    /// Updates the details in an open asset list.
    fn describe_assets(&mut self, cx: &mut PageCx<'_>) {
        for purpose in [PickPurpose::SourceAsset, PickPurpose::DestinationAsset] {
            let is_destination = purpose == PickPurpose::DestinationAsset;
            let end = if is_destination { &self.form.destination } else { &self.form.source };
            if let Some(chain) = &end.chain {
                let choices = cx.context.directory.asset_choices(chain, &self.answers.of(chain, is_destination));
                cx.emit(PageEffect::Describe(purpose, choices));
            }
        }
    }
}

/// Returns the user's address on a chain: the connected wallet's, else the demo wallet's, else the one in the newest
/// kept transfer.
fn own_address(chain: &ChainId, cx: &Context) -> Option<String> {
    if let Some(accounts) = &cx.transfers.accounts {
        let rule = cx.directory.address_rule(chain, cx.own_chain().as_ref());
        return accounts.on(chain, &rule).map(|address| address.as_str().to_owned());
    }
    let wallet = cx.directory.wallet().and_then(|wallet| wallet.addresses.get(chain).cloned());
    wallet.or_else(|| {
        cx.transfers.all().iter().find_map(|transfer| {
            let route = transfer.follower.route()?;
            let place = route.required_chain_addresses.iter().position(|needed| needed == chain)?;
            // The last address receives, so it may belong to someone else.
            let is_own = place + 1 < route.required_chain_addresses.len();
            transfer.follower.record.addresses.get(place).filter(|_| is_own).cloned()
        })
    })
}
