//! What a chain's state says about denoms: display units, and origins of bridged tokens and vouchers.

use std::collections::BTreeMap;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::Deserialize;
use serde_json::Value;

use super::{NodeClient, NodeError, StateQuestion, contracts::cleaned};
use crate::{
    domain::{Address, Denom, Vm},
    wire::node::{DenomClaim, DenomFact, DenomFacts, UnitReporter},
};

/// Number of concurrent requests.
const AT_ONCE: usize = 4;

/// Metadata of a fungible asset, on Move chains.
const FUNGIBLE: &str = "0x1::fungible_asset::Metadata";

/// Maximum denoms of the supply to request.
const SUPPLY: usize = 200;

#[derive(Deserialize)]
struct SuppliedDenoms {
    supply: Vec<SuppliedCoin>,
}

#[derive(Deserialize)]
struct SuppliedCoin {
    denom: String,
}

#[derive(Deserialize)]
struct MetadataAnswer {
    metadata: BankMetadata,
}

#[derive(Deserialize)]
pub(super) struct BankMetadata {
    base: String,
    #[serde(default)]
    display: String,
    #[serde(default)]
    symbol: String,
    #[serde(default)]
    denom_units: Vec<MetadataUnit>,
}

#[derive(Deserialize)]
struct MetadataUnit {
    denom: String,
    #[serde(default)]
    exponent: u8,
}

/// Answer to one denom of a request: a fact, nothing, or the contract that stands for the denom.
enum DenomAnswer {
    Known(DenomFact),
    Contract(Denom, Address),
    Nothing,
}

impl BankMetadata {
    /// Returns the unit that symbol or display name. A module writes the metadata of `l2/` and `ibc/` denoms: it names
    /// their origin at most. A symbol equal to the denom is a name only with a power of ten.
    pub(super) fn fact(self) -> Option<DenomFact> {
        let Self { base, display, symbol, denom_units } = self;
        if is_derived(&base) {
            let is_origin = !display.is_empty() && display != base;
            return is_origin.then(|| DenomFact { denom: Denom::new(base), claim: DenomClaim::Origin(display) });
        }
        let named = |name: &str| denom_units.iter().find(|unit| unit.denom.eq_ignore_ascii_case(name));
        let (symbol, display) = (symbol.trim(), display.trim());
        let unit = named(symbol).or_else(|| named(display))?;
        let symbol = if symbol.is_empty() { display } else { symbol };
        let is_name = !symbol.is_empty() && (unit.exponent > 0 || symbol != base && unit.denom != base);
        let claim =
            || DenomClaim::Unit { symbol: symbol.to_owned(), decimals: unit.exponent, reporter: UnitReporter::Bank };
        is_name.then(|| DenomFact { claim: claim(), denom: Denom::new(base.as_str()) })
    }
}

impl NodeClient {
    /// Requests what the chain says about these denoms, from the contract, the bank or the modules. Sends at most two
    /// requests per denom of the bank, and one batch for all EVM contracts. Denoms without an answer are left out.
    pub async fn denom_facts(&self, denoms: &[Denom]) -> Result<DenomFacts, NodeError> {
        let asked = denoms.to_vec();
        let answers = stream::iter(asked).map(|denom| self.readable_answer(denom)).buffered(AT_ONCE);
        let answers: Vec<DenomAnswer> = answers.try_collect().await?;
        let (mut facts, mut contracts) = (Vec::new(), BTreeMap::new());
        for answer in answers {
            match answer {
                DenomAnswer::Known(fact) => facts.push(fact),
                DenomAnswer::Contract(denom, contract) => drop(contracts.insert(denom, contract)),
                DenomAnswer::Nothing => {}
            }
        }
        let units = self.erc20_units(&contracts).await?.into_iter();
        facts.extend(units.map(|(denom, (symbol, decimals))| unit(denom, symbol, decimals, UnitReporter::Contract)));
        Ok(DenomFacts { chain_id: self.chain_id().to_owned(), facts })
    }

    /// Requests the first denoms of the bank's supply.
    pub async fn supply_denoms(&self) -> Result<Vec<Denom>, NodeError> {
        let answer: SuppliedDenoms = self.state(&StateQuestion::supply(SUPPLY), None).await?;
        Ok(answer.supply.into_iter().map(|coin| Denom::new(coin.denom)).collect())
    }

    /// Requests what the chain says about a denom. An unreadable answer is none: it must not cost the other denoms.
    async fn readable_answer(&self, denom: Denom) -> Result<DenomAnswer, NodeError> {
        match self.denom_answer(denom).await {
            Err(error) if error.is_malformed() => Ok(DenomAnswer::Nothing),
            answered => answered,
        }
    }

    async fn denom_answer(&self, denom: Denom) -> Result<DenomAnswer, NodeError> {
        let text = denom.as_str();
        let contract = |hex: &str| format!("0x{hex}").parse::<Address>().ok();
        let fact = match (self.vm(), text.split_once(['/', ':'])) {
            (Vm::Evm, Some(("evm", hex))) => {
                return Ok(contract(hex).map_or(DenomAnswer::Nothing, |of| DenomAnswer::Contract(denom, of)));
            }
            (Vm::Wasm, Some(("cw20", contract))) => match contract.parse::<Address>() {
                Ok(contract) => self
                    .cw20_unit(contract)
                    .await?
                    .map(|(symbol, decimals)| unit(denom, symbol, decimals, UnitReporter::Contract)),
                Err(_) => None,
            },
            (Vm::Move, Some(("move", hex))) => match contract(hex) {
                Some(object) => self.move_unit(denom, object).await?,
                None => None,
            },
            _ => return self.bank_answer(denom).await,
        };
        Ok(fact.map_or(DenomAnswer::Nothing, DenomAnswer::Known))
    }

    async fn bank_answer(&self, denom: Denom) -> Result<DenomAnswer, NodeError> {
        let metadata: Option<MetadataAnswer> = self.state_if_any(&StateQuestion::denom_metadata(&denom)).await?;
        let is_asked = |metadata: &BankMetadata| metadata.base == denom.as_str();
        let fact = metadata.map(|answer| answer.metadata).filter(is_asked).and_then(BankMetadata::fact);
        if let Some(fact) = fact {
            return Ok(DenomAnswer::Known(fact));
        }
        let origin = match (denom.as_str().split_once('/'), self.vm()) {
            (Some(("l2", _)), _) => {
                let answer: Option<Value> = self.state_if_any(&StateQuestion::base_denom(&denom)).await?;
                answer.and_then(|answer| Some(answer.get("base_denom")?.as_str()?.to_owned()))
            }
            (Some(("ibc", hash)), _) => self.voucher_path(hash).await?,
            (_, Vm::Evm) => {
                let answer: Option<Value> = self.state_if_any(&StateQuestion::contract_of(&denom)).await?;
                let contract = answer.and_then(|answer| answer.get("address")?.as_str()?.parse().ok());
                return Ok(contract.map_or(DenomAnswer::Nothing, |of| DenomAnswer::Contract(denom, of)));
            }
            (_, Vm::Move | Vm::Wasm) => None,
        };
        let fact = |origin| DenomAnswer::Known(DenomFact { denom, claim: DenomClaim::Origin(origin) });
        Ok(origin.map_or(DenomAnswer::Nothing, fact))
    }

    /// Requests the path of a voucher: `transfer/channel-0/uatom`.
    async fn voucher_path(&self, hash: &str) -> Result<Option<String>, NodeError> {
        let answer: Option<Value> = self.state_if_any(&StateQuestion::denom_trace(hash)).await?;
        if let Some(answer) = answer {
            let text = |field: &str| answer.pointer(field)?.as_str();
            return Ok(text("/denom_trace/path")
                .zip(text("/denom_trace/base_denom"))
                .map(|(path, base)| format!("{path}/{base}")));
        }
        let answer: Option<Value> = self.state_if_any(&StateQuestion::ibc_denom(hash)).await?;
        Ok(answer.and_then(|answer| {
            let hop =
                |hop: &Value| Some(format!("{}/{}/", hop.get("port_id")?.as_str()?, hop.get("channel_id")?.as_str()?));
            let hops: Option<String> = answer.pointer("/denom/trace")?.as_array()?.iter().map(hop).collect();
            Some(hops? + answer.pointer("/denom/base")?.as_str()?)
        }))
    }

    async fn move_unit(&self, denom: Denom, object: Address) -> Result<Option<DenomFact>, NodeError> {
        #[derive(Deserialize)]
        struct ResourceAnswer {
            resource: MoveResource,
        }
        #[derive(Deserialize)]
        struct MoveResource {
            move_resource: String,
        }
        let answer: Option<ResourceAnswer> = self.state_if_any(&StateQuestion::move_resource(object, FUNGIBLE)).await?;
        let resource = answer.and_then(|answer| serde_json::from_str::<Value>(&answer.resource.move_resource).ok());
        Ok(resource.and_then(|resource| {
            let symbol = cleaned(resource.pointer("/data/symbol")?.as_str()?)?;
            let decimals = u8::try_from(resource.pointer("/data/decimals")?.as_u64()?).ok()?;
            Some(unit(denom, symbol, decimals, UnitReporter::Contract))
        }))
    }
}

fn unit(denom: Denom, symbol: String, decimals: u8, reporter: UnitReporter) -> DenomFact {
    DenomFact { denom, claim: DenomClaim::Unit { symbol, decimals, reporter } }
}

/// Whether a module made the denom from another chain's denom.
fn is_derived(denom: &str) -> bool {
    denom.starts_with("l2/") || denom.starts_with("ibc/")
}
