//! The events of calls.

use super::{
    calls::request,
    coins::{deposit, pass, supply, withdraw},
    nft, short,
};
use crate::demo::ledger::{
    common::{
        record::{PartyId, TokenId},
        render::{View, scribe::Scribe},
        world::{Party, Role},
    },
    json::Json,
    movevm::{
        apply::{market, sides, swap_tokens},
        catalogue::{MODULES, REWARD_TOKEN, pool},
        record::{Call, Liquidity, Swap},
        world::{publisher, reserves},
    },
};

/// The event of a function that was run.
pub(crate) fn executed(scribe: &mut Scribe, sender: &str, address: &str, module: &str, function: &str) {
    let attributes = vec![
        ("sender", sender.to_owned()),
        ("module_addr", address.to_owned()),
        ("module_name", module.to_owned()),
        ("function_name", function.to_owned()),
    ];
    scribe.emit("execute", attributes);
}

/// An event of a module: the tag of its type, and its fields.
pub(crate) fn moved(scribe: &mut Scribe, type_tag: String, fill: impl FnOnce(&mut Json)) {
    let mut json = Json::new();
    json.object(fill);
    scribe.emit("move", vec![("type_tag", type_tag), ("data", json.finish())]);
}

/// The events of a call.
pub(crate) fn call(view: &View<'_>, scribe: &mut Scribe, sender: PartyId, call: &Call) {
    let made = request(view, sender, call);
    let me = view.party(sender);
    executed(scribe, &short(me.word()), &made.address, made.module, made.function);
    let reward = TokenId(REWARD_TOKEN);
    match call {
        Call::Transfer { token, to, amount } => pass(view, scribe, *token, [me, view.party(*to)], *amount),
        Call::Swap(swap) => swapped(view, scribe, me, swap),
        Call::Provide(liquidity) => provided(view, scribe, me, liquidity),
        Call::Leave(liquidity) => left(view, scribe, me, liquidity),
        Call::CreateCollection { collection } => nft::created(view, scribe, me.word(), *collection),
        Call::Mint { collection, number, to } => {
            nft::minted(view, scribe, me.word(), (*collection, *number));
            if let Some(to) = to.filter(|to| *to != sender) {
                nft::given(view, scribe, (*collection, *number), [me.word(), view.party(to).word()]);
            }
        }
        Call::Burn { collection, number } => nft::burned(view, scribe, (*collection, *number)),
        Call::Give { collection, number, to } => {
            nft::given(view, scribe, (*collection, *number), [me.word(), view.party(*to).word()]);
        }
        Call::Stake { amount } => {
            let vault = view.role(Role::Vault);
            pass(view, scribe, reward, [me, vault], *amount);
            told(scribe, vault, "vault::StakeEvent", me, *amount);
        }
        Call::Unstake { amount } => {
            let vault = view.role(Role::Vault);
            pass(view, scribe, reward, [vault, me], *amount);
            told(scribe, vault, "vault::UnstakeEvent", me, *amount);
        }
        Call::Claim { amount } => {
            let airdrop = view.role(Role::Airdrop);
            pass(view, scribe, reward, [airdrop, me], *amount);
            told(scribe, airdrop, "airdrop::ClaimEvent", me, *amount);
        }
        Call::Supply { token, amount } => supplied(view, scribe, (*token, *amount), me, me),
        Call::Ping { module, argument } => pinged(view, scribe, me, *module, *argument),
    }
}

/// An event of an application's own: an account and an amount.
fn told(scribe: &mut Scribe, at: &Party, event: &str, account: &Party, amount: u128) {
    moved(scribe, format!("{}::{event}", short(at.word())), |json| {
        json.field("account", &short(account.word())).number("amount", amount);
    });
}

fn pinged(view: &View<'_>, scribe: &mut Scribe, me: &Party, module: u8, argument: u64) {
    let Some(module) = MODULES.get(usize::from(module)) else { return };
    let at = short(view.party(publisher(view.world, module.publisher)).word());
    moved(scribe, format!("{at}::{}::{}", module.name, module.event), |json| {
        json.field("account", &short(me.word())).number("value", argument);
    });
}

/// A token is lent to the market out of one account's store for another.
pub(crate) fn supplied(
    view: &View<'_>,
    scribe: &mut Scribe,
    (token, amount): (TokenId, u128),
    from: &Party,
    account: &Party,
) {
    let market = view.party(market(view.world));
    pass(view, scribe, token, [from, market], amount);
    let asset = short(view.contract(token).word());
    moved(scribe, format!("{}::market::SupplyEvent", short(market.word())), |json| {
        json.field("account", &short(account.word())).field("asset", &asset).number("amount", amount);
    });
}

fn object(view: &View<'_>, token: TokenId) -> String {
    short(view.contract(token).word())
}

fn swapped(view: &View<'_>, scribe: &mut Scribe, me: &Party, swap: &Swap) {
    let [sold, bought] = swap_tokens(swap);
    let reserves = view.party(reserves(view.world, swap.pool));
    pass(view, scribe, sold, [me, reserves], swap.sold);
    withdraw(view, scribe, bought, reserves, swap.bought);
    moved(scribe, "0x1::dex::SwapEvent".to_owned(), |json| {
        json.field("account", &short(me.word()));
        json.field("offer_coin", &object(view, sold)).field("return_coin", &object(view, bought));
        json.field("liquidity_token", &short(reserves.word())).number("fee_amount", swap.sold * 3 / 1000);
        json.number("offer_amount", swap.sold).number("return_amount", swap.bought);
    });
    deposit(view, scribe, bought, me, swap.bought);
}

/// The event of what goes into a pool or comes out of it.
fn liquidity_event(view: &View<'_>, scribe: &mut Scribe, event: &str, me: &Party, liquidity: &Liquidity) {
    let [(first, one), (second, other)] = sides(liquidity);
    moved(scribe, format!("0x1::dex::{event}"), |json| {
        json.field("account", &short(me.word()));
        json.field("coin_a", &object(view, first)).field("coin_b", &object(view, second));
        json.field("liquidity_token", &object(view, TokenId(pool(liquidity.pool).shares)));
        json.number("coin_a_amount", one).number("coin_b_amount", other).number("liquidity", liquidity.shares);
    });
}

fn provided(view: &View<'_>, scribe: &mut Scribe, me: &Party, liquidity: &Liquidity) {
    let reserves = view.party(reserves(view.world, liquidity.pool));
    let shares = TokenId(pool(liquidity.pool).shares);
    for (token, amount) in sides(liquidity) {
        withdraw(view, scribe, token, me, amount);
    }
    liquidity_event(view, scribe, "ProvideEvent", me, liquidity);
    for (token, amount) in sides(liquidity) {
        deposit(view, scribe, token, reserves, amount);
    }
    supply(view, scribe, "MintEvent", shares, liquidity.shares);
    deposit(view, scribe, shares, me, liquidity.shares);
}

fn left(view: &View<'_>, scribe: &mut Scribe, me: &Party, liquidity: &Liquidity) {
    let reserves = view.party(reserves(view.world, liquidity.pool));
    let shares = TokenId(pool(liquidity.pool).shares);
    withdraw(view, scribe, shares, me, liquidity.shares);
    supply(view, scribe, "BurnEvent", shares, liquidity.shares);
    liquidity_event(view, scribe, "WithdrawEvent", me, liquidity);
    for (token, amount) in sides(liquidity) {
        withdraw(view, scribe, token, reserves, amount);
    }
    for (token, amount) in sides(liquidity) {
        deposit(view, scribe, token, me, amount);
    }
}
