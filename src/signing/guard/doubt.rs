//! Parts of a transaction that only the router tells: each needs the user's own yes.

use std::fmt;

use alloy_primitives::{hex, keccak256};

use crate::domain::{
    Amount, ChainId, Denom,
    text::{clip, group_digits, quoted},
};

/// Connection of two chains that a route takes. The texts are the router's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RouteConnection {
    /// OPinit bridge between an L1 and a rollup.
    Bridge { id: String, from: ChainId, to: ChainId },
    /// IBC channel of the chain `from`.
    Channel { id: String, from: ChainId, to: ChainId },
}

impl RouteConnection {
    /// Returns the name that an option of commands takes: `interwoven-1:channel-99` or `interwoven-1:bridge-78`.
    pub fn key(&self) -> String {
        match self {
            Self::Bridge { id, from, .. } => format!("{from}:bridge-{id}"),
            Self::Channel { id, from, .. } => format!("{from}:{id}"),
        }
    }
}

impl fmt::Display for RouteConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bridge { id, from, to } => {
                write!(f, "only the router says that bridge {} leads from {from} to {to}", clip(id, 20))
            }
            Self::Channel { id, from, to } => {
                write!(f, "only the router says that {} of {from} leads to {to}", clip(id, 20))
            }
        }
    }
}

/// Statement of a route that neither the signed bytes nor a source above the router prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RouteDoubt {
    /// Bridge or channel whose other end only the router tells.
    Connection(RouteConnection),
    /// Denom that arrives.
    Arrival { chain: ChainId, denom: Denom },
    /// Pool of a swap, which decides what is bought.
    Pool { chain: ChainId, pool: [u8; 32], bought: Denom, least: Option<Amount> },
    /// Text for the recipient that the quote does not have.
    Memo(String),
    /// Native coin, in its smallest unit, that a call sends in addition.
    Value { chain: ChainId, amount: Amount },
    /// Decimals that choose the token which a hook makes.
    Decimals { chain: ChainId, denom: Denom, decimals: u8 },
}

impl RouteDoubt {
    /// Returns the name that an option of commands takes, such as `interwoven-1:channel-99` or `pool:0x…`.
    pub fn key(&self) -> String {
        match self {
            Self::Connection(connection) => connection.key(),
            Self::Arrival { chain, denom } => format!("arrives:{chain}:{denom}"),
            Self::Pool { pool, .. } => format!("pool:{}", hex::encode_prefixed(pool)),
            // The text itself would not fit; its hash keeps the yes to this text.
            Self::Memo(text) => format!("memo:{}:{:.8}", text.chars().count(), hex::encode(keccak256(text))),
            Self::Value { chain, amount } => format!("value:{chain}:{amount}"),
            Self::Decimals { chain, denom, decimals } => format!("decimals:{chain}:{denom}:{decimals}"),
        }
    }

    /// Returns the option of commands that takes the key.
    pub fn option(&self) -> &'static str {
        if matches!(self, Self::Connection(_)) { "--accept-connection" } else { "--accept" }
    }

    /// Whether the doubt is about what arrives.
    pub fn is_about_arrival(&self) -> bool {
        matches!(self, Self::Arrival { .. } | Self::Pool { .. })
    }
}

impl fmt::Display for RouteDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(connection) => connection.fmt(f),
            Self::Arrival { chain, denom } => {
                write!(f, "only the router says that {} arrives on {}", denom.marked(), clip(chain.as_str(), 40))
            }
            Self::Pool { pool, bought, .. } => write!(
                f,
                "only the router says that pool {} sells {}; anyone can make a pool",
                hex::encode_prefixed(pool),
                bought.marked()
            ),
            Self::Memo(text) => write!(
                f,
                "the router adds a memo of {} characters, {}; at an exchange a memo decides who owns the funds",
                group_digits(&text.chars().count().to_string()),
                quoted(text)
            ),
            Self::Value { chain, amount } => write!(
                f,
                "the call also sends {} of the own coin of {} for a message",
                amount.display(18),
                clip(chain.as_str(), 40)
            ),
            Self::Decimals { denom, decimals, .. } => write!(
                f,
                "only the router says that {} has {decimals} decimals; other decimals make another token",
                denom.marked()
            ),
        }
    }
}
