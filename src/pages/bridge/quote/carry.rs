//! Copies and exports of the selected route and its request.

use super::QuoteSide;
use crate::{
    app::{Context, page::Export, prompt::CopyChoice},
    domain::ChainId,
    wire,
};

/// Path of route requests, below the router's address.
const PATH: &str = "/v2/fungible/route";

impl QuoteSide {
    /// Whether there is a route, or a request for one, to copy.
    pub(crate) fn has_copies(&self) -> bool {
        self.offer().route().is_some() || self.offers.has_question()
    }

    /// Returns the copyable values of the selected route.
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

    /// Exports the selected route as a file for the command line.
    pub(crate) fn export(&self) -> Option<Export> {
        let route = self.offer().route()?;
        let (from, to) = (&route.value.source_asset_chain_id, &route.value.dest_asset_chain_id);
        let name = format!("route-{}-{}.json", file_part(from), file_part(to));
        Some(Export::new(name, format!("{}\n", route.raw.get())))
    }
}

/// Makes a chain ID safe for a file name.
fn file_part(chain: &ChainId) -> String {
    let is_plain = |character: &char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_');
    let part: String = chain.as_str().chars().filter(is_plain).take(40).collect();
    if part.is_empty() { "chain".to_owned() } else { part }
}
