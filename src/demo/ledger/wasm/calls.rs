//! Contract calls: the message and the steps of each.

use super::{
    catalogue::{APPLICATIONS, PRICE_TOKEN, REWARD_TOKEN, SAVED_TOKEN, STAKED, nft_uri, swap_assets},
    nft_transfers,
    record::{ContractCall, PoolAsset, Swap},
    state::MarketOffer,
    steps::{ActionSteps, StepFields, StepValue, write_fields},
    world::{Account, SingleContract, account, application, cw20, minter, pool, single_contract},
};
use crate::demo::ledger::{
    common::{
        record::{PartyId, TokenId},
        render::{RenderView, base64},
        world::World,
    },
    json::Json,
};

/// Contract call: its target, the only field of its message, and its steps.
pub(crate) struct CallPlan<'a> {
    pub(crate) contract: PartyId,
    name: &'static str,
    fields: StepFields,
    pub(crate) steps: ActionSteps<'a>,
}

impl CallPlan<'_> {
    pub(crate) fn message(&self, view: &RenderView<'_>) -> String {
        let mut json = Json::new();
        json.object(|json| {
            json.key(self.name).object(|json| write_fields(view, json, &self.fields));
        });
        json.finish()
    }
}

pub(crate) fn call<'a>(world: &'a World, sender: PartyId, call: &ContractCall) -> CallPlan<'a> {
    let mut steps = ActionSteps::new(world);
    let out = &mut steps;
    let single = |contract| single_contract(world, contract);
    let (contract, name, fields): (PartyId, &'static str, StepFields) = match *call {
        ContractCall::Transfer { token, to, amount } => {
            out.cw20("transfer", token, &[("from", sender), ("to", to)], amount);
            (cw20(world, token), "transfer", vec![("recipient", to.into()), ("amount", amount.into())])
        }
        ContractCall::Allow { token, spender, amount } => {
            out.change(move |state| state.own.allowed.push((token, sender, spender, amount)));
            let contract = cw20(world, token);
            let said = vec![("owner", sender.into()), ("spender", spender.into()), ("amount", amount.into())];
            out.run(contract, "increase_allowance", said);
            (contract, "increase_allowance", vec![("spender", spender.into()), ("amount", amount.into())])
        }
        ContractCall::TransferFrom { token, owner, to, amount } => {
            out.change(move |state| state.own.allowed.retain(|allowed| *allowed != (token, owner, sender, amount)));
            out.cw20("transfer_from", token, &[("from", owner), ("to", to), ("by", sender)], amount);
            let fields = vec![("owner", owner.into()), ("recipient", to.into()), ("amount", amount.into())];
            (cw20(world, token), "transfer_from", fields)
        }
        ContractCall::Burn { token, amount } => {
            out.cw20("burn", token, &[("from", sender)], amount);
            (cw20(world, token), "burn", vec![("amount", amount.into())])
        }
        ContractCall::Mint { token, to, amount } => {
            out.cw20("mint", token, &[("to", to)], amount);
            (cw20(world, token), "mint", vec![("recipient", to.into()), ("amount", amount.into())])
        }
        ContractCall::Stake { amount } => {
            let vault = single(SingleContract::Vault);
            out.cw20("send", STAKED, &[("from", sender), ("to", vault)], amount);
            out.change(move |state| state.set_staked(sender, state.staked(sender) + amount));
            out.run(vault, "bond", vec![("staker", sender.into()), ("amount", amount.into())]);
            (cw20(world, STAKED), "send", sent(vault, amount, r#"{"bond":{}}"#))
        }
        ContractCall::Unstake { amount } => {
            let vault = single(SingleContract::Vault);
            out.change(move |state| state.set_staked(sender, state.staked(sender).saturating_sub(amount)));
            out.run(vault, "unbond", vec![("staker", sender.into()), ("amount", amount.into())]);
            out.cw20("transfer", STAKED, &[("from", vault), ("to", sender)], amount);
            (vault, "unbond", vec![("amount", amount.into())])
        }
        ContractCall::Save { amount } => {
            let savings = single(SingleContract::Savings);
            out.pay(SAVED_TOKEN, [sender, savings], amount);
            out.change(move |state| state.own.add_saved(sender, amount));
            out.run(savings, "save", vec![("saver", sender.into()), ("amount", amount.into())]);
            (savings, "save", Vec::new())
        }
        ContractCall::TakeOut { amount } => {
            let savings = single(SingleContract::Savings);
            out.change(move |state| state.own.take_saved(sender, amount));
            out.run(savings, "take_out", vec![("saver", sender.into()), ("amount", amount.into())]);
            out.pay_out(SAVED_TOKEN, [savings, sender], amount);
            (savings, "take_out", vec![("amount", amount.into())])
        }
        ContractCall::HandOn { token, to, amount } => {
            let postbox = single(SingleContract::Postbox);
            out.pay(token, [sender, postbox], amount);
            hand_on(out, token, to, amount);
            (postbox, "hand_on", vec![("recipient", to.into())])
        }
        ContractCall::Claim { amount } => {
            let airdrop = single(SingleContract::Airdrop);
            out.run(airdrop, "claim", vec![("address", sender.into()), ("amount", amount.into())]);
            out.pay_out(REWARD_TOKEN, [airdrop, sender], amount);
            (airdrop, "claim", vec![("amount", amount.into())])
        }
        ContractCall::Swap(swap) => trade(out, sender, swap),
        ContractCall::Ping { application: place, argument } => {
            let action = APPLICATIONS.get(usize::from(place)).map_or("", |(_, action)| action);
            let (contract, round) = (application(world, place), u128::from(argument % 100_000));
            out.run(contract, action, vec![("sender", sender.into()), ("round", round.into())]);
            (contract, action, vec![("round", round.into())])
        }
        ContractCall::Nowhere { to } => (to, "ping", Vec::new()),
        ContractCall::Unknown { application: place } => (application(world, place), "levitate", Vec::new()),
        _ => nft_call(out, sender, call),
    };
    CallPlan { contract, name, fields, steps }
}

/// Adds the steps of a call about NFTs. Returns its target and its message.
fn nft_call(out: &mut ActionSteps<'_>, sender: PartyId, call: &ContractCall) -> (PartyId, &'static str, StepFields) {
    let world = out.world;
    let market = single_contract(world, SingleContract::Marketplace);
    match *call {
        ContractCall::MintNft { collection, id, owner } => {
            out.nft("mint", collection, id, &[("minter", minter(world, collection)), ("owner", owner)]);
            let mut fields = vec![("token_id", id.into()), ("owner", owner.into())];
            fields.extend([("token_uri", nft_uri(collection, id).into()), ("extension", StepValue::Json("{}".into()))]);
            (world.collection(collection), "mint", fields)
        }
        ContractCall::Launch { collection, id, price } => {
            let (launchpad, contract) =
                (single_contract(world, SingleContract::Launchpad), world.collection(collection));
            out.pay(PRICE_TOKEN, [sender, launchpad], price);
            let said = vec![("collection", contract.into()), ("buyer", sender.into()), ("price", price.into())];
            out.run(launchpad, "launch", said);
            out.pay_out(PRICE_TOKEN, [launchpad, account(world, Account::Artist)], price);
            out.nft("mint", collection, id, &[("minter", minter(world, collection)), ("owner", sender)]);
            (launchpad, "launch", vec![("collection", contract.into())])
        }
        ContractCall::GiveNft { collection, id, to } => {
            out.nft("transfer_nft", collection, id, &[("sender", sender), ("recipient", to)]);
            (world.collection(collection), "transfer_nft", vec![("recipient", to.into()), ("token_id", id.into())])
        }
        ContractCall::OfferNft { collection, id, price } => {
            let contract = world.collection(collection);
            out.nft("send_nft", collection, id, &[("sender", sender), ("recipient", market)]);
            out.change(move |state| state.own.offers.push(MarketOffer { collection, id, price, seller: sender }));
            let mut said = vec![("seller", sender.into()), ("collection", contract.into()), ("token", id.into())];
            said.push(("price", StepValue::Coin(PRICE_TOKEN, price)));
            out.run(market, "offer", said);
            let offer = base64(format!(r#"{{"offer":{{"price":"{price}"}}}}"#));
            (contract, "send_nft", vec![("contract", market.into()), ("token_id", id.into()), ("msg", offer.into())])
        }
        ContractCall::BuyNft { collection, id, price, seller } => {
            let contract = world.collection(collection);
            out.pay(PRICE_TOKEN, [sender, market], price);
            let mut said = vec![("buyer", sender.into()), ("seller", seller.into()), ("collection", contract.into())];
            said.extend([("token", id.into()), ("price", StepValue::Coin(PRICE_TOKEN, price))]);
            out.run(market, "buy", said);
            out.pay_out(PRICE_TOKEN, [market, seller], price);
            out.nft("transfer_nft", collection, id, &[("sender", market), ("recipient", sender)]);
            out.change(move |state| state.own.close(collection, id));
            (market, "buy", vec![("collection", contract.into()), ("token_id", id.into())])
        }
        ContractCall::BurnNft { collection, id } => {
            out.nft("burn", collection, id, &[("sender", sender)]);
            (world.collection(collection), "burn", vec![("token_id", id.into())])
        }
        ContractCall::ApproveNft { collection, id, spender } => {
            let contract = world.collection(collection);
            let said = vec![("sender", sender.into()), ("spender", spender.into()), ("token_id", id.into())];
            out.run(contract, "approve", said);
            (contract, "approve", vec![("spender", spender.into()), ("token_id", id.into())])
        }
        ContractCall::ApproveAll { collection, approved } => {
            let (contract, action) =
                (world.collection(collection), if approved { "approve_all" } else { "revoke_all" });
            out.run(contract, action, vec![("sender", sender.into()), ("operator", market.into())]);
            (contract, action, vec![("operator", market.into())])
        }
        ContractCall::BridgeNft { ref nft_transfer, packet_outcome, wait } => {
            let (nft_transfer, bridge) = (**nft_transfer, single_contract(world, SingleContract::Ics721));
            let (collection, id) = (nft_transfer.collection, nft_transfer.id);
            out.nft("send_nft", collection, id, &[("sender", sender), ("recipient", bridge)]);
            out.change(move |state| {
                state.own.away.push((state.height + u64::from(wait), nft_transfer, packet_outcome));
            });
            nft_transfers::leave(out, &nft_transfer);
            let order = StepValue::Order(nft_transfer);
            let fields = vec![("contract", bridge.into()), ("token_id", id.into()), ("msg", order)];
            (world.collection(collection), "send_nft", fields)
        }
        _ => (sender, "", Vec::new()),
    }
}

/// Returns the fields of a CW-20 send to a contract, with the message for that contract.
fn sent(contract: PartyId, amount: u128, message: &str) -> StepFields {
    vec![("contract", contract.into()), ("amount", amount.into()), ("msg", base64(message).into())]
}

/// Adds the steps with which the postbox forwards its coins.
pub(crate) fn hand_on(out: &mut ActionSteps<'_>, token: TokenId, to: PartyId, amount: u128) {
    let postbox = single_contract(out.world, SingleContract::Postbox);
    out.run(postbox, "hand_on", vec![("recipient", to.into()), ("amount", amount.into())]);
    out.pay_out(token, [postbox, to], amount);
}

/// Adds the steps of a swap. The input comes as funds or by a CW-20 send; then the output leaves.
fn trade(out: &mut ActionSteps<'_>, trader: PartyId, swap: Swap) -> (PartyId, &'static str, StepFields) {
    let world = out.world;
    let pool = pool(world, swap.pool);
    let (sold, bought) = swap_assets(&swap);
    let asset = |asset| match asset {
        PoolAsset::Coin(token) => StepValue::Denom(token),
        PoolAsset::Contract(token) => cw20(world, token).into(),
    };
    let request = match sold {
        PoolAsset::Coin(token) => {
            out.pay(token, [trader, pool], swap.sold);
            let denom = &world.token(token).denom;
            let offer = format!(r#"{{"info":{{"native_token":{{"denom":"{denom}"}}}},"amount":"{}"}}"#, swap.sold);
            (pool, "swap", vec![("offer_asset", StepValue::Json(offer.into())), ("max_spread", "0.05".into())])
        }
        PoolAsset::Contract(token) => {
            out.cw20("send", token, &[("from", trader), ("to", pool)], swap.sold);
            (cw20(world, token), "send", sent(pool, swap.sold, r#"{"swap":{"max_spread":"0.05"}}"#))
        }
    };
    let said = vec![
        ("sender", trader.into()),
        ("receiver", trader.into()),
        ("offer_asset", asset(sold)),
        ("ask_asset", asset(bought)),
        ("offer_amount", swap.sold.into()),
        ("return_amount", swap.bought.into()),
        ("commission_amount", (swap.bought / 997 * 3).into()),
    ];
    out.run(pool, "swap", said);
    match bought {
        PoolAsset::Coin(token) => out.pay_out(token, [pool, trader], swap.bought),
        PoolAsset::Contract(token) => out.cw20("transfer", token, &[("from", pool), ("to", trader)], swap.bought),
    }
    request
}
