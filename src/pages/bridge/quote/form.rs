//! What is filled in: two ends and an amount, and what becomes of it as a question to the router.

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
    /// The field so many rows below in the same column, as far as there are rows; the last row has one alone.
    pub(crate) fn below(self, rows: isize) -> Self {
        let row = (self as usize / 2).saturating_add_signed(rows).min(Self::Amount as usize / 2);
        let place = (row * 2 + self as usize % 2).min(Self::Amount as usize);
        Self::iter().nth(place).unwrap_or(self)
    }

    /// The other field of the same row; the amount has none.
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

/// One end of the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RouteEnd {
    pub(crate) chain: Option<ChainId>,
    /// The asset on it.
    pub(crate) denom: Option<Denom>,
}

impl RouteEnd {
    /// Both, where both are there.
    pub(crate) fn pair(&self) -> Option<(&ChainId, &Denom)> {
        Some((self.chain.as_ref()?, self.denom.as_ref()?))
    }
}

/// An amount, and the unit that it was typed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EnteredAmount {
    /// In the smallest unit.
    pub(crate) amount: Amount,
    /// Places after the point of the asset when it was typed; `None` where nobody knew.
    pub(crate) decimals: Option<u8>,
}

impl EnteredAmount {
    /// As it is typed.
    pub(crate) fn text(self) -> String {
        self.amount.display(self.decimals.unwrap_or(0))
    }

    /// The same number of display units of an asset with other decimals; `None` where that is not exact, or where nobody
    /// knows what a unit is.
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
    /// Where the funds are.
    pub(crate) source: RouteEnd,
    /// Where they shall be.
    pub(crate) destination: RouteEnd,
    pub(crate) amount: Option<EnteredAmount>,
}

impl QuoteForm {
    /// What the router is asked without any preference; `None` while something lacks.
    pub(super) fn request(&self) -> Option<RouteRequest> {
        let (source_chain, source) = self.source.pair()?;
        let (destination_chain, destination) = self.destination.pair()?;
        Some(RouteRequest {
            amount_in: self.amount?.amount,
            source_asset_chain_id: source_chain.clone(),
            source_asset_denom: source.clone(),
            dest_asset_chain_id: destination_chain.clone(),
            dest_asset_denom: destination.clone(),
            // Said in any case: absent it means opposite things to different servers. Warnings come with the route.
            allow_unsafe: Some(true),
            go_fast: None,
            is_op_withdraw: None,
            allow_multi_tx: Some(true),
        })
    }

    /// What to fill in next, in words.
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

/// Reads what was typed as an amount of an asset with these decimals, or as smallest units where nobody knows them.
pub(super) fn read_amount(text: &str, decimals: Option<u8>) -> Result<EnteredAmount, String> {
    if !is_well_grouped(text) {
        return Err("a comma only groups thousands, as in 1,234.5; places follow a point".to_owned());
    }
    let amount = Amount::from_display(text, decimals.unwrap_or(0)).map_err(|error| match (error, decimals) {
        (DisplayAmountError::TooManyDecimals { .. }, None) => {
            "nobody says how many places this asset has: a whole number of its smallest unit is needed".to_owned()
        }
        (error, _) => error.to_string(),
    })?;
    if amount.is_zero() {
        return Err("nothing cannot be sent: the amount must be over 0".to_owned());
    }
    Ok(EnteredAmount { amount, decimals })
}

/// Whether commas stand between groups of three digits only: `1,5` is one and a half to many, and must not become 15.
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
            ("1.0000001", Some(6), "6 places"),
            ("x", Some(6), "not an amount"),
            ("-3", Some(6), "not an amount"),
            ("1,5", Some(6), "groups thousands"),
            ("1.5,0", Some(6), "groups thousands"),
            (&"9".repeat(70), Some(18), "no chain can count"),
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
