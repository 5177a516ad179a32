//! What is said of calls and deployments in the EVM: the examples of real chains, and each group of functions.

mod contracts;
mod counterparties;
mod functions;
mod services;

use alloy_primitives::{U256, hex, keccak256};
use rollscope::{
    domain::{Address, ContractRole, Denom},
    story::{AbiRegistry, Glossary, Story, Style, text_of},
    wire::Tx,
};
use serde_json::{Value, json};

use super::records;

const WRAPPER: &str = "0x4eb08D5c1B0A821303A86C7b3AC805c2793dE783";
const INIT_18: &str = "0x856aB2c9F35B9187aB3eB0Fcd11DCc6160427e96";
const INIT_6: &str = "l2/8f73cfaf153520f511b4fc0bd71d60d64b4e19eff04a350e642718a3c1ab3b06";
const ETH: &str = "0xE1Ff7038eAAAF027031688E1535a055B2Bac2546";
const ONYX: &str = "0x4BaDFb501Ab304fF11217C44702bb9E9732E7CF4";

fn glossary() -> Glossary {
    let mut glossary = Glossary::default();
    for (contract, symbol) in [(INIT_18, "INIT"), (ETH, "ETH"), (ONYX, "ONYX")] {
        glossary.add_token(Denom::new(format!("evm/{}", &contract[2..])), symbol, 18);
    }
    glossary.add_token(Denom::new(INIT_6), "INIT", 6);
    glossary.add_label(WRAPPER.parse().expect("well formed"), "ERC20 wrapper");
    glossary.add_role(WRAPPER.parse().expect("well formed"), ContractRole::Wrapper);
    glossary
}

fn said(tx: &Tx, glossary: &Glossary) -> Vec<String> {
    let story = Story::of(tx, glossary);
    story.sentences.iter().map(|sentence| text_of(&sentence.phrases, Style::Exact)).collect()
}

fn record(name: &str) -> Option<Tx> {
    records()?.into_iter().find(|(file, _)| file == name).map(|(_, tx)| tx)
}

#[test]
fn an_approval_and_a_conversion_are_told() {
    let Some(tx) = record("evm-op-withdraw-1") else { return };
    let user = "init1kw2unuhgfa6mz6r0ehrzlr9k9ftjk7pql8u5fm";
    let said = said(&tx, &glossary());
    assert_eq!(said[0], format!("{user} allowed {WRAPPER} (ERC20 wrapper) to spend 0.1 INIT."));
    assert_eq!(
        said[1],
        format!("{user} converted 0.1 INIT (18 decimals) into 0.1 INIT (6 decimals) with the wrapper.")
    );
}

#[test]
fn what_is_said_names_the_events_that_prove_it() {
    let Some(tx) = record("evm-op-withdraw-1") else { return };
    let story = Story::of(&tx, &glossary());
    for (sentence, event) in story.sentences.iter().zip([11, 14]) {
        let proven: Vec<usize> = sentence.phrases.iter().flat_map(|phrase| phrase.events.clone()).collect();
        assert!(!proven.is_empty() && proven.iter().all(|&place| place == event), "{sentence:?}");
        let kind = &story.decoded.events[event].kind;
        assert_eq!(kind, "evm");
    }
}

#[test]
fn deployments_are_told_with_all_that_came_of_them() {
    let Some(tx) = record("evm-create-2") else { return };
    assert_eq!(
        said(&tx, &glossary())[0],
        "init1dzqda0wz983yeqcyw6agxk7nf9fslx9urdm0uw deployed contract 0x014C4861F5f19b4c86f26657Dd40c1a18539D11A \
         (owner set to 0x236e7E385185994e67fB68b28823967A04e96F7D, as the contract reports)."
    );
    let Some(tx) = record("evm-create-3") else { return };
    assert_eq!(
        said(&tx, &glossary())[0],
        "init1cn3qyuw80svnjxgprtp4ezp78ngxwntu5t8y8a deployed contract 0x4A8B41aC258aE5AAe054C10C8b475eB0Ce2465Ec and, \
         from within it, 2 more (0x4BaDFb501Ab304fF11217C44702bb9E9732E7CF4, \
         0x64B79841F0e59F17c1df269F84a51772d120724d); 1000000 ONYX were minted to \
         0x4A8B41aC258aE5AAe054C10C8b475eB0Ce2465Ec; a v3 pool was created, as its factory reports."
    );
}

/// An account whose bytes are all this.
fn account(byte: u8) -> Address {
    Address::Short([byte; 20])
}

/// Words of 32 bytes: an address, a number, or raw hex.
#[derive(Clone)]
enum Part {
    Account(Address),
    Number(u128),
    Most,
    Raw(String),
}

use Part::{Account, Most, Number, Raw};

fn words(parts: &[Part]) -> String {
    parts
        .iter()
        .map(|part| match part {
            Account(address) => format!("{:0>64}", hex::encode(address.bytes())),
            Number(number) => format!("{number:064x}"),
            Most => "f".repeat(64),
            Raw(text) => text.clone(),
        })
        .collect()
}

/// Text or bytes where a length and then the content stand.
fn packed(bytes: &[u8]) -> Part {
    let content = hex::encode(bytes);
    let padding = "0".repeat(content.len().div_ceil(64) * 64 - content.len());
    Raw(format!("{:064x}{content}{padding}", bytes.len()))
}

fn input(signature: &str, parts: &[Part]) -> String {
    format!("0x{}{}", hex::encode(&keccak256(signature)[..4]), words(parts))
}

fn log(contract: Address, signature: &str, indexed: &[Part], data: &[Part]) -> String {
    let topics = indexed.iter().map(|part| format!("0x{}", words(std::slice::from_ref(part))));
    let topics: Vec<String> = std::iter::once(keccak256(signature).to_string()).chain(topics).collect();
    let data = format!("0x{}", words(data));
    json!({"address": contract.checksummed(), "topics": topics, "data": data}).to_string()
}

fn transfer(token: Address, from: Address, to: Address, amount: u128) -> String {
    log(token, "Transfer(address,address,uint256)", &[Account(from), Account(to)], &[Number(amount)])
}

/// A transaction of one call by account 1, with the logs of its run.
struct Called {
    to: Address,
    input: String,
    value: u128,
    logs: Vec<String>,
    events: Vec<Value>,
    code: u32,
    signer: Address,
}

fn called(to: Address, signature: &str, parts: &[Part]) -> Called {
    Called {
        to,
        input: input(signature, parts),
        value: 0,
        logs: Vec::new(),
        events: Vec::new(),
        code: 0,
        signer: account(1),
    }
}

impl Called {
    fn logging(mut self, logs: impl IntoIterator<Item = String>) -> Self {
        self.logs.extend(logs);
        self
    }

    fn with(mut self, value: u128) -> Self {
        self.value = value;
        self
    }

    fn failed(mut self) -> Self {
        self.code = 23;
        self.logs.clear();
        self
    }

    fn event(mut self, kind: &str, attributes: &[(&str, &str)]) -> Self {
        let attributes = attributes.iter().chain([&("msg_index", "0")]);
        let attributes: Vec<Value> = attributes.map(|(key, value)| json!({"key": key, "value": value})).collect();
        self.events.push(json!({"type": kind, "attributes": attributes}));
        self
    }

    fn tx(mut self) -> Tx {
        let mut attributes: Vec<Value> = self.logs.iter().map(|log| json!({"key": "log", "value": log})).collect();
        attributes.push(json!({"key": "msg_index", "value": "0"}));
        let signer = json!({"key": "acc_seq", "value": format!("{}/1", self.signer.bech32())});
        self.events.insert(0, json!({"type": "tx", "attributes": [signer]}));
        if self.code == 0 {
            self.events.push(json!({"type": "evm", "attributes": attributes}));
        }
        let message = json!({
            "@type": "/minievm.evm.v1.MsgCall", "sender": account(1).bech32(), "contract_addr": self.to.checksummed(),
            "input": self.input, "value": self.value.to_string(), "access_list": [],
        });
        let log = if self.code == 0 { "" } else { "failed to execute message; message index: 0: Reverted" };
        let record = json!({
            "txhash": "0".repeat(64), "height": "1", "timestamp": "2026-01-01T00:00:00Z", "code": self.code,
            "codespace": "evm", "raw_log": log, "tx": {"body": {"messages": [message]}}, "events": self.events,
        });
        serde_json::from_value(record).expect("a transaction")
    }

    fn said(self) -> String {
        self.said_by(&named())
    }

    /// The sentence, with the accounts of one byte written `<byte>`.
    fn said_by(self, glossary: &Glossary) -> String {
        let mut text = said(&self.tx(), glossary).remove(0);
        for byte in 0..=255 {
            let written = format!("<{byte:x}>");
            text = text.replace(&account(byte).bech32(), &written).replace(&account(byte).checksummed(), &written);
        }
        text
    }
}

/// Tokens 0xaa (AA) and 0xbb (BB), with two decimals.
fn named() -> Glossary {
    let mut glossary = Glossary::default();
    for (byte, symbol) in [(0xaa, "AA"), (0xbb, "BB")] {
        glossary.add_token(Denom::new(format!("evm/{}", &account(byte).checksummed()[2..])), symbol, 2);
    }
    glossary
}

const AA: u8 = 0xaa;
const MULTICALL: &str = "0xcA11bde05977b3631167028862bE2a173976CA11";
const BB: u8 = 0xbb;

#[test]
fn tokens_that_move() {
    let (me, you, third, token) = (account(1), account(2), account(3), account(AA));
    let send = || called(token, "transfer(address,uint256)", &[Account(you), Number(150)]);
    assert_eq!(send().logging([transfer(token, me, you, 150)]).said(), "<1> sent 1.5 AA to <2>.");
    assert_eq!(send().logging([transfer(token, me, you, 149)]).said(), "<1> sent 1.49 AA to <2>.");
    assert_eq!(send().failed().said(), "<1> tried to send 1.5 AA to <2>; it failed.");
    let own = called(token, "transfer(address,uint256)", &[Account(me), Number(150)]);
    assert_eq!(own.logging([transfer(token, me, me, 150)]).said(), "<1> sent 1.5 AA to itself (no net change).");
    let other = account(0x77);
    let raw = called(other, "transfer(address,uint256)", &[Account(you), Number(150)]);
    let told = raw.logging([transfer(other, me, you, 150)]).said();
    assert_eq!(told, "<1> sent 150 of the contract <77> to <2>, as the contract reports.");
    let mut glossary = named();
    glossary.add_own_name(other, "INIT");
    let raw = called(other, "transfer(address,uint256)", &[Account(you), Number(150)]);
    let told = raw.logging([transfer(other, me, you, 150)]).said_by(&glossary);
    assert_eq!(told, "<1> sent 150 of the contract <77> (named “INIT”) to <2>, as the contract reports.");
    let silent = called(other, "transfer(address,uint256)", &[Account(you), Number(150)]);
    assert_eq!(silent.said(), "<1> called transfer on <77>; no event tells of a movement.");
    assert_eq!(send().said(), "<1> asked to send 1.5 AA to <2>; the record has no such event.");
    let elsewhere = send().logging([transfer(token, me, third, 150)]).said();
    assert_eq!(elsewhere, "<1> asked to send 1.5 AA to <2>; the record has no such event.", "the log is of another");
    let mut stranger = send().logging([transfer(token, you, third, 150)]);
    stranger.signer = third;
    assert_eq!(stranger.said(), "<1> asked to send 1.5 AA to <2>; the record has no such event.");
    let moved = called(token, "transferFrom(address,address,uint256)", &[Account(you), Account(third), Number(5)]);
    assert_eq!(moved.logging([transfer(token, you, third, 5)]).said(), "<1> moved 0.05 AA from <2> to <3>.");
    let minted = called(token, "mint(address,uint256)", &[Account(you), Number(5)]);
    assert_eq!(minted.logging([transfer(token, account(0), you, 5)]).said(), "<1> minted 0.05 AA to <2>.");
    let burned = called(token, "burn(uint256)", &[Number(5)]);
    assert_eq!(burned.logging([transfer(token, me, account(0), 5)]).said(), "<1> burned 0.05 AA.");
    let burned = called(token, "burnFrom(address,uint256)", &[Account(you), Number(5)]);
    assert_eq!(burned.logging([transfer(token, you, account(0), 5)]).said(), "<1> burned 0.05 AA of <2>.");
}

#[test]
fn what_is_passed_on_in_the_same_run_is_told() {
    let (me, you, third, token, nft) = (account(1), account(2), account(3), account(AA), account(0x99));
    let send = || called(token, "transfer(address,uint256)", &[Account(you), Number(150)]);
    let swept = send().logging([transfer(token, me, you, 150), transfer(token, you, third, 150)]);
    assert_eq!(swept.said(), "<1> sent 1.5 AA to <2>; <2> passed 1.5 AA on to <3>.");
    let burned = send().logging([transfer(token, me, you, 150), transfer(token, you, account(0), 20)]);
    assert_eq!(burned.said(), "<1> sent 1.5 AA to <2>; <2> burned 0.2 AA.");
    let others = send().logging([transfer(token, me, you, 150), transfer(token, third, you, 7)]);
    assert_eq!(others.said(), "<1> sent 1.5 AA to <2>.", "it came from elsewhere");
    let chain = (2..8).map(|from| transfer(token, account(from), account(from + 1), 150));
    let told = send().logging(std::iter::once(transfer(token, me, you, 150)).chain(chain)).said();
    assert!(told.ends_with("; <4> passed 1.5 AA on to <5>; passed on 3 more times."), "{told}");
    let moved = |from: Address, to: Address| {
        log(nft, "Transfer(address,address,uint256)", &[Account(from), Account(to), Number(7)], &[])
    };
    let hand = called(nft, "safeTransferFrom(address,address,uint256)", &[Account(me), Account(you), Number(7)]);
    let told = hand.logging([moved(me, you), moved(you, me)]).said();
    assert!(told.ends_with("<2> passed NFT 7 of <99> on to <1>."), "{told}");
}

#[test]
fn rights_to_spend() {
    let (me, you, token) = (account(1), account(2), account(AA));
    let approve = |amount: Part| {
        let log = log(
            token,
            "Approval(address,address,uint256)",
            &[Account(me), Account(you)],
            std::slice::from_ref(&amount),
        );
        called(token, "approve(address,uint256)", &[Account(you), amount]).logging([log])
    };
    assert_eq!(approve(Number(250)).said(), "<1> allowed <2> to spend 2.5 AA.");
    assert_eq!(approve(Most).said(), "<1> allowed <2> to spend unlimited AA.");
    assert_eq!(approve(Number(0)).said(), "<1> revoked <2>'s allowance to spend AA.");
    assert_eq!(approve(Most).failed().said(), "<1> tried to allow <2> to spend unlimited AA; it failed.");
    let nft = log(token, "Approval(address,address,uint256)", &[Account(me), Account(you), Number(7)], &[]);
    let approved = called(token, "approve(address,uint256)", &[Account(you), Number(7)]).logging([nft]);
    assert_eq!(approved.said(), "<1> allowed <2> to transfer NFT 7 of <aa>.");
    let approval = |owner: Address, amount: u128| {
        log(token, "Approval(address,address,uint256)", &[Account(owner), Account(you)], &[Number(amount)])
    };
    let more = || called(token, "increaseAllowance(address,uint256)", &[Account(you), Number(100)]);
    assert_eq!(more().logging([approval(me, 400)]).said(), "<1> allowed <2> to spend 4 AA.", "as the log says");
    assert_eq!(more().failed().said(), "<1> tried to raise <2>'s allowance by 1 AA; it failed.");
    let permit = [Account(account(3)), Account(you), Number(100), Most, Number(27), Most, Most];
    let permit = || called(token, "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", &permit);
    let told = permit().logging([approval(account(3), 100)]).said();
    assert_eq!(told, "<1> used a signed permit of <3> that allows <2> to spend 1 AA.");
    let told = permit().said();
    assert!(told.starts_with("<1> asked to use a signed permit of <3>"), "{told}");
    let other = account(0x77);
    let silent = called(other, "approve(address,uint256)", &[Account(you), Most]).said();
    assert_eq!(silent, "<1> called approve on <77>.");
}

#[test]
fn nfts() {
    let (me, you, nft) = (account(1), account(2), account(0x99));
    let moved = |from: Address, to: Address, id: u128| {
        log(nft, "Transfer(address,address,uint256)", &[Account(from), Account(to), Number(id)], &[])
    };
    let told = |call: Called| {
        let told = call.said();
        told.strip_suffix(", as the contract reports.").map(str::to_owned).unwrap_or(told)
    };
    let send = || called(nft, "safeTransferFrom(address,address,uint256)", &[Account(me), Account(you), Number(7)]);
    assert_eq!(told(send().logging([moved(me, you, 7)])), "<1> transferred NFT 7 of <99> to <2>");
    assert_eq!(
        told(send().logging([moved(you, me, 7)])),
        "<1> transferred NFT 7 of <99> from <2> to <1>",
        "by the log"
    );
    assert_eq!(told(send()), "<1> called safeTransferFrom on <99>; no event tells of a movement.");
    let taken = called(nft, "transferFrom(address,address,uint256)", &[Account(you), Account(me), Number(7)]);
    assert_eq!(told(taken.logging([moved(you, me, 7)])), "<1> transferred NFT 7 of <99> from <2> to <1>");
    let unknown = called(nft, "transferFrom(address,address,uint256)", &[Account(me), Account(you), Number(7)]);
    assert_eq!(unknown.failed().said(), "<1> tried to send 7 of <99> to <2>; it failed.");
    let mint = called(nft, "safeMint(address)", &[Account(you)]);
    assert_eq!(told(mint.logging([moved(account(0), you, 8)])), "<1> minted NFT 8 of <99> to <2>");
    let mint = || called(nft, "mint(uint256)", &[Number(2)]);
    let logs = [moved(account(0), me, 8), moved(account(0), me, 9)];
    assert_eq!(told(mint().logging(logs)), "<1> minted 2 NFTs of <99> to <1>");
    assert_eq!(told(mint()), "<1> called mint on <99>; no event tells of a movement.");
    let all = || called(nft, "setApprovalForAll(address,bool)", &[Account(you), Number(1)]);
    let allowed = log(nft, "ApprovalForAll(address,address,bool)", &[Account(me), Account(you)], &[Number(1)]);
    assert_eq!(told(all().logging([allowed])), "<1> allowed <2> to transfer all its NFTs of <99>");
    assert_eq!(told(all()), "<1> called setApprovalForAll on <99>.");
}

#[test]
fn items_and_batches_are_told_by_their_logs() {
    let (me, you, nft) = (account(1), account(2), account(0x99));
    let single = |from: Address, to: Address, id: u128, count: u128| {
        let sides = [Account(me), Account(from), Account(to)];
        log(nft, "TransferSingle(address,address,address,uint256,uint256)", &sides, &[Number(id), Number(count)])
    };
    let parts = [Account(me), Account(you), Number(7), Number(3), Number(160), Number(0)];
    let copies = || called(nft, "safeTransferFrom(address,address,uint256,uint256,bytes)", &parts);
    let told = copies().logging([single(me, you, 7, 2)]).said();
    assert_eq!(told, "<1> transferred 2 of NFT 7 of <99> to <2>, as the contract reports.");
    assert_eq!(copies().said(), "<1> called safeTransferFrom on <99>; no event tells of a movement.");
    let lists = [Number(2), Number(7), Number(8), Number(2), Number(3), Number(1)];
    let mut parts = vec![Account(me), Account(you), Number(160), Number(256), Number(352)];
    parts.extend(lists.iter().cloned().chain([Number(0)]));
    let copies = called(nft, "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)", &parts);
    let data: Vec<Part> = [Number(64), Number(160)].into_iter().chain(lists).collect();
    let sides = [Account(me), Account(me), Account(you)];
    let batch = log(nft, "TransferBatch(address,address,address,uint256[],uint256[])", &sides, &data);
    let told = copies.logging([batch]).said();
    assert_eq!(told, "<1> transferred 3 of NFT 7 and 1 of NFT 8 of <99> to <2>, as the contract reports.");
    let moved =
        |id: u128| log(nft, "Transfer(address,address,uint256)", &[Account(account(0)), Account(you), Number(id)], &[]);
    let unknown = || called(nft, "frobnicate(uint256)", &[Number(20)]);
    let told = unknown().logging((1..=20).map(moved)).said();
    assert!(told.ends_with(" on <99>; 20 NFTs of <99> were minted to <2>, as the contract reports."), "{told}");
    let told = unknown().logging([single(account(0), you, 4, 9)]).said();
    assert!(told.ends_with("; 9 of NFT 4 of <99> were minted to <2>, as the contract reports."), "{told}");
}

#[test]
fn swaps_say_what_the_logs_say() {
    let (me, pool, router) = (account(1), account(5), account(6));
    let parts = [
        Number(100),
        Number(150),
        Number(160),
        Account(me),
        Number(9),
        Number(2),
        Account(account(AA)),
        Account(account(BB)),
    ];
    let swap = || called(router, "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", &parts);
    let logs = || [transfer(account(AA), me, pool, 100), transfer(account(BB), pool, me, 170)];
    assert_eq!(swap().logging(logs()).said(), "<1> swapped 1 AA for 1.7 BB.");
    assert_eq!(swap().failed().said(), "<1> tried to swap 1 AA for at least 1.5 BB; it failed.");
    let single = [
        Account(account(AA)),
        Account(account(BB)),
        Number(3000),
        Account(account(7)),
        Number(100),
        Number(150),
        Number(0),
    ];
    let signature = "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))";
    let logs = || [transfer(account(AA), me, pool, 100), transfer(account(BB), pool, account(7), 170)];
    assert_eq!(called(router, signature, &single).logging(logs()).said(), "<1> swapped 1 AA for 1.7 BB to <7>.");
    let inner = hex::decode(&input(signature, &single)[2..]).expect("well formed");
    let refund = hex::decode(&input("refundETH()", &[])[2..]).expect("well formed");
    let (first, second) = (packed(&inner), packed(&refund));
    let Raw(text) = &first else { unreachable!() };
    let second_at = 64 + text.len() as u128 / 2;
    let parts = [Number(32), Number(2), Number(64), Number(second_at), first, second];
    let multicall = called(router, "multicall(bytes[])", &parts);
    assert_eq!(multicall.logging(logs()).said(), "<1> swapped 1 AA for 1.7 BB to <7>.");
    let execute = [Number(96), Number(128), Number(9), Number(0), Number(0)];
    let universal = called(router, "execute(bytes,bytes[],uint256)", &execute);
    let logs = [transfer(account(AA), me, pool, 100), transfer(account(BB), pool, me, 170)];
    assert_eq!(universal.logging(logs).said(), "<1> swapped 1 AA for 1.7 BB.");
    let nothing = called(router, "execute(bytes,bytes[],uint256)", &execute);
    assert_eq!(nothing.said(), "<1> called execute on <6>.");
}

#[test]
fn what_goes_into_contracts_and_comes_out() {
    let (me, vault) = (account(1), account(AA));
    let deposit = called(vault, "deposit(uint256,address)", &[Number(100), Account(me)]);
    let logs = [transfer(account(BB), me, vault, 100), transfer(vault, account(0), me, 90)];
    assert_eq!(deposit.logging(logs).said(), "<1> deposited 1 BB into <aa> for 0.9 AA.");
    let redeem = called(vault, "redeem(uint256,address,address)", &[Number(90), Account(me), Account(me)]);
    let logs = [transfer(vault, me, account(0), 90), transfer(account(BB), vault, me, 101)];
    assert_eq!(redeem.logging(logs).said(), "<1> withdrew 1.01 BB from <aa> for 0.9 AA.");
    let wrap = called(vault, "deposit()", &[]).with(100);
    let log_of = |name: &str| log(vault, name, &[Account(me)], &[Number(100)]);
    let logs = [transfer(account(BB), me, vault, 100), log_of("Deposit(address,uint256)")];
    assert_eq!(wrap.logging(logs).said(), "<1> wrapped 1 BB into 1 AA.");
    let unwrap = called(vault, "withdraw(uint256)", &[Number(100)]);
    assert_eq!(unwrap.logging([log_of("Withdrawal(address,uint256)")]).said(), "<1> unwrapped 1 AA.");
    let stake = called(account(9), "stake(uint256)", &[Number(100)]);
    assert_eq!(
        stake.logging([transfer(account(BB), me, account(9), 100)]).said(),
        "<1> called stake on <9>, giving it 1 BB."
    );
    let elsewhere = called(account(9), "stake(uint256)", &[Number(100)]);
    let told = elsewhere.logging([transfer(account(BB), me, account(8), 100)]).said();
    assert_eq!(told, "<1> called stake on <9>; 1 BB went to <8>.", "it went elsewhere");
    let claim = called(account(9), "claim()", &[]);
    assert_eq!(claim.logging([transfer(account(BB), account(9), me, 7)]).said(), "<1> claimed 0.07 BB from <9>.");
    assert_eq!(called(account(9), "claim()", &[]).said(), "<1> called claim on <9>.");
}

#[test]
fn liquidity() {
    let (me, pool, router) = (account(1), account(5), account(6));
    let parts = [
        Account(account(AA)),
        Account(account(BB)),
        Number(100),
        Number(200),
        Number(1),
        Number(1),
        Account(me),
        Number(9),
    ];
    let add =
        || called(router, "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)", &parts);
    let logs = [transfer(account(AA), me, pool, 100), transfer(account(BB), me, pool, 150)];
    assert_eq!(add().logging(logs).said(), "<1> called addLiquidity on <6>, giving 1 AA and 1.5 BB.");
    assert_eq!(add().failed().said(), "<1> tried to add 1 AA and 2 BB as liquidity; it failed.");
    let mint = "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))";
    let parts = [
        Account(account(AA)),
        Account(account(BB)),
        Number(3000),
        Most,
        Number(60),
        Number(100),
        Number(200),
        Number(0),
        Number(0),
        Account(me),
        Number(9),
    ];
    let made = log(
        router,
        "IncreaseLiquidity(uint256,uint128,uint256,uint256)",
        &[Number(42)],
        &[Number(5), Number(100), Number(0)],
    );
    let open = called(router, mint, &parts).logging([transfer(account(AA), me, pool, 100), made]);
    assert_eq!(open.said(), "<1> opened a liquidity position with 1 AA (position #42), as the contract reports.");
    let made = log(
        router,
        "PairCreated(address,address,address,uint256)",
        &[Account(account(AA)), Account(account(BB))],
        &[Account(pool), Number(1)],
    );
    let pair = called(router, "createPair(address,address)", &[Account(account(AA)), Account(account(BB))]);
    assert_eq!(pair.logging([made]).said(), "<1> created a pool for AA and BB at <5>, as the contract reports.");
    let pair = called(router, "createPair(address,address)", &[Account(account(AA)), Account(account(BB))]);
    assert_eq!(pair.said(), "<1> called createPair on <6>.");
}
