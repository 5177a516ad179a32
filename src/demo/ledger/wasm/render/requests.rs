//! What is asked of contracts: whom, what, and with which funds.

use super::{base64, calls::single, voyages};
use crate::demo::ledger::{
    common::{
        record::{PartyId, TokenId},
        render::View,
        world::Party,
    },
    json::Json,
    wasm::{
        apply::swap_assets,
        catalogue::{APPLICATIONS, COLLECTIONS, PRICE_TOKEN, SAVED_TOKEN, STAKED},
        record::{Asset, Call, Swap},
        world::{self, Single},
    },
};

/// A call as its message has it.
pub(crate) struct Request<'a> {
    /// Whom.
    pub(crate) contract: &'a Party,
    /// What, as JSON.
    pub(crate) message: String,
    /// What is sent along.
    pub(crate) funds: Option<(TokenId, u128)>,
}

/// What a call asks.
pub(crate) fn request<'a>(view: &View<'a>, call: &Call) -> Request<'a> {
    let funds = match call {
        Call::Save { amount } => Some((SAVED_TOKEN, *amount)),
        Call::HandOn { token, amount, .. } => Some((*token, *amount)),
        Call::Launch { price, .. } | Call::BuyNft { price, .. } => Some((PRICE_TOKEN, *price)),
        Call::Swap(swap) => match swap_assets(swap).0 {
            Asset::Coin(token) => Some((token, swap.sold)),
            Asset::Contract(_) => None,
        },
        _ => None,
    };
    let mut json = Json::new();
    json.object(|json| message(view, json, call));
    Request { contract: contract(view, call), message: json.finish(), funds }
}

/// A collection's contract.
pub(super) fn collection<'a>(view: &View<'a>, place: u8) -> &'a Party {
    view.party(view.world.collection(place))
}

fn contract<'a>(view: &View<'a>, call: &Call) -> &'a Party {
    let id = match *call {
        Call::Transfer { token, .. }
        | Call::Allow { token, .. }
        | Call::TransferFrom { token, .. }
        | Call::Burn { token, .. }
        | Call::Mint { token, .. } => world::cw20(view.world, token),
        Call::Stake { .. } => world::cw20(view.world, STAKED),
        Call::Unstake { .. } => world::single(view.world, Single::Vault),
        Call::Save { .. } | Call::TakeOut { .. } => world::single(view.world, Single::Savings),
        Call::HandOn { .. } => world::single(view.world, Single::Postbox),
        Call::Claim { .. } => world::single(view.world, Single::Airdrop),
        Call::Swap(swap) => match swap_assets(&swap).0 {
            Asset::Coin(_) => world::pool(view.world, swap.pool),
            Asset::Contract(token) => world::cw20(view.world, token),
        },
        Call::Launch { .. } => world::single(view.world, Single::Launchpad),
        Call::BuyNft { .. } => world::single(view.world, Single::Marketplace),
        Call::MintNft { collection, .. }
        | Call::GiveNft { collection, .. }
        | Call::OfferNft { collection, .. }
        | Call::BurnNft { collection, .. }
        | Call::ApproveNft { collection, .. }
        | Call::ApproveAll { collection, .. } => view.world.collection(collection),
        Call::BridgeNft { ref voyage, .. } => view.world.collection(voyage.collection),
        Call::Ping { application, .. } | Call::Unknown { application } => world::application(view.world, application),
        Call::Nowhere { to } => to,
    };
    view.party(id)
}

/// A message with these fields.
fn told(json: &mut Json, name: &str, fields: impl FnOnce(&mut Json)) {
    json.key(name).object(fields);
}

/// The one field of a message: its name, and what it says.
fn message(view: &View<'_>, json: &mut Json, call: &Call) {
    let name = |id: PartyId| &*view.party(id).bech32;
    match *call {
        Call::Transfer { to, amount, .. } => told(json, "transfer", |json| {
            json.field("recipient", name(to)).number("amount", amount);
        }),
        Call::Allow { spender, amount, .. } => told(json, "increase_allowance", |json| {
            json.field("spender", name(spender)).number("amount", amount);
        }),
        Call::TransferFrom { owner, to, amount, .. } => told(json, "transfer_from", |json| {
            json.field("owner", name(owner)).field("recipient", name(to)).number("amount", amount);
        }),
        Call::Burn { amount, .. } => told(json, "burn", |json| {
            json.number("amount", amount);
        }),
        Call::Mint { to, amount, .. } => told(json, "mint", |json| {
            json.field("recipient", name(to)).number("amount", amount);
        }),
        Call::Stake { amount } => send(json, single(view, Single::Vault), amount, r#"{"bond":{}}"#),
        Call::Unstake { amount } => told(json, "unbond", |json| {
            json.number("amount", amount);
        }),
        Call::Save { .. } => told(json, "save", |_| {}),
        Call::TakeOut { amount } => told(json, "take_out", |json| {
            json.number("amount", amount);
        }),
        Call::HandOn { to, .. } => told(json, "hand_on", |json| {
            json.field("recipient", name(to));
        }),
        Call::Claim { amount } => told(json, "claim", |json| {
            json.number("amount", amount);
        }),
        Call::Swap(swap) => swap_message(view, json, &swap),
        Call::Ping { application, argument } => {
            let action = APPLICATIONS.get(usize::from(application)).map_or("", |(_, action)| action);
            told(json, action, |json| {
                json.number("round", argument % 100_000);
            });
        }
        Call::Nowhere { .. } => told(json, "ping", |_| {}),
        Call::Unknown { .. } => told(json, "levitate", |_| {}),
        _ => nft_message(view, json, call),
    }
}

/// CW-20 send to a contract, with what it shall do.
fn send(json: &mut Json, contract: &Party, amount: u128, message: &str) {
    told(json, "send", |json| {
        json.field("contract", &contract.bech32).number("amount", amount).field("msg", &base64(message));
    });
}

/// The name of an asset in what pools say: its denom, or its contract.
pub(super) fn asset_name(view: &View<'_>, asset: Asset) -> String {
    match asset {
        Asset::Coin(token) => view.denom(token).to_owned(),
        Asset::Contract(token) => view.party(world::cw20(view.world, token)).bech32.to_string(),
    }
}

fn swap_message(view: &View<'_>, json: &mut Json, swap: &Swap) {
    match swap_assets(swap).0 {
        Asset::Coin(token) => told(json, "swap", |json| {
            json.key("offer_asset").object(|json| {
                json.key("info").object(|json| {
                    json.key("native_token").object(|json| {
                        json.field("denom", view.denom(token));
                    });
                });
                json.number("amount", swap.sold);
            });
            json.field("max_spread", "0.05");
        }),
        Asset::Contract(_) => {
            let pool = view.party(world::pool(view.world, swap.pool));
            send(json, pool, swap.sold, r#"{"swap":{"max_spread":"0.05"}}"#);
        }
    }
}

/// Where the metadata of an NFT lies.
pub(crate) fn nft_uri(collection: u8, id: u32) -> String {
    COLLECTIONS.get(usize::from(collection)).map_or_else(String::new, |spec| spec.token_uri(id))
}

fn nft_message(view: &View<'_>, json: &mut Json, call: &Call) {
    let name = |id: PartyId| &*view.party(id).bech32;
    match *call {
        Call::MintNft { collection, id, owner } => told(json, "mint", |json| {
            json.field("token_id", &id.to_string()).field("owner", name(owner));
            json.field("token_uri", &nft_uri(collection, id)).value("extension", "null");
        }),
        Call::Launch { collection: place, .. } => told(json, "launch", |json| {
            json.field("collection", &collection(view, place).bech32);
        }),
        Call::GiveNft { id, to, .. } => told(json, "transfer_nft", |json| {
            json.field("recipient", name(to)).field("token_id", &id.to_string());
        }),
        Call::OfferNft { id, price, .. } => {
            let offer = format!(r#"{{"offer":{{"price":"{price}"}}}}"#);
            send_nft(json, single(view, Single::Marketplace), id, &offer);
        }
        Call::BuyNft { collection: place, id, .. } => told(json, "buy", |json| {
            json.field("collection", &collection(view, place).bech32).field("token_id", &id.to_string());
        }),
        Call::BurnNft { id, .. } => told(json, "burn", |json| {
            json.field("token_id", &id.to_string());
        }),
        Call::ApproveNft { id, spender, .. } => told(json, "approve", |json| {
            json.field("spender", name(spender)).field("token_id", &id.to_string()).value("expires", "null");
        }),
        Call::ApproveAll { approved, .. } => {
            let operator = &single(view, Single::Marketplace).bech32;
            told(json, if approved { "approve_all" } else { "revoke_all" }, |json| {
                json.field("operator", operator);
            });
        }
        Call::BridgeNft { ref voyage, .. } => {
            send_nft(json, single(view, Single::Ics721), voyage.id, &voyages::order(view, voyage));
        }
        _ => {}
    }
}

/// CW-721 `send_nft` to a contract, with what it shall do.
fn send_nft(json: &mut Json, contract: &Party, id: u32, message: &str) {
    told(json, "send_nft", |json| {
        json.field("contract", &contract.bech32).field("token_id", &id.to_string()).field("msg", &base64(message));
    });
}
