use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::lenient;
use crate::{
    domain::{Amount, ChainId, Denom},
    wire::RawJson,
};

/// What an operation of a route does (`docs/apis/router.md` §1.3).
#[derive(Clone, Debug, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum OperationKind {
    /// An IBC transfer.
    Transfer,
    /// A transfer to another account of the same chain.
    BankSend,
    /// A swap on a Cosmos chain.
    Swap,
    /// A swap on an EVM chain.
    EvmSwap,
    /// Axelar.
    AxelarTransfer,
    /// Circle's burn and mint.
    CctpTransfer,
    /// Hyperlane.
    HyperlaneTransfer,
    /// The optimistic bridge, in either direction.
    OpInitTransfer,
    /// Go Fast: a solver pays out at once.
    GoFastTransfer,
    /// Stargate.
    StargateTransfer,
    /// `LayerZero`.
    LayerZeroTransfer,
    /// IBC Eureka.
    EurekaTransfer,
    /// A kind that this version does not know, by its key.
    #[strum(default)]
    Other(String),
}

impl OperationKind {
    /// The kind with this key.
    fn of(name: &str) -> Self {
        name.parse().unwrap_or_else(|_| Self::Other(name.to_owned()))
    }

    fn is_other(&self) -> bool {
        matches!(self, Self::Other(_))
    }

    /// Whether it happens within one chain: such operations never appear as a hop of the status.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::BankSend | Self::Swap | Self::EvmSwap)
    }
}

/// One step of a route. Its JSON travels back to the server verbatim; what is read of it is for showing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The whole object as received.
    pub raw: RawJson,
    /// What it does.
    pub kind: OperationKind,
    /// Which of the route's signed transactions does it.
    pub tx_index: u32,
    /// What goes in, in the smallest unit of `denom_in`.
    pub amount_in: Option<Amount>,
    /// What comes out, in the smallest unit of `denom_out`.
    pub amount_out: Option<Amount>,
    /// What it is read of.
    pub facts: OperationFacts,
}

/// What is read of an operation's inner object; every field may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct OperationFacts {
    /// Where it starts; for a swap, where it is.
    #[serde(default, deserialize_with = "lenient::option")]
    pub from_chain_id: Option<ChainId>,
    /// Where it ends.
    #[serde(default, deserialize_with = "lenient::option")]
    pub to_chain_id: Option<ChainId>,
    /// Where a swap or a send is.
    #[serde(default, deserialize_with = "lenient::option")]
    pub chain_id: Option<ChainId>,
    /// The asset before, on its own chain.
    #[serde(default, deserialize_with = "lenient::option")]
    pub denom_in: Option<Denom>,
    /// The asset after, on its own chain.
    #[serde(default, deserialize_with = "lenient::option")]
    pub denom_out: Option<Denom>,
    /// The asset of a send.
    #[serde(default, deserialize_with = "lenient::option")]
    pub denom: Option<Denom>,
    /// `IBC`, `OPINIT`, `CCTP`…
    #[serde(default, deserialize_with = "lenient::text")]
    pub bridge_id: String,
    /// The IBC channel on the sending side.
    #[serde(default, deserialize_with = "lenient::text")]
    pub channel: String,
    /// The number of the optimistic bridge.
    #[serde(default, deserialize_with = "lenient::text")]
    pub op_init_bridge_id: String,
    /// Whether a paid relayer finishes it.
    #[serde(default, deserialize_with = "lenient::truth")]
    pub smart_relay: bool,
    /// Until when the relayer's quote holds, RFC 3339; empty without one.
    #[serde(default, rename = "smart_relay_fee_quote", deserialize_with = "quote_expiration")]
    pub relay_quote_expires: String,
    /// What a message over `LayerZero` costs on top, in the smallest unit of the coin that pays it.
    #[serde(default, deserialize_with = "lenient::option")]
    pub messaging_fee_amount: Option<Amount>,
    /// Venues of a swap; an entry of another form is left out.
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
    /// Reads an operation from its JSON.
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
        let inner = lenient::kind(raw.get(), &beside, |name| !OperationKind::of(name).is_other())?;
        let (name, inner) = inner.unwrap_or_else(|| (String::new(), "{}"));
        let kind = OperationKind::of(&name);
        let head: Head = match serde_json::from_str(raw.get()) {
            // What a kind that this version does not know has beside it may have other forms: then there is nothing.
            Err(_) if kind.is_other() => Head::default(),
            head => head?,
        };
        // Facts are for showing only: where they have other forms there are none, and the rest of the route still
        // shows.
        let facts = serde_json::from_str(inner).unwrap_or_default();
        let (amount_in, amount_out) = (head.amount_in, head.amount_out);
        Ok(Self { raw, kind, tx_index: head.tx_index.unwrap_or(0), amount_in, amount_out, facts })
    }

    /// Where it starts.
    pub fn from_chain(&self) -> Option<&ChainId> {
        self.facts.from_chain_id.as_ref().or(self.facts.chain_id.as_ref())
    }

    /// Where its result is.
    pub fn to_chain(&self) -> Option<&ChainId> {
        let own = self.facts.chain_id.as_ref().filter(|_| self.kind.is_local());
        self.facts.to_chain_id.as_ref().or(own).or(self.facts.from_chain_id.as_ref())
    }

    /// The asset before, on the chain where it starts.
    pub fn denom_in(&self) -> Option<&Denom> {
        self.facts.denom_in.as_ref().or(self.facts.denom.as_ref())
    }

    /// The asset after, on the chain where it ends.
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
