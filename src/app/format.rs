//! Formats of ages, fees and addresses for people.

use crate::domain::text::group;
pub(crate) use crate::{
    columns::fee_text,
    domain::{AddressForm, TimeForm, age, age_at, seconds},
};

/// Formats limit and used share of gas, as in ` of 12,000 (66 %)`.
pub(crate) fn gas_share(used: u64, wanted: u64) -> String {
    let share = used.saturating_mul(100).checked_div(wanted).unwrap_or_default();
    format!(" of {} ({share} %)", group(wanted))
}
