//! What is told of calls of services that other contracts build on: each with its logs, without them, failed, and asked
//! of a stranger that only has their functions.

use super::*;

const PERMIT2: &str = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const ENTRY_POINT: &str = "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789";
const LACKS: &str = "; the record has no such event.";

fn address(text: &str) -> Address {
    text.parse().expect("well formed")
}

#[test]
fn rights_that_permit2_keeps() {
    let (me, you, owner, token, permit2) = (account(1), account(2), account(3), account(AA), address(PERMIT2));
    let approve = |to: Address| {
        called(to, "approve(address,address,uint160,uint48)", &[Account(token), Account(you), Number(250), Number(9)])
    };
    let approved = |amount: u128| {
        let sides = [Account(me), Account(token), Account(you)];
        log(permit2, "Approval(address,address,address,uint160,uint48)", &sides, &[Number(amount), Number(9)])
    };
    let told = approve(permit2).logging([approved(240)]).said();
    assert_eq!(told, "<1> allowed <2> to spend 2.4 AA through Permit2.", "as the log says");
    let told = approve(permit2).logging([approved(0)]).said();
    assert_eq!(told, "<1> revoked <2>'s allowance to spend AA through Permit2.");
    let silent = format!("<1> asked to allow <2> to spend 2.5 AA through Permit2{LACKS}");
    assert_eq!(approve(permit2).said(), silent);
    let of_another = [Account(owner), Account(token), Account(you)];
    let signature = "Approval(address,address,address,uint160,uint48)";
    let of_another = log(permit2, signature, &of_another, &[Number(250), Number(9)]);
    assert_eq!(approve(permit2).logging([of_another]).said(), silent, "another's right");
    let failed = approve(permit2).failed().said();
    assert_eq!(failed, "<1> tried to allow <2> to spend 2.5 AA through Permit2; it failed.");
    let copied = log(account(9), signature, &[Account(me), Account(token), Account(you)], &[Number(250), Number(9)]);
    assert_eq!(approve(account(9)).logging([copied.clone()]).said(), "<1> called approve on <9>.");
    assert_eq!(approve(permit2).logging([copied]).said(), silent, "a stranger's log");

    let parts = [Account(owner), Account(token), Number(100), Number(9), Number(0), Account(you), Most];
    let parts: Vec<Part> = parts.into_iter().chain([Number(256), Number(0)]).collect();
    let signature = "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)";
    let permit = |to: Address| called(to, signature, &parts);
    let sides = [Account(owner), Account(token), Account(you)];
    let data = [Number(90), Number(9), Number(0)];
    let permitted = log(permit2, "Permit(address,address,address,uint160,uint48,uint48)", &sides, &data);
    let told = permit(permit2).logging([permitted.clone()]).said();
    assert_eq!(told, "<1> used a signed permit of <3> that allows <2> to spend 0.9 AA.");
    let silent = format!("<1> asked to use a signed permit of <3> that allows <2> to spend 1 AA{LACKS}");
    assert_eq!(permit(permit2).said(), silent);
    assert_eq!(permit(account(9)).logging([permitted]).said(), "<1> called permit on <9>.");
}

#[test]
fn tokens_that_permit2_moves() {
    let (you, third, token, permit2) = (account(2), account(3), account(AA), address(PERMIT2));
    let parts = [Account(you), Account(third), Number(5), Account(token)];
    let moving = |to: Address| called(to, "transferFrom(address,address,uint160,address)", &parts);
    let moved = || transfer(token, you, third, 5);
    assert_eq!(moving(permit2).logging([moved()]).said(), "<1> moved 0.05 AA from <2> to <3>.");
    let silent = format!("<1> asked to move 0.05 AA from <2> to <3>{LACKS}");
    assert_eq!(moving(permit2).said(), silent);
    let elsewhere = transfer(token, third, you, 5);
    assert_eq!(moving(permit2).logging([elsewhere]).said(), silent, "the other way round");
    assert_eq!(moving(permit2).failed().said(), "<1> tried to move 0.05 AA from <2> to <3>; it failed.");
    assert_eq!(moving(account(9)).said(), "<1> called transferFrom on <9>.");
    let scam = transfer(account(9), you, third, 5);
    assert_eq!(moving(permit2).logging([scam]).said(), silent, "another token");
}

/// Operations of these smart accounts (ERC-4337), to be run by the entry point.
fn operations(entry_point: Address, senders: &[Address]) -> Called {
    let operation = |sender: &Address| {
        let mut parts = vec![Account(*sender), Number(1), Number(352), Number(384)];
        parts.extend([Number(1), Number(1), Number(1), Number(1), Number(1)]);
        parts.extend([Number(416), Number(448), Number(0), Number(0), Number(0), Number(0)]);
        words(&parts)
    };
    let all: Vec<String> = senders.iter().map(operation).collect();
    let mut parts = vec![Number(64), Account(account(8)), Number(senders.len() as u128)];
    let mut place = senders.len() * 32;
    for operation in &all {
        parts.push(Number(place as u128));
        place += operation.len() / 2;
    }
    parts.extend(all.into_iter().map(Raw));
    let signature =
        "handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)";
    called(entry_point, signature, &parts)
}

#[test]
fn operations_of_smart_accounts() {
    let (first, second, entry_point) = (account(5), account(6), address(ENTRY_POINT));
    let ran = |by: Address, sender: Address, worked: u128| {
        let signature = "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)";
        let data = [Number(1), Number(worked), Number(70), Number(60)];
        log(by, signature, &[Number(77), Account(sender), Number(0)], &data)
    };
    let one = || operations(entry_point, &[first]);
    let told = one().logging([ran(entry_point, first, 1)]).said();
    assert_eq!(told, "<1> ran an operation of the smart account <5>.");
    let told = one().logging([ran(entry_point, first, 0)]).said();
    assert_eq!(told, "<1> ran an operation of the smart account <5> (1 failed).");
    let told = one().logging([ran(entry_point, second, 1)]).said();
    assert_eq!(told, "<1> ran an operation of the smart account <6>.", "as the log says");
    assert_eq!(one().said(), format!("<1> asked to run an operation of the smart account <5>{LACKS}"));
    assert_eq!(one().failed().said(), "<1> tried to run an operation of the smart account <5>; it failed.");
    let two = || operations(entry_point, &[first, second]);
    let told = two().logging([ran(entry_point, first, 1), ran(entry_point, second, 0)]).said();
    assert_eq!(told, "<1> ran 2 operations of smart accounts (1 failed).");
    let told = two().logging([ran(entry_point, first, 1), ran(account(9), second, 1)]).said();
    assert_eq!(told, format!("<1> asked to run 2 operations of smart accounts{LACKS}"), "one is a stranger's log");
    let stranger = operations(account(9), &[first]).logging([ran(account(9), first, 1)]).said();
    assert_eq!(stranger, "<1> called handleOps on <9>.");
}

#[test]
fn transfers_over_hyperlane() {
    let (me, you, token, router) = (account(1), account(2), account(AA), account(6));
    let parts = [Number(5), Account(you), Number(100)];
    let sending = |to: Address| called(to, "transferRemote(uint32,bytes32,uint256)", &parts);
    let sent =
        |by: Address| log(by, "SentTransferRemote(uint32,bytes32,uint256)", &[Number(5), Account(you)], &[Number(100)]);
    let there = "<2> on domain 5";
    let told = sending(token).logging([transfer(token, me, account(0), 100), sent(token)]).said();
    assert_eq!(told, format!("<1> sent 1 AA over Hyperlane to {there}."));
    let told = sending(router).logging([transfer(token, me, router, 100), sent(router)]).said();
    assert_eq!(told, format!("<1> sent 1 AA over Hyperlane to {there}, as the contract reports."));
    assert_eq!(sending(token).said(), format!("<1> asked to send 1 AA over Hyperlane to {there}{LACKS}"));
    let told = sending(token).logging([sent(token)]).said();
    assert_eq!(told, format!("<1> asked to send 1 AA over Hyperlane to {there}{LACKS}"), "nothing moved");
    let told = sending(router).logging([transfer(token, me, router, 100)]).said();
    assert_eq!(told, "<1> called transferRemote on <6>; 1 AA went to <6>.", "a payment alone is no transfer");
    assert_eq!(sending(router).said(), "<1> called transferRemote on <6>; no event tells of a movement.");
    assert_eq!(sending(token).failed().said(), format!("<1> tried to send 1 AA over Hyperlane to {there}; it failed."));
}

/// Log of a market about a sold item.
const FULFILLED: &str = "OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],\
                         (uint8,address,uint256,uint256,address)[])";

#[test]
fn evm2_order_of_stranger_unpaid() {
    let (me, seller, token, nft, market) = (account(1), account(3), account(AA), account(0x99), account(6));
    let mut parts = vec![Number(32), Account(token), Number(0), Number(100), Account(seller), Number(0), Account(nft)];
    parts.extend([7, 1, 0, 0, 9, 0, 0, 0, 0, 0, 576, 608, 0, 0].map(Number));
    let signature = "fulfillBasicOrder((address,uint256,uint256,address,address,address,uint256,uint256,uint8,uint256,\
                     uint256,bytes32,uint256,bytes32,bytes32,uint256,(uint256,address)[],bytes))";
    let buying = || called(market, signature, &parts);
    let came = |id: u128| {
        let sides = [Account(seller), Account(me), Number(id)];
        log(nft, "Transfer(address,address,uint256)", &sides, &[])
    };
    let paid = || transfer(token, me, seller, 100);
    let sold = |by: u8, offerer: Address| {
        let order = [Number(1), Account(me), Number(128), Number(160), Number(0), Number(1)];
        let order: Vec<Part> = order.into_iter().chain([1, 0, 0, 100].map(Number)).chain([Account(seller)]).collect();
        log(account(by), FULFILLED, &[Account(offerer), Number(0)], &order)
    };
    let told = buying().logging([came(7), paid(), sold(6, seller)]).said();
    assert_eq!(told, "<1> bought NFT 7 of <99> from <3> for 1 AA, as the contract reports.");
    let own = "<1> called fulfillBasicOrder on <6>";
    for logs in [vec![came(7), paid()], vec![came(7), paid(), sold(9, seller)], vec![came(7), paid(), sold(6, me)]] {
        let told = buying().logging(logs).said();
        assert_eq!(told, format!("{own}; 1 AA went to <3>."), "no market says that the owner sold it");
    }
    let kept = [came(7), transfer(token, me, market, 100), sold(6, seller)];
    assert_eq!(buying().logging(kept).said(), format!("{own}; 1 AA went to <6>."), "the seller got nothing");
    assert_eq!(buying().logging([came(7), sold(6, seller)]).said(), format!("{own}."), "a gift is no purchase");
    assert_eq!(buying().logging([paid()]).said(), format!("{own}; 1 AA went to <3>."), "nothing was bought");
    assert_eq!(buying().said(), format!("{own}."));
    assert_eq!(buying().failed().said(), "<1> tried to call fulfillBasicOrder on <6>; it failed.");
}
