//! Messages of contract calls: target, content and funds.

use super::{base64, calls::single_contract, nft_transfers};
use crate::demo::ledger::{
    common::{
        record::{PartyId, TokenId},
        render::RenderView,
        world::Party,
    },
    json::Json,
    wasm::{
        apply::swap_assets,
        catalogue::{APPLICATIONS, COLLECTIONS, PRICE_TOKEN, SAVED_TOKEN, STAKED},
        record::{ContractCall, PoolAsset, Swap},
        world::{self, SingleContract},
    },
};

/// Call in the form of its message.
pub(crate) struct CallRequest<'a> {
    pub(crate) contract: &'a Party,
    pub(crate) message: String,
    /// Funds sent with the call.
    pub(crate) funds: Option<(TokenId, u128)>,
}

pub(crate) fn request<'a>(view: &RenderView<'a>, call: &ContractCall) -> CallRequest<'a> {
    let funds = match call {
        ContractCall::Save { amount } => Some((SAVED_TOKEN, *amount)),
        ContractCall::HandOn { token, amount, .. } => Some((*token, *amount)),
        ContractCall::Launch { price, .. } | ContractCall::BuyNft { price, .. } => Some((PRICE_TOKEN, *price)),
        ContractCall::Swap(swap) => match swap_assets(swap).0 {
            PoolAsset::Coin(token) => Some((token, swap.sold)),
            PoolAsset::Contract(_) => None,
        },
        _ => None,
    };
    let mut json = Json::new();
    json.object(|json| message(view, json, call));
    CallRequest { contract: contract(view, call), message: json.finish(), funds }
}

pub(super) fn collection<'a>(view: &RenderView<'a>, place: u8) -> &'a Party {
    view.party(view.world.collection(place))
}

fn contract<'a>(view: &RenderView<'a>, call: &ContractCall) -> &'a Party {
    let id = match *call {
        ContractCall::Transfer { token, .. }
        | ContractCall::Allow { token, .. }
        | ContractCall::TransferFrom { token, .. }
        | ContractCall::Burn { token, .. }
        | ContractCall::Mint { token, .. } => world::cw20(view.world, token),
        ContractCall::Stake { .. } => world::cw20(view.world, STAKED),
        ContractCall::Unstake { .. } => world::single_contract(view.world, SingleContract::Vault),
        ContractCall::Save { .. } | ContractCall::TakeOut { .. } => {
            world::single_contract(view.world, SingleContract::Savings)
        }
        ContractCall::HandOn { .. } => world::single_contract(view.world, SingleContract::Postbox),
        ContractCall::Claim { .. } => world::single_contract(view.world, SingleContract::Airdrop),
        ContractCall::Swap(swap) => match swap_assets(&swap).0 {
            PoolAsset::Coin(_) => world::pool(view.world, swap.pool),
            PoolAsset::Contract(token) => world::cw20(view.world, token),
        },
        ContractCall::Launch { .. } => world::single_contract(view.world, SingleContract::Launchpad),
        ContractCall::BuyNft { .. } => world::single_contract(view.world, SingleContract::Marketplace),
        ContractCall::MintNft { collection, .. }
        | ContractCall::GiveNft { collection, .. }
        | ContractCall::OfferNft { collection, .. }
        | ContractCall::BurnNft { collection, .. }
        | ContractCall::ApproveNft { collection, .. }
        | ContractCall::ApproveAll { collection, .. } => view.world.collection(collection),
        ContractCall::BridgeNft { ref nft_transfer, .. } => view.world.collection(nft_transfer.collection),
        ContractCall::Ping { application, .. } | ContractCall::Unknown { application } => {
            world::application(view.world, application)
        }
        ContractCall::Nowhere { to } => to,
    };
    view.party(id)
}

/// Writes a message with these fields.
fn told(json: &mut Json, name: &str, fields: impl FnOnce(&mut Json)) {
    json.key(name).object(fields);
}

/// Writes a message's only field: its name and content.
fn message(view: &RenderView<'_>, json: &mut Json, call: &ContractCall) {
    let name = |id: PartyId| &*view.party(id).bech32;
    match *call {
        ContractCall::Transfer { to, amount, .. } => told(json, "transfer", |json| {
            json.field("recipient", name(to)).number("amount", amount);
        }),
        ContractCall::Allow { spender, amount, .. } => told(json, "increase_allowance", |json| {
            json.field("spender", name(spender)).number("amount", amount);
        }),
        ContractCall::TransferFrom { owner, to, amount, .. } => told(json, "transfer_from", |json| {
            json.field("owner", name(owner)).field("recipient", name(to)).number("amount", amount);
        }),
        ContractCall::Burn { amount, .. } => told(json, "burn", |json| {
            json.number("amount", amount);
        }),
        ContractCall::Mint { to, amount, .. } => told(json, "mint", |json| {
            json.field("recipient", name(to)).number("amount", amount);
        }),
        ContractCall::Stake { amount } => {
            send(json, single_contract(view, SingleContract::Vault), amount, r#"{"bond":{}}"#);
        }
        ContractCall::Unstake { amount } => told(json, "unbond", |json| {
            json.number("amount", amount);
        }),
        ContractCall::Save { .. } => told(json, "save", |_| {}),
        ContractCall::TakeOut { amount } => told(json, "take_out", |json| {
            json.number("amount", amount);
        }),
        ContractCall::HandOn { to, .. } => told(json, "hand_on", |json| {
            json.field("recipient", name(to));
        }),
        ContractCall::Claim { amount } => told(json, "claim", |json| {
            json.number("amount", amount);
        }),
        ContractCall::Swap(swap) => swap_message(view, json, &swap),
        ContractCall::Ping { application, argument } => {
            let action = APPLICATIONS.get(usize::from(application)).map_or("", |(_, action)| action);
            told(json, action, |json| {
                json.number("round", argument % 100_000);
            });
        }
        ContractCall::Nowhere { .. } => told(json, "ping", |_| {}),
        ContractCall::Unknown { .. } => told(json, "levitate", |_| {}),
        _ => nft_message(view, json, call),
    }
}

/// Writes a CW-20 send to a contract, with the message for the contract.
fn send(json: &mut Json, contract: &Party, amount: u128, message: &str) {
    told(json, "send", |json| {
        json.field("contract", &contract.bech32).number("amount", amount).field("msg", &base64(message));
    });
}

/// Returns an asset's name in pools: its denom or its contract.
pub(super) fn asset_name(view: &RenderView<'_>, asset: PoolAsset) -> String {
    match asset {
        PoolAsset::Coin(token) => view.denom(token).to_owned(),
        PoolAsset::Contract(token) => view.party(world::cw20(view.world, token)).bech32.to_string(),
    }
}

fn swap_message(view: &RenderView<'_>, json: &mut Json, swap: &Swap) {
    match swap_assets(swap).0 {
        PoolAsset::Coin(token) => told(json, "swap", |json| {
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
        PoolAsset::Contract(_) => {
            let pool = view.party(world::pool(view.world, swap.pool));
            send(json, pool, swap.sold, r#"{"swap":{"max_spread":"0.05"}}"#);
        }
    }
}

pub(crate) fn nft_uri(collection: u8, id: u32) -> String {
    COLLECTIONS.get(usize::from(collection)).map_or_else(String::new, |spec| spec.token_uri(id))
}

fn nft_message(view: &RenderView<'_>, json: &mut Json, call: &ContractCall) {
    let name = |id: PartyId| &*view.party(id).bech32;
    match *call {
        ContractCall::MintNft { collection, id, owner } => told(json, "mint", |json| {
            json.field("token_id", &id.to_string()).field("owner", name(owner));
            json.field("token_uri", &nft_uri(collection, id)).value("extension", "{}");
        }),
        ContractCall::Launch { collection: place, .. } => told(json, "launch", |json| {
            json.field("collection", &collection(view, place).bech32);
        }),
        ContractCall::GiveNft { id, to, .. } => told(json, "transfer_nft", |json| {
            json.field("recipient", name(to)).field("token_id", &id.to_string());
        }),
        ContractCall::OfferNft { id, price, .. } => {
            let offer = format!(r#"{{"offer":{{"price":"{price}"}}}}"#);
            send_nft(json, single_contract(view, SingleContract::Marketplace), id, &offer);
        }
        ContractCall::BuyNft { collection: place, id, .. } => told(json, "buy", |json| {
            json.field("collection", &collection(view, place).bech32).field("token_id", &id.to_string());
        }),
        ContractCall::BurnNft { id, .. } => told(json, "burn", |json| {
            json.field("token_id", &id.to_string());
        }),
        ContractCall::ApproveNft { id, spender, .. } => told(json, "approve", |json| {
            json.field("spender", name(spender)).field("token_id", &id.to_string());
        }),
        ContractCall::ApproveAll { approved, .. } => {
            let operator = &single_contract(view, SingleContract::Marketplace).bech32;
            told(json, if approved { "approve_all" } else { "revoke_all" }, |json| {
                json.field("operator", operator);
            });
        }
        ContractCall::BridgeNft { ref nft_transfer, .. } => {
            send_nft(
                json,
                single_contract(view, SingleContract::Ics721),
                nft_transfer.id,
                &nft_transfers::order(view, nft_transfer),
            );
        }
        _ => {}
    }
}

/// Writes a CW-721 `send_nft` to a contract, with the message for the contract.
fn send_nft(json: &mut Json, contract: &Party, id: u32, message: &str) {
    told(json, "send_nft", |json| {
        json.field("contract", &contract.bech32).field("token_id", &id.to_string()).field("msg", &base64(message));
    });
}
