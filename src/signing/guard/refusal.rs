//! Reasons for refusing a router's transactions.

use crate::{
    domain::{Address, Amount, ChainId, Denom, text::clip},
    signing::{EffectError, EthereumCallError, MessageError},
    wire::router::RouteMisfit,
};

/// Difference from the accepted quote, or an unknown part. Texts of the router are truncated, but may contain control
/// characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SigningRefusal {
    #[error("the router sent {found} transactions to sign; the quote has {quoted}")]
    Count { quoted: usize, found: usize },
    /// Quote whose steps do not lead from its start to its end.
    #[error("the quote contradicts itself: {0}")]
    Inconsistent(#[from] RouteMisfit),
    /// Bridge of another rollup than the route's, by the settings, the registry or the chain.
    #[error("the route goes over bridge {}, but bridge {known} is the bridge of {rollup}", clip(.found, 20))]
    Bridge { rollup: ChainId, known: u64, found: String },
    /// Bridge between other chains than the route's, by the settings, the registry or the chain.
    #[error("the route says that bridge {} leads to {found}, but it leads to {known}", clip(.bridge, 20))]
    BridgeEnds { bridge: String, known: ChainId, found: ChainId },
    /// Channel to another chain than the route's, by the settings or the registry.
    #[error("the route takes {} of {chain} to {found}, but that channel leads to {known}", clip(.channel, 20))]
    Channel { chain: ChainId, channel: String, known: ChainId, found: ChainId },
    /// Decimals that the router lists, against the settings or the registry.
    #[error("the router lists {} with {found} decimals, but the known decimals are {known}", .denom.marked())]
    Decimals { denom: Denom, known: u8, found: u8 },
    /// Denom that arrives, against bridge, channel or simulation.
    #[error(
        "what arrives on {} by what you would sign is {}, but the router says {}", clip(.chain.as_str(), 40),
        clip(.derived, 160), .quoted.marked()
    )]
    Yield { chain: ChainId, derived: String, quoted: Denom },
    /// Amount that arrives, against what is signed.
    #[error("{derived} arrives by what you would sign, but the router says {quoted}, in the smallest unit")]
    YieldAmount { derived: Amount, quoted: Amount },
    /// Hook that could convert nothing.
    #[error("the hook has no allowance for its contract, so it could convert nothing")]
    NoAllowance,
    /// Quote that lacks a required value.
    #[error("the quote does not state {0}, so rollscope cannot compare it")]
    Quote(&'static str),
    #[error("rollscope cannot sign transactions of the kind “{}”", clip(.0, 40))]
    Kind(String),
    #[error("the transaction is for {found}, the quote for {quoted}")]
    Chain { quoted: ChainId, found: ChainId },
    /// The signer is another account.
    #[error("the transaction's signer is {}, not {}", clip(.found, 80), clip(.expected, 80))]
    Signer {
        /// Signer according to the user's addresses.
        expected: String,
        found: String,
    },
    #[error("the transaction sends {}; the quote sends {}", clip(.found, 80), .quoted.marked())]
    SourceAsset { quoted: Denom, found: String },
    /// The transaction takes more than the accepted amount.
    #[error("the transaction sends {found}; the quote sends {quoted}, in the smallest unit")]
    AmountAbove { quoted: Amount, found: Amount },
    /// Less than the accepted amount leaves, so that less than quoted would arrive.
    #[error("the transaction sends only {found}; the quote sends {quoted}, in the smallest unit")]
    AmountBelow { quoted: Amount, found: Amount },
    #[error("the recipient is {}, not {}{}", clip(.found, 80), clip(.expected, 80), unseen(.found, .expected))]
    Receiver { expected: String, found: String },
    /// The transaction's path differs from the quote: another channel, bridge or step.
    #[error("the router sent {}, but the quote has {}", clip(.found, 80), clip(.quoted, 80))]
    Step { quoted: String, found: String },
    /// Wait that the router chose: over already, too short, or too long.
    #[error("{what} {found}; rollscope signs for 30 seconds to a day from now")]
    Wait { what: &'static str, found: String },
    /// Less than the accepted amount may arrive.
    #[error("the transaction may yield only {}, but you accepted at least {least}, in the smallest unit",
        .found.map_or_else(|| "nothing".to_owned(), |found| found.to_string()))]
    MinimumBelow {
        /// Accepted minimum, in the smallest unit.
        least: Amount,
        /// Guaranteed minimum in the smallest unit; `None` if the route guarantees no amount.
        found: Option<Amount>,
    },
    /// An account other than the next called contract gets an allowance.
    #[error("{} gets an allowance, but the next call is to {}", clip(.found, 80), clip(.called, 80))]
    Spender {
        /// Contract called next.
        called: String,
        /// Account that gets the allowance.
        found: String,
    },
    /// The allowance differs from the amount that the call takes.
    #[error("the allowance is {found}, but the call takes {taken}, in the smallest unit")]
    AllowanceAmount {
        /// Amount that the call takes, in the smallest unit.
        taken: Amount,
        /// Amount of the allowance, in the smallest unit.
        found: Amount,
    },
    /// A hook involves a contract that only the router names.
    #[error("unknown contract {} on {chain_id}: only the router names it", .address.checksummed())]
    UnknownContract { chain_id: ChainId, address: Address },
    #[error("the attached hook differs from the hook that you signed")]
    Hook,
    #[error(transparent)]
    Message(#[from] MessageError),
    #[error(transparent)]
    Call(#[from] EthereumCallError),
    /// rollscope does not know the effect of a message or call.
    #[error(transparent)]
    Undecodable(#[from] EffectError),
}

impl SigningRefusal {
    /// Whether the router contradicts what is signed, or a source above it.
    pub fn contradicts_facts(&self) -> bool {
        matches!(
            self,
            Self::Yield { .. }
                | Self::YieldAmount { .. }
                | Self::Bridge { .. }
                | Self::BridgeEnds { .. }
                | Self::Channel { .. }
                | Self::Decimals { .. }
                | Self::Signer { .. }
                | Self::Receiver { .. }
                | Self::AmountAbove { .. }
                | Self::NoAllowance
                | Self::Hook
        )
    }

    /// Whether the effect is unknown, as opposed to different from the quote.
    pub fn is_unknown(&self) -> bool {
        matches!(
            self,
            Self::Undecodable(EffectError::Unknown(_))
                | Self::UnknownContract { .. }
                | Self::Message(MessageError::UnsupportedType(_) | MessageError::UnknownField { .. })
        )
    }
}

/// Explains texts that look alike.
fn unseen(found: &str, expected: &str) -> &'static str {
    let is_alike = found != expected && clip(found, 80) == clip(expected, 80);
    if is_alike { ", in characters that are not shown" } else { "" }
}
