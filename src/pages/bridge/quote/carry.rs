//! What can be taken away from the quote: the route, the question for it.

use super::QuoteSide;
use crate::{
    app::{Context, page::Export, prompt::CopyChoice},
    domain::ChainId,
    wire,
};

/// Where routes are asked for, below the router's address.
const PATH: &str = "/v2/fungible/route";

impl QuoteSide {
    /// Whether there is a route, or at least a question for one.
    pub(crate) fn has_copies(&self) -> bool {
        self.offer().route().is_some() || self.offers.has_question()
    }

    /// What can be copied of the chosen route.
    pub(crate) fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        let mut choices = Vec::new();
        if let Some(route) = self.offer().route() {
            choices.push(CopyChoice::document('j', "route as JSON", route.raw.get().to_owned()));
        }
        if let (Some(request), Some(router)) = (self.offers.request(self.chosen), &cx.network.router)
            && let Ok(json) = serde_json::to_string(&request)
        {
            let text = wire::curl_post(&format!("{router}{PATH}"), &json);
            choices.push(CopyChoice::value('c', "curl command of the route", text));
        }
        choices
    }

    /// The chosen route as a file that the command line reads.
    pub(crate) fn export(&self) -> Option<Export> {
        let route = self.offer().route()?;
        let (from, to) = (&route.value.source_asset_chain_id, &route.value.dest_asset_chain_id);
        let name = format!("route-{}-{}.json", file_part(from), file_part(to));
        Some(Export::new(name, format!("{}\n", route.raw.get())))
    }
}

/// A chain's id as a part of a file's name, whatever a router calls its chains.
fn file_part(chain: &ChainId) -> String {
    let is_plain = |character: &char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_');
    let part: String = chain.as_str().chars().filter(is_plain).take(40).collect();
    if part.is_empty() { "chain".to_owned() } else { part }
}
