use crate::domain::text::Foreign;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::lenient;
use crate::{
    domain::{Amount, ChainId, Denom},
    wire::RawJson,
};

/// Kind of a route's operation (`docs/apis/router.md` §1.3).
#[derive(Clone, Debug, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum OperationKind {
    Transfer,
    /// Transfer to another account on this chain.
    BankSend,
    Swap,
    EvmSwap,
    AxelarTransfer,
    CctpTransfer,
    HyperlaneTransfer,
    /// OPinit bridge, in either direction.
    OpInitTransfer,
    /// Go Fast: a solver pays out at once.
    GoFastTransfer,
    StargateTransfer,
    LayerZeroTransfer,
    EurekaTransfer,
    /// Unknown kind, with its JSON key.
    #[strum(default)]
    Other(String),
}

impl OperationKind {
    fn from_key(name: &str) -> Self {
        name.parse().unwrap_or_else(|_| Self::Other(name.to_owned()))
    }

    fn is_other(&self) -> bool {
        matches!(self, Self::Other(_))
    }

    /// Whether the operation buys another asset.
    pub fn is_swap(&self) -> bool {
        matches!(self, Self::Swap | Self::EvmSwap)
    }

    /// Whether the operation stays on one chain: the status never lists such an operation as a hop.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::BankSend | Self::Swap | Self::EvmSwap)
    }
}

/// Step of a route. rollscope sends its JSON back verbatim and uses the parsed fields for display only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Whole JSON object as received.
    pub raw: RawJson,
    pub kind: OperationKind,
    pub tx_index: u32,
    /// Input amount, in the smallest unit of `denom_in`.
    pub amount_in: Option<Amount>,
    /// Output amount, in the smallest unit of `denom_out`.
    pub amount_out: Option<Amount>,
    pub facts: OperationFacts,
}

/// Parsed fields of an operation's inner object; the server may omit any field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct OperationFacts {
    /// Starting chain; for a swap, the chain that executes it.
    #[serde(default, deserialize_with = "lenient::option")]
    pub from_chain_id: Option<ChainId>,
    #[serde(default, deserialize_with = "lenient::option")]
    pub to_chain_id: Option<ChainId>,
    #[serde(default, deserialize_with = "lenient::option")]
    pub chain_id: Option<ChainId>,
    /// Input denom, on the starting chain.
    #[serde(default, deserialize_with = "lenient::option")]
    pub denom_in: Option<Denom>,
    /// Output denom, on the destination chain.
    #[serde(default, deserialize_with = "lenient::option")]
    pub denom_out: Option<Denom>,
    #[serde(default, deserialize_with = "lenient::option")]
    pub denom: Option<Denom>,
    /// Bridge, such as `IBC`, `OPINIT` or `CCTP`.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub bridge_id: Foreign,
    /// IBC channel on the sending side.
    #[serde(default, deserialize_with = "lenient::text")]
    pub channel: String,
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub op_init_bridge_id: Foreign,
    /// Whether a paid relayer completes the transfer.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub smart_relay: bool,
    /// Expiry of the relayer's quote, RFC 3339; empty without a quote.
    #[serde(default, rename = "smart_relay_fee_quote", deserialize_with = "quote_expiration")]
    pub relay_quote_expires: String,
    /// Extra fee of a `LayerZero` message, in the smallest unit of the fee coin.
    #[serde(default, deserialize_with = "lenient::option")]
    pub messaging_fee_amount: Option<Amount>,
    /// Venues of a swap; the reader skips invalid entries.
    #[serde(default, deserialize_with = "lenient::readable")]
    pub swap_venues: Vec<super::SwapVenue>,
}

fn quote_expiration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    struct Quote {
        #[serde(default, deserialize_with = "lenient::text")]
        expiration: String,
    }
    Ok(lenient::object::<Quote, D>(deserializer)?.map(|quote| quote.expiration).unwrap_or_default())
}

impl Operation {
    pub fn from_json(raw: RawJson) -> Result<Self, serde_json::Error> {
        #[derive(Default, Deserialize)]
        struct Head {
            #[serde(default, deserialize_with = "lenient::option")]
            tx_index: Option<u32>,
            #[serde(default, deserialize_with = "lenient::option")]
            amount_in: Option<Amount>,
            #[serde(default, deserialize_with = "lenient::option")]
            amount_out: Option<Amount>,
        }
        let beside = ["tx_index", "amount_in", "amount_out"];
        let inner = lenient::kind(raw.get(), &beside, |name| !OperationKind::from_key(name).is_other())?;
        let (name, inner) = inner.unwrap_or_else(|| (String::new(), "{}"));
        let kind = OperationKind::from_key(&name);
        let head: Head = match serde_json::from_str(raw.get()) {
            // An unknown kind may have fields of other types; ignore them all.
            Err(_) if kind.is_other() => Head::default(),
            head => head?,
        };
        // For display only: drop invalid fields, so that the rest of the route still shows.
        let facts = serde_json::from_str(inner).unwrap_or_default();
        let (amount_in, amount_out) = (head.amount_in, head.amount_out);
        Ok(Self { raw, kind, tx_index: head.tx_index.unwrap_or(0), amount_in, amount_out, facts })
    }

    pub fn from_chain(&self) -> Option<&ChainId> {
        self.facts.from_chain_id.as_ref().or(self.facts.chain_id.as_ref())
    }

    pub fn to_chain(&self) -> Option<&ChainId> {
        let own = self.facts.chain_id.as_ref().filter(|_| self.kind.is_local());
        self.facts.to_chain_id.as_ref().or(own).or(self.facts.from_chain_id.as_ref())
    }

    /// Returns the input denom, on the starting chain.
    pub fn denom_in(&self) -> Option<&Denom> {
        self.facts.denom_in.as_ref().or(self.facts.denom.as_ref())
    }

    /// Returns the pools of a swap, as the router names them; empty if it names none.
    pub fn pools(&self) -> Vec<String> {
        let Ok(step) = serde_json::from_str::<serde_json::Value>(self.raw.get()) else { return Vec::new() };
        let steps = ["/swap/swap_in/swap_operations", "/swap/swap_out/swap_operations"];
        let steps = steps.iter().find_map(|path| step.pointer(path)?.as_array());
        steps.into_iter().flatten().filter_map(|one| Some(one.get("pool")?.as_str()?.to_owned())).collect()
    }

    /// Returns the output denom, on the destination chain.
    pub fn denom_out(&self) -> Option<&Denom> {
        self.facts.denom_out.as_ref().or(self.facts.denom.as_ref())
    }
}

impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Operation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_json(RawJson::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
