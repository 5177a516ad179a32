//! Rows of the rich list in a file.

use std::borrow::Cow;

use serde_json::json;

use super::state::HoldersPage;
use crate::{
    app::{
        Context,
        page::{ListFacts, TakeAway, WholeList},
    },
    columns::{PagePosition, RowsText, WrittenRow},
    domain::{DenomName, RowsFormat},
    panes::rows::HolderRow,
    story::NamedTokenRecord,
    wire::Holder,
};

/// Loaded holder with its rank, and the height and time of the list.
struct HolderLine<'a> {
    row: &'a HolderRow,
    height: Option<u64>,
    at: Option<String>,
}

impl WrittenRow<Holder> for HolderLine<'_> {
    fn value(&self) -> &Holder {
        &self.row.holder
    }

    fn json(&self) -> Cow<'_, str> {
        let Holder { account, amount } = &*self.row.holder;
        let record = json!({
            "rank": self.row.rank, "account": account, "amount": amount.to_string(), "height": self.height,
            "time": self.at,
        });
        record.to_string().into()
    }
}

impl HoldersPage {
    /// Offers the loaded holders, and all holders of the denom. The name of the loaded rows' file contains their ranks.
    pub(super) fn offer_rows<'a>(&'a self, offer: TakeAway<'a>, cx: &Context) -> TakeAway<'a> {
        let (Some(denom), Some(request)) = (&self.denom, self.request()) else { return offer };
        let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '.');
        let short: String = denom.as_str().chars().take(80).collect();
        let stem = format!("holders-{}", short.replace(|character| !is_plain(character), "-"));
        let mut facts = ListFacts::new(&stem, &self.list, Some(WholeList::new(request)));
        let rows = self.list.rows();
        if let (Some(first), Some(last)) = (rows.iter().next(), rows.iter().next_back()) {
            facts.loaded_stem = format!("{}-{}-to-{}", facts.stem, first.rank, last.rank);
        }
        let name = NamedTokenRecord::named(denom, &cx.glossary).map(DenomName::from).unwrap_or_default();
        facts.denom = Some(name.clone());
        offer.list(facts, move |format| self.loaded_text(format, name))
    }

    fn loaded_text(&self, format: RowsFormat, denom: DenomName) -> String {
        let at = self.list.state.at();
        let line = |row| HolderLine { row, height: self.height, at: at.map(|at| at.to_string()) };
        let lines: Vec<HolderLine<'_>> = self.list.rows().iter().map(line).collect();
        let mut text = RowsText::new(format, Some(denom));
        let place = PagePosition { height: self.height, at, ..PagePosition::ALONE };
        text.page(&lines.iter().collect::<Vec<_>>(), place) + text.end(true)
    }
}
