//! Names of chains and amounts in a description of what is signed: a name of a router stands in quotes.

use crate::{
    domain::{
        Amount, ChainId, Denom,
        text::{clip, quoted_within},
    },
    story::names::chain_names::{Names, UnitSource},
};

/// Names a chain; quotes a name that only a router gives, beside the id.
pub(super) fn shown_chain(chain: &ChainId, names: &dyn Names) -> String {
    match names.settled_chain(chain) {
        Some(name) => name,
        None => full_chain(chain, names),
    }
}

pub(super) fn full_chain(chain: &ChainId, names: &dyn Names) -> String {
    let (name, id) = (names.chain(chain), clip(chain.as_str(), 40));
    match names.settled_chain(chain) {
        Some(settled) if settled == id => settled,
        Some(settled) => format!("{settled} ({id})"),
        None if name == id => id,
        None => format!("{} ({id})", quoted_within(&name, 24)),
    }
}

/// Formats an amount: in display units for a named denom, else in the smallest unit with the full denom; in both where
/// only a router knows the display units.
pub(in crate::story) fn exact_amount(names: &dyn Names, chain: &ChainId, denom: &Denom, amount: Amount) -> String {
    let exact = || format!("{} {}", amount.display(0), denom.marked());
    match names.unit_source(chain, denom) {
        UnitSource::Known if is_named(names, chain, denom) => names.amount(chain, denom, amount),
        UnitSource::Issuer => format!("{} (exactly {})", names.amount(chain, denom, amount), exact()),
        UnitSource::Router => {
            format!("{} (by the router's units; exactly {})", quoted_unit(names, chain, denom, amount), exact())
        }
        UnitSource::Known | UnitSource::Nobody => exact(),
    }
}

/// Formats an amount with its symbol in quotes.
pub(super) fn quoted_unit(names: &dyn Names, chain: &ChainId, denom: &Denom, amount: Amount) -> String {
    let (shown, symbol) = (names.amount(chain, denom, amount), names.denom(chain, denom));
    match shown.strip_suffix(&symbol) {
        Some(number) => format!("{number}{}", quoted_within(&symbol, 24)),
        None => shown,
    }
}

/// Whether a denom has a name other than a part of itself.
pub(super) fn is_named(names: &dyn Names, chain: &ChainId, denom: &Denom) -> bool {
    let short = denom.short();
    short == denom.as_str() || names.denom(chain, denom) != short
}
