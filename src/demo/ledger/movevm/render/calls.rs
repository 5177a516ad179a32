//! What calls are made with: module, function and arguments.

use super::{args::Arg, short};
use crate::demo::ledger::{
    common::{
        record::{PartyId, TokenId},
        render::View,
        world::Role,
    },
    json::Json,
    movevm::{
        apply::{market, swap_tokens},
        catalogue::{COLLECTIONS, MODULES, pool},
        record::{Call, Liquidity, Swap},
        world::{collection_name, nft_object, publisher},
    },
};

/// What a call is made with.
pub(crate) struct Request {
    /// Where the module lies.
    pub(crate) address: String,
    /// The module.
    pub(crate) module: &'static str,
    /// The function.
    pub(crate) function: &'static str,
    /// The function's type argument.
    pub(crate) type_argument: Option<&'static str>,
    /// The function's arguments.
    pub(crate) arguments: Vec<Arg>,
}

/// A count of coins as an argument: 64 bits, which all amounts here fit.
pub(crate) fn number(amount: u128) -> Arg {
    Arg::Number(u64::try_from(amount).unwrap_or(u64::MAX))
}

/// The type arguments' field.
pub(crate) fn type_arguments(json: &mut Json, argument: Option<&'static str>) {
    json.key("type_args").list(|json| {
        if let Some(argument) = argument {
            json.string(argument);
        }
    });
}

fn std(module: &'static str, function: &'static str, arguments: Vec<Arg>) -> Request {
    Request { address: "0x1".to_owned(), module, function, type_argument: None, arguments }
}

fn address(view: &View<'_>, party: PartyId) -> Arg {
    Arg::Address(view.party(party).word())
}

fn metadata(view: &View<'_>, token: TokenId) -> Arg {
    Arg::Address(view.contract(token).word())
}

/// What a call is made with.
pub(crate) fn request(view: &View<'_>, sender: PartyId, call: &Call) -> Request {
    let at = |party: PartyId, module, function, arguments| Request {
        address: short(view.party(party).word()),
        ..std(module, function, arguments)
    };
    let role = |role| view.world.role(role);
    match call {
        Call::Transfer { token, to, amount } => {
            std("coin", "transfer", vec![address(view, *to), metadata(view, *token), number(*amount)])
        }
        Call::Swap(swap) => std("dex", "swap_script", swap_arguments(view, swap)),
        Call::Provide(liquidity) => std("dex", "provide_liquidity_script", provide_arguments(view, liquidity)),
        Call::Leave(liquidity) => std("dex", "withdraw_liquidity_script", leave_arguments(view, liquidity)),
        Call::CreateCollection { collection } => {
            std("simple_nft", "create_collection", create_arguments(view, *collection))
        }
        Call::Mint { collection, number, to } => {
            std("simple_nft", "mint", mint_arguments(view, *collection, *number, to.filter(|to| *to != sender)))
        }
        Call::Burn { collection, number } => Request {
            type_argument: Some("0x1::simple_nft::SimpleNft"),
            ..std("simple_nft", "burn", vec![Arg::Address(nft_object(view.world, *collection, *number))])
        },
        Call::Give { collection, number, to } => {
            let object = Arg::Address(nft_object(view.world, *collection, *number));
            std("object", "transfer_call", vec![object, address(view, *to)])
        }
        Call::Stake { amount } => at(role(Role::Vault), "vault", "stake", vec![number(*amount)]),
        Call::Unstake { amount } => at(role(Role::Vault), "vault", "unstake", vec![number(*amount)]),
        Call::Claim { .. } => at(role(Role::Airdrop), "airdrop", "claim", Vec::new()),
        Call::Supply { token, amount } => {
            at(market(view.world), "market", "supply", vec![metadata(view, *token), number(*amount)])
        }
        Call::Ping { module, argument } => {
            let module = MODULES.get(usize::from(*module)).unwrap_or(&MODULES[0]);
            let at = publisher(view.world, module.publisher);
            Request {
                address: short(view.party(at).word()),
                ..std(module.name, module.function, vec![Arg::Number(*argument)])
            }
        }
    }
}

fn pair(view: &View<'_>, place: u8) -> Arg {
    metadata(view, TokenId(pool(place).shares))
}

fn swap_arguments(view: &View<'_>, swap: &Swap) -> Vec<Arg> {
    let [sold, _] = swap_tokens(swap);
    let least = (swap.least > 0).then(|| u64::try_from(swap.least).unwrap_or(u64::MAX));
    vec![pair(view, swap.pool), metadata(view, sold), number(swap.sold), Arg::MaybeNumber(least)]
}

fn provide_arguments(view: &View<'_>, liquidity: &Liquidity) -> Vec<Arg> {
    let [one, other] = liquidity.sides.map(number);
    let least = u64::try_from(liquidity.shares - liquidity.shares / 100).unwrap_or(u64::MAX);
    vec![pair(view, liquidity.pool), one, other, Arg::MaybeNumber(Some(least))]
}

fn leave_arguments(view: &View<'_>, liquidity: &Liquidity) -> Vec<Arg> {
    let [one, other] = liquidity.sides.map(|side| u64::try_from(side - side / 100).unwrap_or(u64::MAX));
    let least = [one, other].map(|least| Arg::MaybeNumber(Some(least)));
    [pair(view, liquidity.pool), number(liquidity.shares)].into_iter().chain(least).collect()
}

fn create_arguments(view: &View<'_>, collection: u8) -> Vec<Arg> {
    let spec = COLLECTIONS.get(usize::from(collection));
    let (uri, most) = spec.map_or(("", 0), |spec| (spec.uri, spec.most));
    let mut arguments = vec![
        Arg::Text("Made for those who stay".to_owned()),
        Arg::MaybeNumber(Some(u64::from(most))),
        Arg::Text(collection_name(view.world, collection).to_owned()),
        Arg::Text(uri.to_owned()),
    ];
    arguments.extend([true, true, true, true, false, true].map(Arg::Flag));
    arguments.push(Arg::Decimal(25_000_000_000_000_000));
    arguments
}

fn mint_arguments(view: &View<'_>, collection: u8, number: u32, to: Option<PartyId>) -> Vec<Arg> {
    let uri = COLLECTIONS.get(usize::from(collection)).map_or_else(String::new, |spec| spec.token_uri(number));
    vec![
        Arg::Text(collection_name(view.world, collection).to_owned()),
        Arg::Text(format!("Number {number} of the collection")),
        Arg::Text(number.to_string()),
        Arg::Text(uri),
        Arg::NoList,
        Arg::NoList,
        Arg::NoList,
        Arg::MaybeAddress(to.map(|to| view.party(to).word())),
    ]
}
