//! Renders the events of calls.

use super::{
    calls::request,
    coins::{deposit, pass, supply, withdraw},
    nft, short,
};
use crate::demo::ledger::{
    common::{
        record::{PartyId, TokenId},
        render::{RenderView, event_writer::EventWriter},
        world::{Party, PartyRole},
    },
    json::Json,
    movevm::{
        apply::{market, sides, swap_tokens},
        catalogue::{MODULES, REWARD_TOKEN, pool},
        record::{ContractCall, Liquidity, Swap},
        world::{publisher, reserves},
    },
};

pub(crate) fn executed(events: &mut EventWriter, sender: &str, address: &str, module: &str, function: &str) {
    let attributes = vec![
        ("sender", sender.to_owned()),
        ("module_addr", address.to_owned()),
        ("module_name", module.to_owned()),
        ("function_name", function.to_owned()),
    ];
    events.emit("execute", attributes);
}

/// Writes a module's event: its type tag and fields.
pub(crate) fn moved(events: &mut EventWriter, type_tag: String, fill: impl FnOnce(&mut Json)) {
    let mut json = Json::new();
    json.object(fill);
    let data = json.finish();
    let fields = if events.repeats_data() { repeated(&data) } else { Vec::new() };
    let mut attributes = vec![("type_tag", type_tag), ("data", data)];
    attributes.extend(fields);
    events.emit("move", attributes);
}

/// Names of event fields, in the order in which nodes repeat them as attributes.
const FIELDS: [&str; 30] = [
    "account",
    "amount",
    "asset",
    "coin_a",
    "coin_a_amount",
    "coin_b",
    "coin_b_amount",
    "collection",
    "creator",
    "fee_amount",
    "from",
    "liquidity",
    "liquidity_token",
    "metadata_addr",
    "module_id",
    "name",
    "nft",
    "object",
    "offer_amount",
    "offer_coin",
    "owner",
    "owner_addr",
    "return_amount",
    "return_coin",
    "store_addr",
    "to",
    "token_id",
    "upgrade_policy",
    "value",
    "version",
];

/// Returns the fields of an event's data as attributes in the order of [`FIELDS`]; strings lose their quotes.
fn repeated(data: &str) -> Vec<(&'static str, String)> {
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(data).unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    FIELDS.iter().filter_map(|name| Some((*name, text(fields.get(*name)?)))).collect()
}

pub(crate) fn call(view: &RenderView<'_>, events: &mut EventWriter, sender: PartyId, call: &ContractCall) {
    let made = request(view, sender, call);
    let me = view.party(sender);
    executed(events, &short(me.word()), &made.address, made.module, made.function);
    let reward = TokenId(REWARD_TOKEN);
    match call {
        ContractCall::Transfer { token, to, amount } => pass(view, events, *token, [me, view.party(*to)], *amount),
        ContractCall::Swap(swap) => swapped(view, events, me, swap),
        ContractCall::Provide(liquidity) => provided(view, events, me, liquidity),
        ContractCall::Leave(liquidity) => left(view, events, me, liquidity),
        ContractCall::CreateCollection { collection } => nft::created(view, events, me.word(), *collection),
        ContractCall::Mint { collection, number, to } => {
            nft::minted(view, events, me.word(), (*collection, *number));
            if let Some(to) = to.filter(|to| *to != sender) {
                nft::given(view, events, (*collection, *number), [me.word(), view.party(to).word()]);
            }
        }
        ContractCall::Burn { collection, number } => nft::burned(view, events, (*collection, *number)),
        ContractCall::Give { collection, number, to } => {
            nft::given(view, events, (*collection, *number), [me.word(), view.party(*to).word()]);
        }
        ContractCall::Stake { amount } => {
            let vault = view.role(PartyRole::Vault);
            pass(view, events, reward, [me, vault], *amount);
            told(events, vault, "vault::StakeEvent", me, *amount);
        }
        ContractCall::Unstake { amount } => {
            let vault = view.role(PartyRole::Vault);
            pass(view, events, reward, [vault, me], *amount);
            told(events, vault, "vault::UnstakeEvent", me, *amount);
        }
        ContractCall::Claim { amount } => {
            let airdrop = view.role(PartyRole::Airdrop);
            pass(view, events, reward, [airdrop, me], *amount);
            told(events, airdrop, "airdrop::ClaimEvent", me, *amount);
        }
        ContractCall::Supply { token, amount } => supplied(view, events, (*token, *amount), me, me),
        ContractCall::Ping { module, argument } => pinged(view, events, me, *module, *argument),
    }
}

/// Writes an application's event, which names an account and an amount.
fn told(events: &mut EventWriter, at: &Party, event: &str, account: &Party, amount: u128) {
    moved(events, format!("{}::{event}", short(at.word())), |json| {
        json.field("account", &short(account.word())).number("amount", amount);
    });
}

fn pinged(view: &RenderView<'_>, events: &mut EventWriter, me: &Party, module: u8, argument: u64) {
    let Some(module) = MODULES.get(usize::from(module)) else { return };
    let at = short(view.party(publisher(view.world, module.publisher)).word());
    moved(events, format!("{at}::{}::{}", module.name, module.event), |json| {
        json.field("account", &short(me.word())).number("value", argument);
    });
}

/// Writes the events of a loan to the market, from one account's store for another account.
pub(crate) fn supplied(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    (token, amount): (TokenId, u128),
    from: &Party,
    account: &Party,
) {
    let market = view.party(market(view.world));
    pass(view, events, token, [from, market], amount);
    let asset = short(view.contract(token).word());
    moved(events, format!("{}::market::SupplyEvent", short(market.word())), |json| {
        json.field("account", &short(account.word())).field("asset", &asset).number("amount", amount);
    });
}

fn object(view: &RenderView<'_>, token: TokenId) -> String {
    short(view.contract(token).word())
}

fn swapped(view: &RenderView<'_>, events: &mut EventWriter, me: &Party, swap: &Swap) {
    let [sold, bought] = swap_tokens(swap);
    let reserves = view.party(reserves(view.world, swap.pool));
    pass(view, events, sold, [me, reserves], swap.sold);
    withdraw(view, events, bought, reserves, swap.bought);
    moved(events, "0x1::dex::SwapEvent".to_owned(), |json| {
        json.field("account", &short(me.word()));
        json.field("offer_coin", &object(view, sold)).field("return_coin", &object(view, bought));
        json.field("liquidity_token", &short(reserves.word())).number("fee_amount", swap.sold * 3 / 1000);
        json.number("offer_amount", swap.sold).number("return_amount", swap.bought);
    });
    deposit(view, events, bought, me, swap.bought);
}

fn liquidity_event(view: &RenderView<'_>, events: &mut EventWriter, event: &str, me: &Party, liquidity: &Liquidity) {
    let [(first, one), (second, other)] = sides(liquidity);
    moved(events, format!("0x1::dex::{event}"), |json| {
        json.field("account", &short(me.word()));
        json.field("coin_a", &object(view, first)).field("coin_b", &object(view, second));
        json.field("liquidity_token", &object(view, TokenId(pool(liquidity.pool).shares)));
        json.number("coin_a_amount", one).number("coin_b_amount", other).number("liquidity", liquidity.shares);
    });
}

fn provided(view: &RenderView<'_>, events: &mut EventWriter, me: &Party, liquidity: &Liquidity) {
    let reserves = view.party(reserves(view.world, liquidity.pool));
    let shares = TokenId(pool(liquidity.pool).shares);
    for (token, amount) in sides(liquidity) {
        withdraw(view, events, token, me, amount);
    }
    liquidity_event(view, events, "ProvideEvent", me, liquidity);
    for (token, amount) in sides(liquidity) {
        deposit(view, events, token, reserves, amount);
    }
    supply(view, events, "MintEvent", shares, liquidity.shares);
    deposit(view, events, shares, me, liquidity.shares);
}

fn left(view: &RenderView<'_>, events: &mut EventWriter, me: &Party, liquidity: &Liquidity) {
    let reserves = view.party(reserves(view.world, liquidity.pool));
    let shares = TokenId(pool(liquidity.pool).shares);
    withdraw(view, events, shares, me, liquidity.shares);
    supply(view, events, "BurnEvent", shares, liquidity.shares);
    liquidity_event(view, events, "WithdrawEvent", me, liquidity);
    for (token, amount) in sides(liquidity) {
        withdraw(view, events, token, reserves, amount);
    }
    for (token, amount) in sides(liquidity) {
        deposit(view, events, token, me, amount);
    }
}
