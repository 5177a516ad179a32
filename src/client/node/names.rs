//! Names of a chain's tokens, and its link to its L1.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{NodeClient, NodeError, StateQuestion, denoms::BankMetadata, queries};
use crate::{
    domain::{Denom, Vm},
    wire::{
        node::{DenomFact, NodeBridge, NodeNames, OpchildParamsAnswer, RestPagination},
        opinit::{BridgeInfoAnswer, RollupBridge},
    },
};

const BRIDGE: &str = "/opinit.opchild.v1.Query/BridgeInfo";
const METADATA: &str = "/cosmos.bank.v1beta1.Query/DenomsMetadata";
const CHANNELS: &str = "/ibc.core.channel.v1.Query/Channels";
const CLIENT: &str = "/ibc.core.channel.v1.Query/ChannelClientState";

const PAGE: usize = 200;

/// Maximum pages of metadata.
const PAGES: usize = 5;

/// Maximum channels whose light client is requested.
const CHANNELS_ASKED: usize = 24;

/// Port id of token channels.
const TRANSFER: &str = "transfer";

#[derive(Deserialize)]
struct MetadataPage {
    metadatas: Vec<BankMetadata>,
    #[serde(default)]
    pagination: RestPagination,
}

#[derive(Deserialize)]
struct ChannelsPage {
    channels: Vec<Channel>,
}

#[derive(Deserialize)]
struct Channel {
    state: String,
    #[serde(rename = "port_id")]
    port: String,
    #[serde(rename = "channel_id")]
    name: String,
}

impl NodeClient {
    /// Requests the token names from the chain's state. A chain without a bridge or bank metadata has fewer names.
    pub async fn names(&self) -> Result<NodeNames, NodeError> {
        let bridge = self.bridge().await?;
        let ((gas_denom, fee_denoms), facts) = (self.fee_denoms().await?, self.bank_facts().await?);
        let supply = match self.supply_denoms().await {
            Err(error) if error.is_refusal() => Vec::new(),
            supply => supply?,
        };
        let client = bridge.as_ref().map_or("", |bridge| &bridge.l1_client_id);
        let l1_channels = if client.is_empty() { Vec::new() } else { self.channels_of(client).await? };
        let chain_id = self.chain_id().to_owned();
        Ok(NodeNames { chain_id, bridge, gas_denom, fee_denoms, supply, facts, l1_channels })
    }

    async fn bridge(&self) -> Result<Option<NodeBridge>, NodeError> {
        Ok(self.bridge_info().await?.and_then(|bridge| {
            let RollupBridge { bridge_id, l1_chain_id, l1_client_id, .. } = bridge;
            let bridge_id = bridge_id.parse().ok().filter(|id| *id > 0)?;
            Some(NodeBridge { bridge_id, l1_chain_id, l1_client_id })
        }))
    }

    /// Requests the chain's OPinit bridge; `None` if the application has no bridge.
    pub async fn bridge_info(&self) -> Result<Option<RollupBridge>, NodeError> {
        let answer: Option<BridgeInfoAnswer> = self.state_or_none(BRIDGE, &json!({})).await?;
        let bridge = answer.map(|BridgeInfoAnswer { bridge_info }| RollupBridge {
            chain_id: self.chain_id().to_owned(),
            ..bridge_info
        });
        Ok(bridge.filter(|bridge| bridge.bridge_id != "0"))
    }

    /// Returns the denom in which an EVM chain counts gas, and all denoms in which the chain takes fees.
    async fn fee_denoms(&self) -> Result<(Option<Denom>, Vec<Denom>), NodeError> {
        let evm: Option<Value> = match self.vm() {
            Vm::Evm => self.state_if_any(&StateQuestion::evm_params()).await?,
            Vm::Move | Vm::Wasm => None,
        };
        let of_evm = evm.as_ref().and_then(|answer| answer.pointer("/params/fee_denom")?.as_str()).map(Denom::new);
        let params: Option<OpchildParamsAnswer> = self.state_if_any(&StateQuestion::opchild_params()).await?;
        let priced = params.into_iter().flat_map(|answer| answer.params.min_gas_prices);
        let priced = priced.map(|price| Denom::new(price.denom));
        Ok((of_evm.clone(), of_evm.into_iter().chain(priced).collect()))
    }

    async fn bank_facts(&self) -> Result<Vec<DenomFact>, NodeError> {
        let (mut facts, mut key) = (Vec::new(), String::new());
        for _ in 0..PAGES {
            let request = json!({"pagination": queries::page_after(&key, PAGE)});
            let page: Option<MetadataPage> = self.state_or_none(METADATA, &request).await?;
            let Some(page) = page else { break };
            facts.extend(page.metadatas.into_iter().filter_map(BankMetadata::fact));
            key = page.pagination.next_key;
            if key.is_empty() {
                break;
            }
        }
        Ok(facts)
    }

    /// Returns the open token channels that use this light client.
    async fn channels_of(&self, client: &str) -> Result<Vec<(String, String)>, NodeError> {
        let request = json!({"pagination": queries::page_after("", PAGE)});
        let page: Option<ChannelsPage> = self.state_or_none(CHANNELS, &request).await?;
        let channels = page.map(|page| page.channels).unwrap_or_default().into_iter();
        let is_candidate = |channel: &Channel| channel.port == TRANSFER && channel.state == "STATE_OPEN";
        let mut found = Vec::new();
        for channel in channels.filter(is_candidate).take(CHANNELS_ASKED) {
            let request = json!({"port_id": channel.port, "channel_id": channel.name});
            let answer: Option<Value> = self.state_or_none(CLIENT, &request).await?;
            let of = answer.as_ref().and_then(|answer| answer.pointer("/identified_client_state/client_id")?.as_str());
            if of == Some(client) {
                found.push((channel.port, channel.name));
            }
        }
        Ok(found)
    }

    /// Sends a state query; `None` if the application refuses it.
    async fn state_or_none<T: DeserializeOwned>(&self, path: &str, request: &Value) -> Result<Option<T>, NodeError> {
        match self.query_state(path, request, None).await {
            Ok((answer, _)) => serde_json::from_value(answer).map(Some).map_err(|error| self.misread(path, &error)),
            Err(error) if error.is_refusal() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
