//! Suggestion of an unknown chain to a wallet, from the router's list. The user sees the suggestion first.

use serde_json::{Value, json};

use super::FeeUnit;
use crate::{
    domain::{ChainId, text::clean},
    wire::router::{ChainInfo, ChainKind},
};

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
    /// Gas prices from the router's list: low, average, high.
    prices: Option<[String; 3]>,
}

impl ChainSuggestion {
    /// Creates a suggestion from a router's entry of an Initia or EVM chain. `None` if a required value is missing, and
    /// for other chains, because their key derivation is unknown.
    pub fn new(info: &ChainInfo, units: &[FeeUnit]) -> Option<Self> {
        let is_web = |address: &&String| address.starts_with("https://") || address.starts_with("http://");
        let asset = info.fee_assets.first()?;
        let currency = units.iter().find(|unit| unit.denom.is_same(&asset.denom))?.clone();
        let addresses: Vec<&String> = match info.kind() {
            ChainKind::Evm if currency.decimals == 18 => vec![&info.json_rpc],
            ChainKind::Cosmos if info.bech32_prefix == "init" => vec![&info.rpc, &info.rest],
            _ => return None,
        };
        let prices = asset.gas_price.as_ref().map(|price| [&price.low, &price.average, &price.high].map(Clone::clone));
        addresses.iter().all(is_web).then(|| Self {
            chain_id: info.chain_id.clone(),
            name: clean(info.name()).into_owned(),
            addresses: addresses.into_iter().map(|address| clean(address).into_owned()).collect(),
            currency,
            prices,
        })
    }

    /// Describes the suggestion to the user before the wallet receives it.
    pub fn words(&self) -> String {
        format!("{} (if new to the wallet), from {} of the router's list", self.name, self.addresses.join(" and "))
    }

    /// Formats the suggestion for `experimentalSuggestChain`; `None` for an EVM chain.
    pub fn keplr(&self) -> Option<Value> {
        let [rpc, rest] = self.addresses.as_slice() else { return None };
        let FeeUnit { denom, symbol, decimals, .. } = &self.currency;
        let currency = json!({"coinDenom": symbol, "coinMinimalDenom": denom.as_str(), "coinDecimals": decimals});
        let mut fee = currency.clone();
        if let Some([low, average, high]) = &self.prices {
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
        let suggestion = ChainSuggestion::new(&info("cosmos", ""), &units(6)).unwrap();
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
        let evm = |address, decimals| ChainSuggestion::new(&info("evm", address), &units(decimals));
        assert_eq!(evm("https://evm.example", 18).unwrap().json_rpc(), Some("https://evm.example"));
        assert_eq!((evm("https://evm.example", 6), evm("", 18), evm("file:///x", 18)), (None, None, None));
        assert_eq!(ChainSuggestion::new(&info("cosmos", ""), &[]), None, "nobody says what its coin is called");
    }
}
