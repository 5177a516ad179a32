//! Suggestion of an unknown chain to a wallet: what settings and registry know, else the router's list. The user sees
//! the suggestion first.

use serde_json::{Value, json};

use super::{ChainTrust, FeeUnit};
use crate::{
    domain::{
        ChainId, GasPrice,
        text::{clean, clip},
    },
    wire::router::{ChainInfo, ChainKind},
};

/// Maximum columns of a chain's name.
const NAME: usize = 40;
/// Coin type (SLIP-44) of Ethereum keys; Initia's chains use it.
const COIN_TYPE: u32 = 60;

/// Chain in the format that wallets accept. The router chose its URLs, so rollscope accepts only valid URLs and shows
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainSuggestion {
    chain_id: ChainId,
    pub name: String,
    /// URLs that the wallet would query.
    pub addresses: Vec<String>,
    pub currency: FeeUnit,
    /// Whether the router told one of the URLs.
    is_routed: bool,
    /// Gas prices, low, average, high; and whether only the router told them.
    prices: Option<([String; 3], bool)>,
}

impl ChainSuggestion {
    /// Creates a suggestion from a router's entry of an Initia or EVM chain. `None` if a required value is missing, and
    /// for other chains, because their key derivation is unknown.
    pub fn new(info: &ChainInfo, trust: &ChainTrust, units: &[FeeUnit]) -> Option<Self> {
        let is_web = |address: &&String| address.starts_with("https://") || address.starts_with("http://");
        let known = trust.fees.first();
        let asset = info.fee_assets.first();
        let denom = known.map(|fee| &fee.denom).or(asset.map(|asset| &asset.denom))?;
        let currency = units.iter().find(|unit| unit.denom.is_same(denom))?.clone();
        let servers: Vec<(Option<&String>, &String)> = match info.kind() {
            ChainKind::Evm if currency.decimals == 18 => vec![(trust.json_rpc.as_ref(), &info.json_rpc)],
            ChainKind::Cosmos if info.bech32_prefix == "init" => {
                vec![(trust.rpc.as_ref(), &info.rpc), (trust.rest.as_ref(), &info.rest)]
            }
            _ => return None,
        };
        let is_routed = servers.iter().any(|(known, _)| known.is_none());
        let addresses: Vec<&String> = servers.into_iter().map(|(known, listed)| known.unwrap_or(listed)).collect();
        let settled = known.and_then(|fee| fee.price.as_ref()).map(GasPrice::number);
        let listed = asset.filter(|asset| asset.denom.is_same(denom)).and_then(|asset| asset.gas_price.as_ref());
        let listed = listed.map(|price| [&price.low, &price.average, &price.high].map(Clone::clone));
        let prices = match settled {
            Some(price) => Some((std::array::from_fn(|_| price.clone()), false)),
            None => listed.map(|prices| (prices, true)),
        };
        addresses.iter().all(is_web).then(|| Self {
            chain_id: info.chain_id.clone(),
            name: trust.name.clone().unwrap_or_else(|| {
                info.name().map_or_else(|| clean(info.chain_id.as_str()).into_owned(), |name| name.clipped(NAME))
            }),
            addresses: addresses.into_iter().map(|address| clean(address).into_owned()).collect(),
            currency,
            is_routed,
            prices,
        })
    }

    /// Describes the suggestion to the user before the wallet receives it.
    pub fn words(&self) -> String {
        let by_router = |is_routed: bool| if is_routed { " of the router's list" } else { "" };
        let prices = self.prices.as_ref().map(|([_, average, _], is_routed)| {
            let denom = self.currency.denom.marked();
            format!(", with the gas price {} {denom}{}", clip(average, 24), by_router(*is_routed))
        });
        let (addresses, is_routed) = (self.addresses.join(" and "), by_router(self.is_routed));
        format!("{} (if new to the wallet), from {addresses}{is_routed}{}", self.name, prices.unwrap_or_default())
    }

    /// Formats the suggestion for `experimentalSuggestChain`; `None` for an EVM chain.
    pub fn keplr(&self) -> Option<Value> {
        let [rpc, rest] = self.addresses.as_slice() else { return None };
        let FeeUnit { denom, symbol, decimals, .. } = &self.currency;
        let currency = json!({"coinDenom": symbol, "coinMinimalDenom": denom.as_str(), "coinDecimals": decimals});
        let mut fee = currency.clone();
        if let Some(([low, average, high], _)) = &self.prices {
            let number = |text: &String| text.parse::<serde_json::Number>().ok();
            if let (Some(low), Some(average), Some(high)) = (number(low), number(average), number(high))
                && let Some(fee) = fee.as_object_mut()
            {
                let prices = json!({"low": low, "average": average, "high": high});
                fee.insert("gasPriceStep".to_owned(), prices);
            }
        }
        Some(json!({
            "chainId": self.chain_id.as_str(),
            "chainName": self.name,
            "rpc": rpc,
            "rest": rest,
            "bip44": {"coinType": COIN_TYPE},
            "bech32Config": {
                "bech32PrefixAccAddr": "init", "bech32PrefixAccPub": "initpub",
                "bech32PrefixValAddr": "initvaloper", "bech32PrefixValPub": "initvaloperpub",
                "bech32PrefixConsAddr": "initvalcons", "bech32PrefixConsPub": "initvalconspub",
            },
            "currencies": [currency],
            "feeCurrencies": [fee],
            "features": ["eth-address-gen", "eth-key-sign"],
        }))
    }

    /// Returns the JSON-RPC URL of an EVM chain; `None` for other chains.
    pub fn json_rpc(&self) -> Option<&str> {
        if let [address] = self.addresses.as_slice() { Some(address) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Denom;

    fn info(kind: &str, json_rpc: &str) -> ChainInfo {
        let fee = json!({"denom": "uinit", "gas_price": {"low": "0.015", "average": "0.02", "high": "0.04"}});
        let text = json!({"chain_id": "minimove-1", "chain_type": kind, "pretty_name": "Mini", "rpc": "https://rpc.example",
            "rest": "https://rest.example", "json_rpc": json_rpc, "fee_assets": [fee],
            "bech32_prefix": if kind == "evm" { "" } else { "init" }});
        serde_json::from_value(text).unwrap()
    }

    fn units(decimals: u8) -> [FeeUnit; 1] {
        [FeeUnit { denom: Denom::new("uinit"), symbol: "INIT".to_owned(), decimals, is_routed: false }]
    }

    #[test]
    fn keplr_is_told_what_the_list_says_with_numbers_as_numbers() {
        let suggestion = ChainSuggestion::new(&info("cosmos", ""), &ChainTrust::default(), &units(6)).unwrap();
        let chain = suggestion.keplr().unwrap();
        assert_eq!((&chain["chainId"], &chain["bip44"]["coinType"]), (&json!("minimove-1"), &json!(60)));
        assert_eq!(chain["feeCurrencies"][0]["coinDecimals"], 6);
        let step = &chain["feeCurrencies"][0]["gasPriceStep"];
        let prices = ["low", "average", "high"].map(|name| step[name].to_string());
        assert_eq!(prices, ["0.015", "0.02", "0.04"]);
        assert!(suggestion.words().contains("https://rpc.example and https://rest.example"), "{}", suggestion.words());
        assert_eq!(suggestion.json_rpc(), None);
    }

    #[test]
    fn an_evm_chain_needs_a_json_rpc_of_the_web_and_a_coin_of_18_decimals() {
        let nobody = ChainTrust::default();
        let evm = |address, decimals| ChainSuggestion::new(&info("evm", address), &nobody, &units(decimals));
        assert_eq!(evm("https://evm.example", 18).unwrap().json_rpc(), Some("https://evm.example"));
        assert_eq!((evm("https://evm.example", 6), evm("", 18), evm("file:///x", 18)), (None, None, None));
        let unnamed = ChainSuggestion::new(&info("cosmos", ""), &nobody, &[]);
        assert_eq!(unnamed, None, "nobody says what its coin is called");
        let mine = ChainTrust {
            name: Some("mine".to_owned()),
            json_rpc: Some("http://127.0.0.1:8545".to_owned()),
            ..ChainTrust::default()
        };
        let own = ChainSuggestion::new(&info("evm", "https://evil.example"), &mine, &units(18)).unwrap();
        assert_eq!((own.name.as_str(), own.json_rpc()), ("mine", Some("http://127.0.0.1:8545")));
        assert!(!own.words().contains("http://127.0.0.1:8545 of the router's list"), "{}", own.words());
    }
}
