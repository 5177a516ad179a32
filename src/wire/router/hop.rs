use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value, value::RawValue};

use super::lenient;
use crate::{
    domain::{ChainId, text::Foreign},
    wire::RawJson,
};

/// Bridge that a hop uses (`docs/apis/router.md` §5.2).
#[derive(Clone, Debug, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum HopKind {
    IbcTransfer,
    EurekaTransfer,
    AxelarTransfer,
    CctpTransfer,
    /// CCTP version 2.
    CctpTransferV2,
    HyperlaneTransfer,
    OpInitTransfer,
    GoFastTransfer,
    StargateTransfer,
    LayerZeroTransfer,
    /// Unknown kind, with its JSON key.
    #[strum(default)]
    Other(String),
}

impl HopKind {
    fn from_key(name: &str) -> Self {
        name.parse().unwrap_or_else(|_| Self::Other(name.to_owned()))
    }

    fn is_other(&self) -> bool {
        matches!(self, Self::Other(_))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum HopSlot {
    SendTx,
    ReceiveTx,
    AcknowledgeTx,
    /// Refund after a packet timeout.
    TimeoutTx,
    GasPaidTx,
    ConfirmTx,
    ApproveTx,
    ExecuteTx,
    OrderSubmittedTx,
    /// Go Fast: a solver filled the order.
    OrderFilledTx,
    /// Go Fast: the order was refunded.
    OrderRefundedTx,
    /// Go Fast: no solver filled the order in time.
    OrderTimeoutTx,
    /// `LayerZero`: call that follows the arrival.
    ComposeTx,
    ErrorTx,
    /// Unknown slot, with its JSON name.
    #[strum(default)]
    Other(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainTx {
    pub chain_id: ChainId,
    #[serde(default, deserialize_with = "lenient::text")]
    pub tx_hash: String,
    /// Hostile text: clean it before display.
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub explorer_link: Foreign,
    /// RFC 3339; empty if omitted.
    #[serde(default, deserialize_with = "lenient::text", skip_serializing_if = "String::is_empty")]
    pub on_chain_at: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HopError {
    /// Error type, such as `PACKET_ERROR_TIMEOUT`; may be empty.
    #[serde(rename = "type", default, deserialize_with = "lenient::foreign")]
    pub kind: Foreign,
    #[serde(default, deserialize_with = "lenient::foreign")]
    pub message: Foreign,
}

/// Hop of a transfer's status. Its state stays text: servers have more states than the specification.
#[derive(Clone, Debug)]
pub struct Hop {
    pub kind: HopKind,
    pub from_chain_id: Option<ChainId>,
    pub to_chain_id: Option<ChainId>,
    /// State as received, such as `TRANSFER_PENDING`.
    pub state: Foreign,
    /// Known transactions in slot order, from the wrapped or the flat JSON.
    pub txs: Vec<(HopSlot, ChainTx)>,
    pub error: Option<HopError>,
    /// Whole JSON object as received; `None` if rollscope created the hop.
    pub raw: Option<RawJson>,
}

impl Hop {
    pub fn tx(&self, slot: &HopSlot) -> Option<&ChainTx> {
        self.txs.iter().find(|(name, _)| name == slot).map(|(_, tx)| tx)
    }

    pub fn from_json(raw: RawJson) -> Result<Self, serde_json::Error> {
        let (name, inner) = lenient::kind(raw.get(), &[], |name| !HopKind::from_key(name).is_other())?
            .unwrap_or_else(|| (String::new(), "{}"));
        let kind = HopKind::from_key(&name);
        let head: Head = match serde_json::from_str(inner) {
            // An unknown kind may have fields of other types; ignore them all.
            Err(_) if kind.is_other() => Head::default(),
            head => head?,
        };
        let slots: BTreeMap<String, Box<RawValue>> = serde_json::from_str(inner)?;
        let mut hop = Self {
            kind,
            from_chain_id: head.from_chain_id.or(head.src_chain_id),
            to_chain_id: head.to_chain_id.or(head.dst_chain_id),
            state: head.state,
            txs: Vec::new(),
            error: (!head.error_message.is_empty())
                .then_some(HopError { kind: Foreign::default(), message: Foreign::new(head.error_message) }),
            raw: None,
        };
        for name in ["packet_txs", "packet", "txs"] {
            if let Some(object) = slots.get(name) {
                hop.read_slots(object.get(), 0);
            }
        }
        hop.txs.sort_by(|(first, _), (second, _)| first.cmp(second));
        hop.raw = Some(raw);
        Ok(hop)
    }

    /// Reads an object of transactions by slot; Axelar wraps the slots in one more object.
    fn read_slots(&mut self, object: &str, depth: u8) {
        let Ok(slots) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(object) else { return };
        for (name, value) in &slots {
            let text = value.get();
            if !text.starts_with('{') {
                continue;
            }
            if name == "error" {
                self.error = serde_json::from_str(text).ok().or(self.error.take());
            } else if name.ends_with("_txs") && depth == 0 {
                self.read_slots(text, 1);
            } else if let Ok(tx) = serde_json::from_str(text) {
                let slot = name.parse().unwrap_or_else(|_| HopSlot::Other(name.clone()));
                self.txs.push((slot, tx));
            }
        }
    }

    /// Returns the slots of this kind, and the JSON field that contains them.
    fn slots(&self) -> (&'static str, &'static [HopSlot]) {
        use HopSlot::{
            AcknowledgeTx, ComposeTx, ConfirmTx, ErrorTx, ExecuteTx, OrderFilledTx, OrderRefundedTx, OrderSubmittedTx,
            OrderTimeoutTx, ReceiveTx, SendTx, TimeoutTx,
        };
        match self.kind {
            HopKind::IbcTransfer | HopKind::EurekaTransfer => {
                ("packet_txs", &[SendTx, ReceiveTx, AcknowledgeTx, TimeoutTx])
            }
            HopKind::AxelarTransfer => ("txs", &[SendTx, ConfirmTx, ExecuteTx]),
            HopKind::GoFastTransfer => ("txs", &[OrderSubmittedTx, OrderFilledTx, OrderRefundedTx, OrderTimeoutTx]),
            HopKind::StargateTransfer => ("txs", &[SendTx, ReceiveTx, ErrorTx]),
            HopKind::LayerZeroTransfer => ("txs", &[SendTx, ReceiveTx, ComposeTx, ErrorTx]),
            _ => ("txs", &[SendTx, ReceiveTx]),
        }
    }
}

#[derive(Default, Deserialize)]
struct Head {
    #[serde(default, deserialize_with = "lenient::option")]
    from_chain_id: Option<ChainId>,
    #[serde(default, deserialize_with = "lenient::option")]
    to_chain_id: Option<ChainId>,
    #[serde(default, deserialize_with = "lenient::option")]
    src_chain_id: Option<ChainId>,
    #[serde(default, deserialize_with = "lenient::option")]
    dst_chain_id: Option<ChainId>,
    #[serde(default, deserialize_with = "lenient::foreign")]
    state: Foreign,
    #[serde(default, deserialize_with = "lenient::text")]
    error_message: String,
}

impl Serialize for Hop {
    /// Writes the received object. For a hop that rollscope created, writes the JSON of real servers, with `null` in
    /// empty slots.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(raw) = &self.raw {
            return raw.serialize(serializer);
        }
        let (holder, names) = self.slots();
        let value = |tx: Option<&ChainTx>| tx.map_or(Value::Null, |tx| serde_json::to_value(tx).unwrap_or(Value::Null));
        let mut txs: Map<String, Value> = names.iter().map(|slot| (slot.to_string(), value(self.tx(slot)))).collect();
        let mut inner = Map::new();
        let chain = |chain: &Option<ChainId>| chain.as_ref().map_or(Value::Null, |chain| chain.as_str().into());
        inner.insert("from_chain_id".to_owned(), chain(&self.from_chain_id));
        inner.insert("to_chain_id".to_owned(), chain(&self.to_chain_id));
        inner.insert("state".to_owned(), self.state.as_received().into());
        if self.kind == HopKind::GoFastTransfer {
            let message = self.error.as_ref().map_or(Value::Null, |error| error.message.as_received().into());
            inner.insert("error_message".to_owned(), message);
        } else if holder == "packet_txs" || self.kind == HopKind::AxelarTransfer {
            txs.insert("error".to_owned(), serde_json::to_value(&self.error).map_err(serde::ser::Error::custom)?);
        }
        inner.insert(holder.to_owned(), Value::Object(txs));
        inner.insert("src_chain_id".to_owned(), chain(&self.from_chain_id));
        inner.insert("dst_chain_id".to_owned(), chain(&self.to_chain_id));
        let object: Map<String, Value> = [(self.kind.to_string(), Value::Object(inner))].into_iter().collect();
        object.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Hop {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_json(RawJson::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
