//! Modules, functions and arguments of calls.

use super::{args::MoveArg, short};
use crate::demo::ledger::{
    common::{
        record::{PartyId, TokenId},
        render::RenderView,
        world::PartyRole,
    },
    json::Json,
    movevm::{
        apply::{market, swap_tokens},
        catalogue::{COLLECTIONS, MODULES, pool},
        record::{ContractCall, Liquidity, Swap},
        world::{collection_name, nft_object, publisher},
    },
};

pub(crate) struct CallRequest {
    pub(crate) address: String,
    pub(crate) module: &'static str,
    pub(crate) function: &'static str,
    pub(crate) type_argument: Option<&'static str>,
    pub(crate) arguments: Vec<MoveArg>,
}

/// Encodes an amount, which fits in 64 bits on Move.
pub(crate) fn number(amount: u128) -> MoveArg {
    MoveArg::Number(u64::try_from(amount).unwrap_or(u64::MAX))
}

pub(crate) fn type_arguments(json: &mut Json, argument: Option<&'static str>) {
    json.key("type_args").list(|json| {
        if let Some(argument) = argument {
            json.string(argument);
        }
    });
}

fn std(module: &'static str, function: &'static str, arguments: Vec<MoveArg>) -> CallRequest {
    CallRequest { address: "0x1".to_owned(), module, function, type_argument: None, arguments }
}

fn address(view: &RenderView<'_>, party: PartyId) -> MoveArg {
    MoveArg::Address(view.party(party).word())
}

fn metadata(view: &RenderView<'_>, token: TokenId) -> MoveArg {
    MoveArg::Address(view.contract(token).word())
}

pub(crate) fn request(view: &RenderView<'_>, sender: PartyId, call: &ContractCall) -> CallRequest {
    let at = |party: PartyId, module, function, arguments| CallRequest {
        address: short(view.party(party).word()),
        ..std(module, function, arguments)
    };
    let role = |role| view.world.role(role);
    match call {
        ContractCall::Transfer { token, to, amount } => {
            std("coin", "transfer", vec![address(view, *to), metadata(view, *token), number(*amount)])
        }
        ContractCall::Swap(swap) => std("dex", "swap_script", swap_arguments(view, swap)),
        ContractCall::Provide(liquidity) => std("dex", "provide_liquidity_script", provide_arguments(view, liquidity)),
        ContractCall::Leave(liquidity) => std("dex", "withdraw_liquidity_script", leave_arguments(view, liquidity)),
        ContractCall::CreateCollection { collection } => {
            std("simple_nft", "create_collection", create_arguments(view, *collection))
        }
        ContractCall::Mint { collection, number, to } => {
            std("simple_nft", "mint", mint_arguments(view, *collection, *number, to.filter(|to| *to != sender)))
        }
        ContractCall::Burn { collection, number } => CallRequest {
            type_argument: Some("0x1::simple_nft::SimpleNft"),
            ..std("simple_nft", "burn", vec![MoveArg::Address(nft_object(view.world, *collection, *number))])
        },
        ContractCall::Give { collection, number, to } => {
            let object = MoveArg::Address(nft_object(view.world, *collection, *number));
            std("object", "transfer_call", vec![object, address(view, *to)])
        }
        ContractCall::Stake { amount } => at(role(PartyRole::Vault), "vault", "stake", vec![number(*amount)]),
        ContractCall::Unstake { amount } => at(role(PartyRole::Vault), "vault", "unstake", vec![number(*amount)]),
        ContractCall::Claim { .. } => at(role(PartyRole::Airdrop), "airdrop", "claim", Vec::new()),
        ContractCall::Supply { token, amount } => {
            at(market(view.world), "market", "supply", vec![metadata(view, *token), number(*amount)])
        }
        ContractCall::Ping { module, argument } => {
            let module = MODULES.get(usize::from(*module)).unwrap_or(&MODULES[0]);
            let at = publisher(view.world, module.publisher);
            CallRequest {
                address: short(view.party(at).word()),
                ..std(module.name, module.function, vec![MoveArg::Number(*argument)])
            }
        }
    }
}

fn pair(view: &RenderView<'_>, place: u8) -> MoveArg {
    metadata(view, TokenId(pool(place).shares))
}

fn swap_arguments(view: &RenderView<'_>, swap: &Swap) -> Vec<MoveArg> {
    let [sold, _] = swap_tokens(swap);
    let least = (swap.least > 0).then(|| u64::try_from(swap.least).unwrap_or(u64::MAX));
    vec![pair(view, swap.pool), metadata(view, sold), number(swap.sold), MoveArg::MaybeNumber(least)]
}

fn provide_arguments(view: &RenderView<'_>, liquidity: &Liquidity) -> Vec<MoveArg> {
    let [one, other] = liquidity.sides.map(number);
    let least = u64::try_from(liquidity.shares - liquidity.shares / 100).unwrap_or(u64::MAX);
    vec![pair(view, liquidity.pool), one, other, MoveArg::MaybeNumber(Some(least))]
}

fn leave_arguments(view: &RenderView<'_>, liquidity: &Liquidity) -> Vec<MoveArg> {
    let [one, other] = liquidity.sides.map(|side| u64::try_from(side - side / 100).unwrap_or(u64::MAX));
    let least = [one, other].map(|least| MoveArg::MaybeNumber(Some(least)));
    [pair(view, liquidity.pool), number(liquidity.shares)].into_iter().chain(least).collect()
}

fn create_arguments(view: &RenderView<'_>, collection: u8) -> Vec<MoveArg> {
    let spec = COLLECTIONS.get(usize::from(collection));
    let (uri, most) = spec.map_or(("", 0), |spec| (spec.uri, spec.most));
    let mut arguments = vec![
        MoveArg::Text("Made for those who stay".to_owned()),
        MoveArg::MaybeNumber(Some(u64::from(most))),
        MoveArg::Text(collection_name(view.world, collection).to_owned()),
        MoveArg::Text(uri.to_owned()),
    ];
    arguments.extend([true, true, true, true, false, true].map(MoveArg::Flag));
    arguments.push(MoveArg::Decimal(25_000_000_000_000_000));
    arguments
}

fn mint_arguments(view: &RenderView<'_>, collection: u8, number: u32, to: Option<PartyId>) -> Vec<MoveArg> {
    let uri = COLLECTIONS.get(usize::from(collection)).map_or_else(String::new, |spec| spec.token_uri(number));
    vec![
        MoveArg::Text(collection_name(view.world, collection).to_owned()),
        MoveArg::Text(format!("Number {number} of the collection")),
        MoveArg::Text(number.to_string()),
        MoveArg::Text(uri),
        MoveArg::NoList,
        MoveArg::NoList,
        MoveArg::NoList,
        MoveArg::MaybeAddress(to.map(|to| view.party(to).word())),
    ]
}
