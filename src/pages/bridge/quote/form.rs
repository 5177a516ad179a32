//! Quote form: two ends, an amount, and the route request that they make.

use strum::IntoEnumIterator as _;

use crate::{
    domain::{Amount, ChainId, Denom, DisplayAmountError},
    wire::router::RouteRequest,
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter)]
pub(crate) enum FormField {
    #[default]
    SourceChain,
    SourceAsset,
    DestinationChain,
    DestinationAsset,
    Amount,
}

impl FormField {
    /// Returns the field `rows` below in the column, clamped to the form. The last row has one field.
    pub(crate) fn below(self, rows: isize) -> Self {
        let row = (self as usize / 2).saturating_add_signed(rows).min(Self::Amount as usize / 2);
        let place = (row * 2 + self as usize % 2).min(Self::Amount as usize);
        Self::iter().nth(place).unwrap_or(self)
    }

    /// Returns the other field in the row; the amount has no neighbour and returns itself.
    pub(crate) fn beside(self) -> Self {
        match self {
            Self::SourceChain => Self::SourceAsset,
            Self::SourceAsset => Self::SourceChain,
            Self::DestinationChain => Self::DestinationAsset,
            Self::DestinationAsset => Self::DestinationChain,
            Self::Amount => Self::Amount,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RouteEnd {
    pub(crate) chain: Option<ChainId>,
    pub(crate) denom: Option<Denom>,
}

impl RouteEnd {
    pub(crate) fn pair(&self) -> Option<(&ChainId, &Denom)> {
        Some((self.chain.as_ref()?, self.denom.as_ref()?))
    }
}

/// Amount, with the decimals that applied when the user entered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EnteredAmount {
    pub(crate) amount: Amount,
    /// Decimals of the asset at that time; `None` if unknown.
    pub(crate) decimals: Option<u8>,
}

impl EnteredAmount {
    pub(crate) fn text(self) -> String {
        self.amount.display(self.decimals.unwrap_or(0))
    }

    /// Converts the amount to an asset with other decimals; `None` if the result is not exact or the decimals are
    /// unknown.
    pub(super) fn carried_to(self, decimals: Option<u8>) -> Option<Self> {
        match (self.decimals, decimals) {
            (None, None) => Some(self),
            (Some(_), Some(other)) => {
                Some(Self { amount: Amount::from_display(&self.text(), other).ok()?, decimals: Some(other) })
            }
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct QuoteForm {
    pub(crate) source: RouteEnd,
    pub(crate) destination: RouteEnd,
    pub(crate) amount: Option<EnteredAmount>,
}

impl QuoteForm {
    /// Returns the chosen chains, each once.
    pub(crate) fn chains(&self) -> Vec<ChainId> {
        let mut chains: Vec<ChainId> =
            [&self.source, &self.destination].into_iter().filter_map(|end| end.chain.clone()).collect();
        chains.dedup();
        chains
    }

    /// Returns the route request, without routing preferences; `None` for an incomplete form.
    pub(super) fn request(&self) -> Option<RouteRequest> {
        let (source_chain, source) = self.source.pair()?;
        let (destination_chain, destination) = self.destination.pair()?;
        Some(RouteRequest {
            amount_in: self.amount?.amount,
            source_asset_chain_id: source_chain.clone(),
            source_asset_denom: source.clone(),
            dest_asset_chain_id: destination_chain.clone(),
            dest_asset_denom: destination.clone(),
            // Servers differ in the default, so it is always sent. The route includes the warnings.
            allow_unsafe: Some(true),
            go_fast: None,
            is_op_withdraw: None,
            allow_multi_tx: Some(true),
        })
    }

    /// Returns the first field that is missing, and what the user must do.
    pub(crate) fn lack(&self) -> Option<(FormField, &'static str)> {
        [
            (self.source.chain.is_none(), FormField::SourceChain, "choose the chain to send from"),
            (self.source.denom.is_none(), FormField::SourceAsset, "choose the asset to send"),
            (self.destination.chain.is_none(), FormField::DestinationChain, "choose the chain to send to"),
            (self.destination.denom.is_none(), FormField::DestinationAsset, "choose the asset to receive"),
            (self.amount.is_none(), FormField::Amount, "type the amount to send"),
        ]
        .into_iter()
        .find_map(|(lacks, field, sentence)| lacks.then_some((field, sentence)))
    }
}

/// Parses an amount: in display units if the decimals are known, else in the smallest unit.
pub(super) fn read_amount(text: &str, decimals: Option<u8>) -> Result<EnteredAmount, String> {
    if !is_well_grouped(text) {
        return Err("write thousands as 1,234 and decimals after a point".to_owned());
    }
    let amount = Amount::from_display(text, decimals.unwrap_or(0)).map_err(|error| match (error, decimals) {
        (DisplayAmountError::TooManyDecimals { .. }, None) => {
            "decimals unknown: write a whole number of smallest units".to_owned()
        }
        (error, _) => error.to_string(),
    })?;
    if amount.is_zero() {
        return Err("the amount must be over 0".to_owned());
    }
    Ok(EnteredAmount { amount, decimals })
}

/// Whether commas only separate groups of three digits. Many people write one and a half as `1,5`, which must not
/// become 15.
fn is_well_grouped(text: &str) -> bool {
    let (whole, places) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let is_grouped = whole.contains(',');
    !places.contains(',') && (!is_grouped || (1..=3).contains(&first.len())) && groups.all(|group| group.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_refused_in_words() {
        for (text, decimals, words) in [
            ("0", Some(6), "over 0"),
            ("0.0", Some(6), "over 0"),
            ("1.0000001", Some(6), "6 decimal places"),
            ("x", Some(6), "not an amount"),
            ("-3", Some(6), "not an amount"),
            ("1,5", Some(6), "write thousands"),
            ("1.5,0", Some(6), "write thousands"),
            (&"9".repeat(70), Some(18), "exceeds the limit of a chain"),
            ("1.5", None, "smallest unit"),
        ] {
            let refusal = read_amount(text, decimals).expect_err(text);
            assert!(refusal.contains(words), "{text}: {refusal}");
        }
        assert_eq!(read_amount("1,234.5", Some(6)).unwrap().amount, Amount::from(1_234_500_000));
        assert_eq!(read_amount("12,345", None).unwrap().amount, Amount::from(12_345));
    }

    #[test]
    fn an_amount_goes_over_to_other_decimals_only_where_it_stays_the_same() {
        let entered = |text, decimals| read_amount(text, decimals).unwrap();
        assert_eq!(entered("1.5", Some(6)).carried_to(Some(18)), Some(entered("1.5", Some(18))));
        assert_eq!(entered("1.0000000000001", Some(18)).carried_to(Some(6)), None);
        assert_eq!(entered("1500000", None).carried_to(Some(6)), None);
        assert_eq!(entered("1.5", Some(6)).carried_to(None), None);
    }
}
