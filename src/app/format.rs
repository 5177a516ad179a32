//! Formats of ages, fees and addresses for people.

use crate::domain::text::group;
pub(crate) use crate::{
    columns::fee_text,
    domain::{AddressForm, TimeForm, age, age_at, seconds},
};

/// Formats limit and used share of gas, as in ` of 12,000 (66 %)`.
pub(crate) fn gas_share(used: u64, wanted: u64) -> String {
    let share = (u128::from(used) * 100).checked_div(u128::from(wanted));
    format!(" of {}{}", group(wanted), share.map(|share| format!(" ({share} %)")).unwrap_or_default())
}
