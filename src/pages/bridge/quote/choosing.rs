//! What is asked of the router so that assets can be told apart: what one's account holds, and what a route leads to.

use std::{collections::BTreeMap, sync::Arc};

use super::{FormField, QuoteSide};
use crate::{
    app::{
        Context,
        directory::AssetFacts,
        page::{Cx, Wish},
        prompt::PickPurpose,
    },
    domain::ChainId,
    msg::{Answer, PageNeed, Request},
    widgets::layout::Pane,
    wire::{
        ApiError,
        router::{BalancesQuery, BalancesRequest, ChainBalances, ReachRequest, ReachResponse},
    },
};

/// What the router said of assets; each question is asked once, and again with `r`.
#[derive(Debug, Default)]
pub(crate) struct AssetAnswers {
    /// What the asset to send can become, with the question.
    reach: Option<(ReachRequest, Option<Arc<ReachResponse>>)>,
    /// What one's account holds, by chain; `None` while that is not known.
    held: BTreeMap<ChainId, Option<ChainBalances>>,
}

impl AssetAnswers {
    /// What is known of the assets of a chain; of those to receive also which a route leads to.
    pub(super) fn of(&self, chain: &ChainId, is_destination: bool) -> AssetFacts<'_> {
        let reach = self.reach.as_ref().and_then(|(_, reach)| reach.as_ref()).filter(|_| is_destination);
        AssetFacts {
            balances: self.held.get(chain).and_then(Option::as_ref),
            reachable: reach
                .map(|reach| reach.dest_assets.get(chain).map(|list| list.assets.as_slice()).unwrap_or_default()),
        }
    }

    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

impl QuoteSide {
    /// Asks what is lacking for the list of the field with the cursor.
    pub(super) fn learn_assets(&mut self, cx: &mut Cx<'_>) {
        let end = match self.field {
            FormField::SourceAsset => &self.form.source,
            FormField::DestinationAsset => &self.form.destination,
            _ => return,
        };
        if self.focus != Pane::First || !cx.has_router() {
            return;
        }
        if let Some(chain) = end.chain.clone().filter(|chain| !self.answers.held.contains_key(chain))
            && own_address(&chain, cx).is_some()
        {
            self.answers.held.insert(chain, None);
            // One question at a time: what is still unanswered is asked once more along with what is new.
            let unanswered = self.answers.held.iter().filter(|(_, held)| held.is_none()).map(|(chain, _)| chain);
            let query = |address| BalancesQuery { address, denoms: Vec::new() };
            let chains = unanswered.filter_map(|chain| Some((chain.clone(), query(own_address(chain, cx)?))));
            let request = BalancesRequest { chains: chains.collect() };
            cx.fetch(PageNeed::Held, Request::RouterBalances(Arc::new(request)));
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
            cx.fetch(PageNeed::Reach, Request::Reach(request));
        }
    }

    /// One of these answers came; without one the list is as it was.
    pub(super) fn take_assets(&mut self, result: Result<Answer, ApiError>, cx: &mut Cx<'_>) {
        match result {
            Ok(Answer::RouterBalances(balances)) => {
                let answered = balances.chains.iter().map(|(chain, held)| (chain.clone(), Some(held.clone())));
                self.answers.held.extend(answered);
            }
            Ok(Answer::Reach(reach)) => {
                if let Some((_, answer)) = &mut self.answers.reach {
                    *answer = Some(reach);
                }
            }
            _ => return,
        }
        for purpose in [PickPurpose::SourceAsset, PickPurpose::DestinationAsset] {
            let is_destination = purpose == PickPurpose::DestinationAsset;
            let end = if is_destination { &self.form.destination } else { &self.form.source };
            if let Some(chain) = &end.chain {
                let choices = cx.directory.asset_choices(chain, &self.answers.of(chain, is_destination));
                cx.wish(Wish::Describe(purpose, choices));
            }
        }
    }
}

/// One's account on a chain: the demo wallet's, else that of the newest kept transfer that needed one there.
fn own_address(chain: &ChainId, cx: &Context) -> Option<String> {
    let wallet = cx.directory.wallet().and_then(|wallet| wallet.addresses.get(chain).cloned());
    wallet.or_else(|| {
        cx.transfers.all().iter().find_map(|transfer| {
            let route = transfer.route()?;
            let place = route.required_chain_addresses.iter().position(|needed| needed == chain)?;
            // The last one receives, and may be somebody else's.
            let is_own = place + 1 < route.required_chain_addresses.len();
            transfer.record.addresses.get(place).filter(|_| is_own).cloned()
        })
    })
}
