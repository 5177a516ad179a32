//! Renders calls and deployments: input, logs and return data.

use alloy_primitives::hex;

use super::{
    abi::{AbiArg, AbiLog, TOPICS, ZERO, input, number, yes},
    items, logs,
};
use crate::{
    demo::ledger::{
        common::{
            catalogue::FEE_TOKEN,
            record::{PartyId, TokenId},
            render::{RenderView, event_writer::EventWriter},
            world::{Party, PartyRole},
        },
        derive,
        evm::{
            apply::{swap_tokens, wrap_tokens},
            catalogue::{APPLICATIONS, BRIDGED_COLLECTION, COLLECTIONS, ITEMS, REWARD_TOKEN, WRAP_FACTOR},
            record::{ContractCall, Swap},
            world,
        },
    },
    domain::Address,
    events::names::CONTRACT_CREATED,
    wire::protobuf::ProtoWriter,
};

/// Deadline of swaps in Unix seconds: 2100-01-01, as careless frontends set it.
const DEADLINE: u128 = 4_102_444_800;

pub(crate) struct CallRequest<'a> {
    pub(crate) contract: &'a Party,
    /// Input in hexadecimal; of a payment only the prefix `0x`.
    pub(crate) input: String,
    /// Value in the fee token's smallest unit.
    pub(crate) value: u128,
}

struct CallEffect {
    logs: Vec<AbiLog>,
    returned: Vec<u8>,
}

fn word(party: &Party) -> AbiArg<'static> {
    AbiArg::Word(party.word())
}

/// Returns an NFT's ID as an EVM word: its number or, for the bridged class, a hash of the decimal number.
pub(crate) fn nft_word(collection: u8, id: u32) -> [u8; 32] {
    if collection == BRIDGED_COLLECTION {
        return derive::sha256(id.to_string());
    }
    derive::number_word(u128::from(id))
}

pub(crate) fn request<'a>(view: &RenderView<'a>, sender: PartyId, call: &ContractCall) -> CallRequest<'a> {
    let me = view.party(sender);
    let (contract, input) = match call {
        ContractCall::Pay { to, amount } => {
            return CallRequest { contract: view.party(*to), input: "0x".to_owned(), value: *amount };
        }
        ContractCall::Transfer { token, to, amount } => {
            let arguments = [word(view.party(*to)), number(*amount)];
            (view.contract(*token), input("transfer(address,uint256)", &arguments))
        }
        ContractCall::Approve { token, spender, amount } => {
            let amount = AbiArg::Word(allowance(*amount));
            (view.contract(*token), input("approve(address,uint256)", &[word(view.party(*spender)), amount]))
        }
        ContractCall::Burn { token, amount } => (view.contract(*token), input("burn(uint256)", &[number(*amount)])),
        ContractCall::Mint { collection, id, to } => {
            (collection_party(view, *collection), mint_input(view.party(*to), *collection, *id))
        }
        ContractCall::Give { collection, id, to } => {
            let arguments = [word(me), word(view.party(*to)), AbiArg::Word(nft_word(*collection, *id))];
            let text = input("safeTransferFrom(address,address,uint256)", &arguments);
            (collection_party(view, *collection), text)
        }
        ContractCall::ApproveAll { collection, approved } => {
            let marketplace = view.party(world::application(view.world, 4));
            let arguments = [word(marketplace), number(u128::from(*approved))];
            (collection_party(view, *collection), input("setApprovalForAll(address,bool)", &arguments))
        }
        ContractCall::Swap(swap) => (view.role(PartyRole::Router), swap_input(view, me, swap)),
        ContractCall::ToLocal { wrap, amount } => {
            let denom = view.denom(wrap_tokens(*wrap).0);
            let arguments = [word(me), AbiArg::Text(denom), number(*amount), number(6)];
            (view.role(PartyRole::Wrapper), input("toLocal(address,string,uint256,uint8)", &arguments))
        }
        ContractCall::ToRemote { wrap, amount } => {
            let denom = view.denom(wrap_tokens(*wrap).1);
            let arguments = [word(me), AbiArg::Text(denom), number(*amount)];
            (view.role(PartyRole::Wrapper), input("toRemote(address,string,uint256)", &arguments))
        }
        ContractCall::Stake { amount } => (view.role(PartyRole::Vault), input("stake(uint256)", &[number(*amount)])),
        ContractCall::Unstake { amount } => {
            (view.role(PartyRole::Vault), input("unstake(uint256)", &[number(*amount)]))
        }
        ContractCall::Claim { .. } => (view.role(PartyRole::Airdrop), input("claim()", &[])),
        ContractCall::Disperse { token, each, to } => {
            (view.role(PartyRole::Disperser), disperse_input(view, *token, *each, to))
        }
        ContractCall::MintItems { kind, count } => (items_party(view), items::mint(me, *kind, *count)),
        ContractCall::MintBatch { kinds, count } => (items_party(view), items::mint_batch(me, *kinds, *count)),
        ContractCall::GiveItems { kind, count, to } => {
            (items_party(view), items::give(me, view.party(*to), *kind, *count))
        }
        ContractCall::Ping { application, argument } => return ping(view, *application, *argument),
    };
    CallRequest { contract, input, value: 0 }
}

fn allowance(amount: Option<u128>) -> [u8; 32] {
    amount.map_or([0xff; 32], derive::number_word)
}

fn collection_party<'a>(view: &RenderView<'a>, collection: u8) -> &'a Party {
    view.party(view.world.collection(collection))
}

fn items_party<'a>(view: &RenderView<'a>) -> &'a Party {
    view.party(world::application(view.world, ITEMS))
}

fn mint_input(to: &Party, collection: u8, id: u32) -> String {
    let uri = COLLECTIONS.get(usize::from(collection)).map_or_else(String::new, |spec| spec.token_uri(id));
    input("safeMint(address,string)", &[word(to), AbiArg::Text(&uri)])
}

fn swap_input(view: &RenderView<'_>, me: &Party, swap: &Swap) -> String {
    let (sold, bought) = swap_tokens(swap);
    let path = AbiArg::Words(vec![view.contract(sold).word(), view.contract(bought).word()]);
    let least = number(swap.bought - swap.bought / 200);
    let arguments = [number(swap.sold), least, path, word(me), number(DEADLINE)];
    input("swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", &arguments)
}

fn disperse_input(view: &RenderView<'_>, token: TokenId, each: u128, to: &[PartyId]) -> String {
    let receivers = to.iter().map(|to| view.party(*to).word()).collect();
    let amounts = vec![derive::number_word(each); to.len()];
    let arguments = [word(view.contract(token)), AbiArg::Words(receivers), AbiArg::Words(amounts)];
    input("disperseToken(address,address[],uint256[])", &arguments)
}

/// Returns the request of a call that emits no log, or of one whose input is not hexadecimal.
fn ping<'a>(view: &RenderView<'a>, application: u8, argument: u64) -> CallRequest<'a> {
    let Some((_, signature)) = APPLICATIONS.get(usize::from(application)) else {
        let contract = view.party(world::application(view.world, 0));
        return CallRequest { contract, input: format!("0x{:07x}", argument >> 36), value: 0 };
    };
    let arguments: Vec<AbiArg<'_>> = match signature.split_once('(') {
        Some((_, ")")) | None => Vec::new(),
        Some((_, "string)")) => vec![AbiArg::Text("INIT/USD")],
        Some((_, "bytes32,string)")) => {
            vec![AbiArg::Word(derive::sha256(argument.to_be_bytes())), AbiArg::Text("avatar=ipfs://lantern")]
        }
        Some((_, "address,address)")) => [0, 1].map(|token| word(view.contract(TokenId(token)))).into(),
        Some((_, "address,string,string,uint8,bytes32)")) => {
            let (publisher, salt) =
                (word(view.role(PartyRole::Wrapper)), AbiArg::Word(derive::sha256(argument.to_be_bytes())));
            vec![publisher, AbiArg::Text("Sample"), AbiArg::Text("SMP"), number(18), salt]
        }
        Some((_, rest)) => rest.split(',').map(|_| number(u128::from(argument >> 40))).collect(),
    };
    let contract = view.party(world::application(view.world, application));
    CallRequest { contract, input: input(signature, &arguments), value: 0 }
}

pub(crate) fn call(view: &RenderView<'_>, events: &mut EventWriter, sender: PartyId, call: &ContractCall) -> Vec<u8> {
    let request = request(view, sender, call);
    let CallEffect { logs, returned } = effect(view, view.party(sender), call);
    logs::call(events, request.contract, &returned);
    logs::logs(events, &logs);
    let mut response = ProtoWriter::new().bytes(1, hex::encode_prefixed(&returned));
    for log in &logs {
        response = response.bytes(2, log.proto());
    }
    response.finish()
}

pub(crate) fn returned(view: &RenderView<'_>, sender: PartyId, call: &ContractCall) -> Vec<u8> {
    effect(view, view.party(sender), call).returned
}

fn effect(view: &RenderView<'_>, me: &Party, call: &ContractCall) -> CallEffect {
    let mine = me.word();
    let (logs, returned) = match call {
        ContractCall::Transfer { token, to, amount } => {
            (vec![AbiLog::transfer(view.contract(*token), mine, view.party(*to).word(), *amount)], yes())
        }
        ContractCall::Approve { token, spender, amount } => {
            let log = AbiLog::approval(view.contract(*token), mine, view.party(*spender).word(), allowance(*amount));
            (vec![log], yes())
        }
        ContractCall::Burn { token, amount } => {
            (vec![AbiLog::transfer(view.contract(*token), mine, ZERO, *amount)], yes())
        }
        ContractCall::Pay { to, amount } => {
            let token = view.contract(TokenId(FEE_TOKEN));
            (vec![AbiLog::transfer(token, mine, view.party(*to).word(), *amount)], Vec::new())
        }
        ContractCall::Mint { collection, id, to } => {
            let (id, to) = (nft_word(*collection, *id), view.party(*to).word());
            (vec![AbiLog::nft_transfer(collection_party(view, *collection), ZERO, to, id)], id.to_vec())
        }
        ContractCall::Give { collection, id, to } => {
            let contract = collection_party(view, *collection);
            let id = nft_word(*collection, *id);
            (vec![AbiLog::nft_transfer(contract, mine, view.party(*to).word(), id)], Vec::new())
        }
        ContractCall::ApproveAll { collection, approved } => {
            let marketplace = view.party(world::application(view.world, 4)).word();
            let topics = vec![TOPICS.approval_for_all, mine, marketplace];
            let contract = collection_party(view, *collection);
            (vec![AbiLog::new(contract, topics, &[number(u128::from(*approved))])], Vec::new())
        }
        ContractCall::Swap(swap) => swap_effect(view, mine, swap),
        ContractCall::ToLocal { wrap, amount } => (to_local_logs(view, me, *wrap, *amount), Vec::new()),
        ContractCall::ToRemote { wrap, amount } => to_remote_effect(view, mine, *wrap, *amount),
        ContractCall::Stake { amount } => (vault_logs(view, mine, *amount, true), Vec::new()),
        ContractCall::Unstake { amount } => (vault_logs(view, mine, *amount, false), Vec::new()),
        ContractCall::Claim { amount } => {
            let (airdrop, token) = (view.role(PartyRole::Airdrop), view.contract(TokenId(REWARD_TOKEN)));
            let moved = AbiLog::transfer(token, airdrop.word(), mine, *amount);
            (vec![moved, AbiLog::new(airdrop, vec![TOPICS.claimed, mine], &[number(*amount)])], Vec::new())
        }
        ContractCall::Disperse { token, each, to } => {
            let token = view.contract(*token);
            (to.iter().map(|to| AbiLog::transfer(token, mine, view.party(*to).word(), *each)).collect(), Vec::new())
        }
        ContractCall::MintItems { kind, count } => {
            (vec![items::moved(items_party(view), me, None, me, (*kind, *count))], Vec::new())
        }
        ContractCall::MintBatch { kinds, count } => {
            (vec![items::made(items_party(view), me, *kinds, *count)], Vec::new())
        }
        ContractCall::GiveItems { kind, count, to } => {
            let log = items::moved(items_party(view), me, Some(me), view.party(*to), (*kind, *count));
            (vec![log], Vec::new())
        }
        ContractCall::Ping { application, argument } => (Vec::new(), told(view, *application, *argument)),
    };
    CallEffect { logs, returned }
}

fn told(view: &RenderView<'_>, application: u8, argument: u64) -> Vec<u8> {
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

/// Encodes the oracle's return data: price, timestamp, height, nonce, decimals, ID.
pub(crate) fn price(view: &RenderView<'_>, argument: u64) -> Vec<u8> {
    let time = u128::try_from(view.clock.time(view.height).as_nanos()).unwrap_or(0);
    let height = u128::from(view.clock.l1_height(view.height));
    super::abi::encode(&[u128::from(argument >> 34), time, height, height, 8, 2].map(number))
}

fn swap_effect(view: &RenderView<'_>, mine: [u8; 32], swap: &Swap) -> (Vec<AbiLog>, Vec<u8>) {
    let (sold, bought) = swap_tokens(swap);
    let (pool, router) = (view.party(world::pool(view.world, swap.pool)), view.role(PartyRole::Router).word());
    let sides = if swap.forward { [swap.sold, 0, 0, swap.bought] } else { [0, swap.sold, swap.bought, 0] };
    let logs = vec![
        AbiLog::transfer(view.contract(sold), mine, pool.word(), swap.sold),
        AbiLog::transfer(view.contract(bought), pool.word(), mine, swap.bought),
        AbiLog::new(pool, vec![TOPICS.sync], &swap.reserves.map(number)),
        AbiLog::new(pool, vec![TOPICS.swap, router, mine], &sides.map(number)),
    ];
    let amounts = AbiArg::Words(vec![derive::number_word(swap.sold), derive::number_word(swap.bought)]);
    (logs, super::abi::encode(&[amounts]))
}

fn vault_logs(view: &RenderView<'_>, mine: [u8; 32], amount: u128, staking: bool) -> Vec<AbiLog> {
    let (vault, token) = (view.role(PartyRole::Vault), view.contract(TokenId(REWARD_TOKEN)));
    let (from, to, topic) =
        if staking { (mine, vault.word(), TOPICS.staked) } else { (vault.word(), mine, TOPICS.unstaked) };
    vec![AbiLog::transfer(token, from, to, amount), AbiLog::new(vault, vec![topic, mine], &[number(amount)])]
}

/// Creates the wrapper's log; the amount is in the source token.
fn converted(view: &RenderView<'_>, source: TokenId, target: TokenId, decimals: [u128; 2], amount: u128) -> AbiLog {
    let [from, to] = decimals.map(number);
    let names = [AbiArg::Text(view.denom(source)), AbiArg::Text(view.denom(target)), from, to, number(amount)];
    AbiLog::new(view.role(PartyRole::Wrapper), vec![TOPICS.converted], &names)
}

/// Creates the logs of a conversion from 6 to 18 decimals, by the owner or by a hook account.
pub(crate) fn to_local_logs_for(
    view: &RenderView<'_>,
    owner: [u8; 32],
    receiver: [u8; 32],
    wrap: u8,
    amount: u128,
) -> Vec<AbiLog> {
    let (remote, local) = wrap_tokens(wrap);
    let wrapper = view.role(PartyRole::Wrapper).word();
    vec![
        AbiLog::transfer(view.contract(remote), owner, wrapper, amount),
        AbiLog::transfer(view.contract(local), ZERO, receiver, amount * WRAP_FACTOR),
        converted(view, remote, local, [6, 18], amount),
    ]
}

/// Creates the logs of a conversion from 6 to 18 decimals.
pub(crate) fn to_local_logs(view: &RenderView<'_>, owner: &Party, wrap: u8, amount: u128) -> Vec<AbiLog> {
    to_local_logs_for(view, owner.word(), owner.word(), wrap, amount)
}

fn to_remote_effect(view: &RenderView<'_>, mine: [u8; 32], wrap: u8, amount: u128) -> (Vec<AbiLog>, Vec<u8>) {
    let (remote, local) = wrap_tokens(wrap);
    let (wrapper, contract) = (view.role(PartyRole::Wrapper).word(), view.contract(remote));
    let given = amount / WRAP_FACTOR;
    let logs = vec![
        AbiLog::transfer(view.contract(local), mine, ZERO, amount),
        AbiLog::transfer(contract, wrapper, mine, given),
        converted(view, local, remote, [18, 6], amount),
    ];
    (logs, super::abi::encode(&[word(contract), number(given), number(6)]))
}

/// Returns the init code of a deployment. Only its first bytes are realistic.
pub(crate) fn init_code(sender: &Party, nonce: u32) -> Vec<u8> {
    let mut code = hex::decode("608060405234801561000f575f80fd5b50").unwrap_or_default();
    code.extend(derive::filler(&sender.hex, &[u64::from(nonce)], 420));
    code
}

/// Writes the events of a deployment. Returns its response.
pub(crate) fn create(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    sender: PartyId,
    nonce: u32,
    salt: Option<u64>,
) -> Vec<u8> {
    let owner = view.party(sender);
    let code = init_code(owner, nonce);
    let contract = Party::new(Address::Short(match salt {
        None => derive::create_address(owner.tail(), u64::from(nonce)),
        Some(salt) => derive::create2_address(owner.tail(), salt, &code),
    }));
    let runtime = code.get(17..).unwrap_or_default();
    events.emit(CONTRACT_CREATED, vec![("contract", contract.hex.to_string())]);
    let ret = hex::encode_prefixed(runtime);
    events.emit("create", vec![("contract", contract.hex.to_string()), ("ret", ret.clone())]);
    let log = AbiLog::new(&contract, vec![TOPICS.ownership, ZERO, owner.word()], &[]);
    let encoded = log.proto();
    logs::logs(events, &[log]);
    ProtoWriter::new().bytes(1, ret).bytes(2, contract.hex.as_bytes()).bytes(3, encoded).finish()
}
