//! Calls and deployments of contracts: their input, logs and return data.

use alloy_primitives::hex;

use super::{
    abi::{Arg, Log, TOPICS, ZERO, input, number, yes},
    items, logs,
};
use crate::{
    demo::ledger::{
        common::{
            catalogue::FEE_TOKEN,
            record::{PartyId, TokenId},
            render::{View, scribe::Scribe},
            world::{Party, Role},
        },
        derive,
        evm::{
            apply::{swap_tokens, wrap_tokens},
            catalogue::{APPLICATIONS, BRIDGED_COLLECTION, COLLECTIONS, ITEMS, REWARD_TOKEN, WRAP_FACTOR},
            record::{Call, Swap},
            world,
        },
    },
    domain::Address,
    wire::protobuf::ProtoWriter,
};

/// A deadline far away, as frontends that do not care write it.
const DEADLINE: u128 = 4_102_444_800;

/// What a call is made with.
pub(crate) struct Request<'a> {
    /// The contract, or the receiver of a payment.
    pub(crate) contract: &'a Party,
    /// The input, empty for a payment.
    pub(crate) input: String,
    /// What is paid along, in the fee token.
    pub(crate) value: u128,
}

/// What a call does.
struct Effect {
    logs: Vec<Log>,
    returned: Vec<u8>,
}

fn word(party: &Party) -> Arg<'static> {
    Arg::Word(party.word())
}

/// The ERC-721 id of a token: its number, or the hash of its number's text for a class that came over IBC.
pub(crate) fn nft_word(collection: u8, id: u32) -> [u8; 32] {
    if collection == BRIDGED_COLLECTION {
        return derive::sha256(id.to_string());
    }
    derive::number_word(u128::from(id))
}

/// What a call is made with.
pub(crate) fn request<'a>(view: &View<'a>, sender: PartyId, call: &Call) -> Request<'a> {
    let me = view.party(sender);
    let (contract, input) = match call {
        Call::Pay { to, amount } => {
            return Request { contract: view.party(*to), input: String::new(), value: *amount };
        }
        Call::Transfer { token, to, amount } => {
            let arguments = [word(view.party(*to)), number(*amount)];
            (view.contract(*token), input("transfer(address,uint256)", &arguments))
        }
        Call::Approve { token, spender, amount } => {
            let amount = Arg::Word(allowance(*amount));
            (view.contract(*token), input("approve(address,uint256)", &[word(view.party(*spender)), amount]))
        }
        Call::Burn { token, amount } => (view.contract(*token), input("burn(uint256)", &[number(*amount)])),
        Call::Mint { collection, id } => (collection_party(view, *collection), mint_input(me, *collection, *id)),
        Call::Give { collection, id, to } => {
            let arguments = [word(me), word(view.party(*to)), Arg::Word(nft_word(*collection, *id))];
            let text = input("safeTransferFrom(address,address,uint256)", &arguments);
            (collection_party(view, *collection), text)
        }
        Call::ApproveAll { collection, approved } => {
            let marketplace = view.party(world::application(view.world, 4));
            let arguments = [word(marketplace), number(u128::from(*approved))];
            (collection_party(view, *collection), input("setApprovalForAll(address,bool)", &arguments))
        }
        Call::Swap(swap) => (view.role(Role::Router), swap_input(view, me, swap)),
        Call::ToLocal { wrap, amount } => {
            let denom = view.denom(wrap_tokens(*wrap).0);
            let arguments = [word(me), Arg::Text(denom), number(*amount), number(6)];
            (view.role(Role::Wrapper), input("toLocal(address,string,uint256,uint8)", &arguments))
        }
        Call::ToRemote { wrap, amount } => {
            let denom = view.denom(wrap_tokens(*wrap).1);
            let arguments = [word(me), Arg::Text(denom), number(*amount)];
            (view.role(Role::Wrapper), input("toRemote(address,string,uint256)", &arguments))
        }
        Call::Stake { amount } => (view.role(Role::Vault), input("stake(uint256)", &[number(*amount)])),
        Call::Unstake { amount } => (view.role(Role::Vault), input("unstake(uint256)", &[number(*amount)])),
        Call::Claim { .. } => (view.role(Role::Airdrop), input("claim()", &[])),
        Call::Disperse { token, each, to } => (view.role(Role::Disperser), disperse_input(view, *token, *each, to)),
        Call::MintItems { kind, count } => (items_party(view), items::mint(me, *kind, *count)),
        Call::MintBatch { kinds, count } => (items_party(view), items::mint_batch(me, *kinds, *count)),
        Call::GiveItems { kind, count, to } => (items_party(view), items::give(me, view.party(*to), *kind, *count)),
        Call::Ping { application, argument } => return ping(view, *application, *argument),
    };
    Request { contract, input, value: 0 }
}

fn allowance(amount: Option<u128>) -> [u8; 32] {
    amount.map_or([0xff; 32], derive::number_word)
}

fn collection_party<'a>(view: &View<'a>, collection: u8) -> &'a Party {
    view.party(view.world.collection(collection))
}

fn items_party<'a>(view: &View<'a>) -> &'a Party {
    view.party(world::application(view.world, ITEMS))
}

fn mint_input(me: &Party, collection: u8, id: u32) -> String {
    let uri = COLLECTIONS.get(usize::from(collection)).map_or_else(String::new, |spec| spec.token_uri(id));
    input("safeMint(address,string)", &[word(me), Arg::Text(&uri)])
}

fn swap_input(view: &View<'_>, me: &Party, swap: &Swap) -> String {
    let (sold, bought) = swap_tokens(swap);
    let path = Arg::Words(vec![view.contract(sold).word(), view.contract(bought).word()]);
    let least = number(swap.bought - swap.bought / 200);
    let arguments = [number(swap.sold), least, path, word(me), number(DEADLINE)];
    input("swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", &arguments)
}

fn disperse_input(view: &View<'_>, token: TokenId, each: u128, to: &[PartyId]) -> String {
    let receivers = to.iter().map(|to| view.party(*to).word()).collect();
    let amounts = vec![derive::number_word(each); to.len()];
    let arguments = [word(view.contract(token)), Arg::Words(receivers), Arg::Words(amounts)];
    input("disperseToken(address,address[],uint256[])", &arguments)
}

/// A call of an application, or one whose input is not even hex.
fn ping<'a>(view: &View<'a>, application: u8, argument: u64) -> Request<'a> {
    let Some((_, signature)) = APPLICATIONS.get(usize::from(application)) else {
        let contract = view.party(world::application(view.world, 0));
        return Request { contract, input: format!("0x{:07x}", argument >> 36), value: 0 };
    };
    let arguments: Vec<Arg<'_>> = match signature.split_once('(') {
        Some((_, ")")) | None => Vec::new(),
        Some((_, "string)")) => vec![Arg::Text("INIT/USD")],
        Some((_, "bytes32,string)")) => {
            vec![Arg::Word(derive::sha256(argument.to_be_bytes())), Arg::Text("avatar=ipfs://lantern")]
        }
        Some((_, "address,address)")) => [0, 1].map(|token| word(view.contract(TokenId(token)))).into(),
        Some((_, "address,string,string,uint8,bytes32)")) => {
            let (publisher, salt) = (word(view.role(Role::Wrapper)), Arg::Word(derive::sha256(argument.to_be_bytes())));
            vec![publisher, Arg::Text("Sample"), Arg::Text("SMP"), number(18), salt]
        }
        Some((_, rest)) => rest.split(',').map(|_| number(u128::from(argument >> 40))).collect(),
    };
    let contract = view.party(world::application(view.world, application));
    Request { contract, input: input(signature, &arguments), value: 0 }
}

/// The events of a call and its response.
pub(crate) fn call(view: &View<'_>, scribe: &mut Scribe, sender: PartyId, call: &Call) -> Vec<u8> {
    let request = request(view, sender, call);
    let Effect { logs, returned } = effect(view, view.party(sender), call);
    logs::call(scribe, request.contract, &returned);
    logs::logs(scribe, &logs);
    let mut response = ProtoWriter::new().bytes(1, hex::encode_prefixed(&returned));
    for log in &logs {
        response = response.bytes(2, log.proto());
    }
    response.finish()
}

/// What a call returns.
pub(crate) fn returned(view: &View<'_>, sender: PartyId, call: &Call) -> Vec<u8> {
    effect(view, view.party(sender), call).returned
}

fn effect(view: &View<'_>, me: &Party, call: &Call) -> Effect {
    let mine = me.word();
    let (logs, returned) = match call {
        Call::Transfer { token, to, amount } => {
            (vec![Log::transfer(view.contract(*token), mine, view.party(*to).word(), *amount)], yes())
        }
        Call::Approve { token, spender, amount } => {
            let log = Log::approval(view.contract(*token), mine, view.party(*spender).word(), allowance(*amount));
            (vec![log], yes())
        }
        Call::Burn { token, amount } => (vec![Log::transfer(view.contract(*token), mine, ZERO, *amount)], yes()),
        Call::Pay { to, amount } => {
            let token = view.contract(TokenId(FEE_TOKEN));
            (vec![Log::transfer(token, mine, view.party(*to).word(), *amount)], Vec::new())
        }
        Call::Mint { collection, id } => {
            let id = nft_word(*collection, *id);
            (vec![Log::nft_transfer(collection_party(view, *collection), ZERO, mine, id)], id.to_vec())
        }
        Call::Give { collection, id, to } => {
            let contract = collection_party(view, *collection);
            let id = nft_word(*collection, *id);
            (vec![Log::nft_transfer(contract, mine, view.party(*to).word(), id)], Vec::new())
        }
        Call::ApproveAll { collection, approved } => {
            let marketplace = view.party(world::application(view.world, 4)).word();
            let topics = vec![TOPICS.approval_for_all, mine, marketplace];
            let contract = collection_party(view, *collection);
            (vec![Log::new(contract, topics, &[number(u128::from(*approved))])], Vec::new())
        }
        Call::Swap(swap) => swap_effect(view, mine, swap),
        Call::ToLocal { wrap, amount } => (to_local_logs(view, me, *wrap, *amount), Vec::new()),
        Call::ToRemote { wrap, amount } => to_remote_effect(view, mine, *wrap, *amount),
        Call::Stake { amount } => (vault_logs(view, mine, *amount, true), Vec::new()),
        Call::Unstake { amount } => (vault_logs(view, mine, *amount, false), Vec::new()),
        Call::Claim { amount } => {
            let (airdrop, token) = (view.role(Role::Airdrop), view.contract(TokenId(REWARD_TOKEN)));
            let moved = Log::transfer(token, airdrop.word(), mine, *amount);
            (vec![moved, Log::new(airdrop, vec![TOPICS.claimed, mine], &[number(*amount)])], Vec::new())
        }
        Call::Disperse { token, each, to } => {
            let token = view.contract(*token);
            (to.iter().map(|to| Log::transfer(token, mine, view.party(*to).word(), *each)).collect(), Vec::new())
        }
        Call::MintItems { kind, count } => {
            (vec![items::moved(items_party(view), me, None, me, (*kind, *count))], Vec::new())
        }
        Call::MintBatch { kinds, count } => (vec![items::made(items_party(view), me, *kinds, *count)], Vec::new()),
        Call::GiveItems { kind, count, to } => {
            let log = items::moved(items_party(view), me, Some(me), view.party(*to), (*kind, *count));
            (vec![log], Vec::new())
        }
        Call::Ping { application, argument } => (Vec::new(), told(view, *application, *argument)),
    };
    Effect { logs, returned }
}

/// What applications answer.
fn told(view: &View<'_>, application: u8, argument: u64) -> Vec<u8> {
    match application {
        0 => price(view, argument),
        1 => {
            let (factory, salt) = (view.party(world::application(view.world, 1)), argument);
            derive::word(derive::create2_address(factory.tail(), salt, b"SMP")).to_vec()
        }
        2 => view.party(world::pool(view.world, 0)).word().to_vec(),
        _ => Vec::new(),
    }
}

/// The oracle's answer: price, timestamp, height, nonce, decimals, id.
pub(crate) fn price(view: &View<'_>, argument: u64) -> Vec<u8> {
    let time = u128::try_from(view.clock.time(view.height).as_nanos()).unwrap_or(0);
    let height = u128::from(view.clock.l1_height(view.height));
    super::abi::encode(&[u128::from(argument >> 34), time, height, height, 8, 2].map(number))
}

fn swap_effect(view: &View<'_>, mine: [u8; 32], swap: &Swap) -> (Vec<Log>, Vec<u8>) {
    let (sold, bought) = swap_tokens(swap);
    let (pool, router) = (view.party(world::pool(view.world, swap.pool)), view.role(Role::Router).word());
    let sides = if swap.forward { [swap.sold, 0, 0, swap.bought] } else { [0, swap.sold, swap.bought, 0] };
    let logs = vec![
        Log::transfer(view.contract(sold), mine, pool.word(), swap.sold),
        Log::transfer(view.contract(bought), pool.word(), mine, swap.bought),
        Log::new(pool, vec![TOPICS.sync], &swap.reserves.map(number)),
        Log::new(pool, vec![TOPICS.swap, router, mine], &sides.map(number)),
    ];
    let amounts = Arg::Words(vec![derive::number_word(swap.sold), derive::number_word(swap.bought)]);
    (logs, super::abi::encode(&[amounts]))
}

fn vault_logs(view: &View<'_>, mine: [u8; 32], amount: u128, staking: bool) -> Vec<Log> {
    let (vault, token) = (view.role(Role::Vault), view.contract(TokenId(REWARD_TOKEN)));
    let (from, to, topic) =
        if staking { (mine, vault.word(), TOPICS.staked) } else { (vault.word(), mine, TOPICS.unstaked) };
    vec![Log::transfer(token, from, to, amount), Log::new(vault, vec![topic, mine], &[number(amount)])]
}

/// The wrapper's own log; the amount counts units of the source.
fn converted(view: &View<'_>, source: TokenId, target: TokenId, decimals: [u128; 2], amount: u128) -> Log {
    let [from, to] = decimals.map(number);
    let names = [Arg::Text(view.denom(source)), Arg::Text(view.denom(target)), from, to, number(amount)];
    Log::new(view.role(Role::Wrapper), vec![TOPICS.converted], &names)
}

/// The logs of a conversion of 6 decimals to 18: for the owner, or by a hook account for another.
pub(crate) fn to_local_logs_for(
    view: &View<'_>,
    owner: [u8; 32],
    receiver: [u8; 32],
    wrap: u8,
    amount: u128,
) -> Vec<Log> {
    let (remote, local) = wrap_tokens(wrap);
    let wrapper = view.role(Role::Wrapper).word();
    vec![
        Log::transfer(view.contract(remote), owner, wrapper, amount),
        Log::transfer(view.contract(local), ZERO, receiver, amount * WRAP_FACTOR),
        converted(view, remote, local, [6, 18], amount),
    ]
}

/// The logs of a conversion of 6 decimals to 18.
pub(crate) fn to_local_logs(view: &View<'_>, owner: &Party, wrap: u8, amount: u128) -> Vec<Log> {
    to_local_logs_for(view, owner.word(), owner.word(), wrap, amount)
}

fn to_remote_effect(view: &View<'_>, mine: [u8; 32], wrap: u8, amount: u128) -> (Vec<Log>, Vec<u8>) {
    let (remote, local) = wrap_tokens(wrap);
    let (wrapper, contract) = (view.role(Role::Wrapper).word(), view.contract(remote));
    let given = amount / WRAP_FACTOR;
    let logs = vec![
        Log::transfer(view.contract(local), mine, ZERO, amount),
        Log::transfer(contract, wrapper, mine, given),
        converted(view, local, remote, [18, 6], amount),
    ];
    (logs, super::abi::encode(&[word(contract), number(given), number(6)]))
}

/// The init code of a deployment: real opening bytes, then bytes that the deployment fixes.
pub(crate) fn init_code(sender: &Party, nonce: u32) -> Vec<u8> {
    let mut code = hex::decode("608060405234801561000f575f80fd5b50").unwrap_or_default();
    code.extend(derive::filler(&sender.hex, &[u64::from(nonce)], 420));
    code
}

/// The events of a deployment and its response.
pub(crate) fn create(view: &View<'_>, scribe: &mut Scribe, sender: PartyId, nonce: u32, salt: Option<u64>) -> Vec<u8> {
    let owner = view.party(sender);
    let code = init_code(owner, nonce);
    let contract = Party::new(Address::Short(match salt {
        None => derive::create_address(owner.tail(), u64::from(nonce)),
        Some(salt) => derive::create2_address(owner.tail(), salt, &code),
    }));
    let runtime = code.get(17..).unwrap_or_default();
    scribe.emit("contract_created", vec![("contract", contract.hex.to_string())]);
    let ret = hex::encode_prefixed(runtime);
    scribe.emit("create", vec![("contract", contract.hex.to_string()), ("ret", ret.clone())]);
    let log = Log::new(&contract, vec![TOPICS.ownership, ZERO, owner.word()], &[]);
    let encoded = log.proto();
    logs::logs(scribe, &[log]);
    ProtoWriter::new().bytes(1, ret).bytes(2, contract.hex.as_bytes()).bytes(3, encoded).finish()
}
