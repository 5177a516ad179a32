//! Signing in a person's own wallet: documents, bytes and signatures against what real nodes took or refused.

mod consistent;
mod contract_code;
mod contracts;
mod guard;
mod lies;
mod offers;
mod readings;
mod recorded;
mod simulated;
mod sought;
mod vectors;
mod venues;
mod wallets;
mod yields;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    app::Authority,
    config::Networks,
    domain::{Amount, Coin, Denom},
    signing::{KnownContracts, SigningFee},
};
use serde_json::Value;

/// Contracts, bridges, channels and tokens of the registry.
fn registry() -> KnownContracts {
    Authority { networks: Networks::built_in(), own: None, is_simulated: false }.known_contracts()
}

/// The fee of a sign document.
fn fee_of(document: &Value) -> SigningFee {
    let coins = document["fee"]["amount"].as_array().map(Vec::as_slice).unwrap_or_default();
    let coin = |coin: &Value| Coin {
        denom: Denom::new(coin["denom"].as_str().unwrap_or_default()),
        amount: coin["amount"].as_str().and_then(|amount| amount.parse().ok()).unwrap_or(Amount::ZERO),
    };
    SigningFee { amount: coins.iter().map(coin).collect(), gas: number(&document["fee"]["gas"]) }
}

fn number(value: &Value) -> u64 {
    value.as_str().and_then(|digits| digits.parse().ok()).unwrap_or_default()
}

fn base64(value: &Value) -> Vec<u8> {
    BASE64_STANDARD.decode(value.as_str().unwrap_or_default()).unwrap_or_default()
}
