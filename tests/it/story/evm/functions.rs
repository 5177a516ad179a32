//! What is told of each function that has words of its own: with the logs that bear it out, and without any.

use super::*;

const LACKS: &str = "; the record has no such event.";

/// Holds what is told of a call with these logs and without them. `silent` is what follows the caller; what ends with
/// `…` is asked for, and the record lacks its events.
fn holds(call: impl Fn() -> Called, logs: &[String], told: &str, silent: &str) {
    assert_eq!(call().logging(logs.iter().cloned()).said(), format!("<1> {told}."));
    let silent = match silent.strip_suffix('…') {
        Some(asked) => format!("<1> {asked}{LACKS}"),
        None => format!("<1> {silent}."),
    };
    assert_eq!(call().said(), silent);
}

#[test]
fn tokens_that_the_chain_moves_itself() {
    let (you, third, token) = (account(2), account(3), account(AA));
    let moving = || called(token, "sudoTransfer(address,address,uint256)", &[Account(you), Account(third), Number(5)]);
    let logs = [transfer(token, you, third, 5)];
    holds(moving, &logs, "moved 0.05 AA from <2> to <3>", "asked to move 0.05 AA from <2> to <3>…");
    let minting = || called(token, "sudoMint(address,uint256)", &[Account(you), Number(5)]);
    let logs = [transfer(token, account(0), you, 5)];
    holds(minting, &logs, "minted 0.05 AA to <2>", "asked to mint 0.05 AA to <2>…");
    let burning = || called(token, "sudoBurn(address,uint256)", &[Account(you), Number(5)]);
    let logs = [transfer(token, you, account(0), 5)];
    holds(burning, &logs, "burned 0.05 AA of <2>", "asked to burn 0.05 AA of <2>…");
    let lowering = || called(token, "decreaseAllowance(address,uint256)", &[Account(you), Number(100)]);
    let left = log(token, "Approval(address,address,uint256)", &[Account(account(1)), Account(you)], &[Number(40)]);
    holds(lowering, &[left], "allowed <2> to spend 0.4 AA", "asked to lower <2>'s allowance by 1 AA…");
}

#[test]
fn what_comes_out_of_contracts() {
    let (me, vault, keeper) = (account(1), account(AA), account(9));
    let came = [transfer(account(BB), keeper, me, 7)];
    let reward = || called(keeper, "getReward()", &[]);
    holds(reward, &came, "claimed 0.07 BB from <9>", "called getReward on <9>");
    let unstake = || called(keeper, "unstake(uint256)", &[Number(7)]);
    holds(unstake, &came, "unstaked 0.07 BB from <9>", "called unstake on <9>");
    let withdraw = || called(keeper, "withdraw()", &[]);
    holds(withdraw, &came, "withdrew 0.07 BB from <9>", "called withdraw on <9>");
    let parts = [Number(101), Account(me), Account(me)];
    let assets = || called(vault, "withdraw(uint256,address,address)", &parts);
    let logs = [transfer(vault, me, account(0), 90), transfer(account(BB), vault, me, 101)];
    holds(assets, &logs, "withdrew 1.01 BB from <aa> for 0.9 AA", "called withdraw on <aa>");
    let deposit = || called(vault, "deposit(uint256)", &[Number(101)]);
    let logs = [transfer(account(BB), me, vault, 101)];
    holds(deposit, &logs, "deposited 1.01 BB into <aa>", "called deposit on <aa>");
    let to_stranger = || called(keeper, "deposit(uint256)", &[Number(101)]);
    let logs = [transfer(account(BB), me, keeper, 101)];
    holds(to_stranger, &logs, "called deposit on <9>, giving it 1.01 BB", "called deposit on <9>");
}

#[test]
fn what_admins_do() {
    let (me, contract) = (account(1), account(9));
    let unpause = || called(contract, "unpause()", &[]);
    let logs = [log(contract, "Unpaused(address)", &[], &[Account(me)])];
    holds(unpause, &logs, "unpaused <9>, as the contract reports", "called unpause on <9>");
    let begin = || called(contract, "initialize()", &[]);
    let logs = [log(contract, "Initialized(uint8)", &[], &[Number(1)])];
    holds(begin, &logs, "initialized <9>, as the contract reports", "called initialize on <9>");
    let parts = [Number(96), Number(160), Number(6), packed(b"Coin"), packed(b"CN")];
    let name = || called(contract, "updateMetadata(string,string,uint8)", &parts);
    let logs = [log(contract, "MetadataUpdated(string,string,uint8)", &[], &parts)];
    let told = "named the token <9> “Coin” (“CN”, 6 decimals), as the contract reports";
    holds(name, &logs, told, "called updateMetadata on <9>");
}

#[test]
fn swaps_of_each_router() {
    let (me, pool, router) = (account(1), account(5), account(6));
    let (first, second) = (Account(account(AA)), Account(account(BB)));
    let logs = [transfer(account(AA), me, pool, 100), transfer(account(BB), pool, me, 170)];
    let told = "swapped 1 AA for 1.7 BB";
    let path = [Account(me), Number(9), Number(2), first.clone(), second.clone()];
    let with = |head: &[Part]| head.iter().chain(&path).cloned().collect::<Vec<Part>>();
    let single = |middle: &[Part]| {
        let mut parts = vec![first.clone(), second.clone(), Number(3000), Account(me)];
        parts.extend(middle.iter().cloned());
        parts
    };
    let calls = [
        (
            "swapTokensForExactTokens(uint256,uint256,address[],address,uint256)",
            with(&[Number(170), Number(100), Number(160)]),
        ),
        (
            "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))",
            single(&[Number(170), Number(100), Number(0)]),
        ),
    ];
    for (signature, parts) in &calls {
        let name = signature.split('(').next().unwrap_or_default();
        let call = || called(router, signature, parts);
        holds(call, &logs, told, &format!("called {name} on <6>"));
        let failed = call().failed().said();
        assert_eq!(failed, "<1> tried to swap at most 1 AA for 1.7 BB; it failed.");
    }
    for signature in [
        "swapExactETHForTokens(uint256,address[],address,uint256)",
        "swapETHForExactTokens(uint256,address[],address,uint256)",
    ] {
        let parts = with(&[Number(1), Number(128)]);
        let call = called(router, signature, &parts).with(100).logging(logs.clone());
        assert_eq!(call.said(), format!("<1> {told}."));
    }
    let low: Vec<Part> = [Number(0), Number(170), Account(me), Number(128), Number(0)].into();
    holds(|| called(pool, "swap(uint256,uint256,address,bytes)", &low), &logs, told, "called swap on <5>");
    let concentrated = [Account(me), Number(1), Number(100), Number(0), Number(160), Number(0)];
    let call = || called(pool, "swap(address,bool,int256,uint160,bytes)", &concentrated);
    holds(call, &logs, told, "called swap on <5>");
}

#[test]
fn liquidity_of_each_kind() {
    let (me, pool, router) = (account(1), account(5), account(6));
    let (first, second) = (Account(account(AA)), Account(account(BB)));
    let says = "as the contract reports";
    let parts = [first.clone(), Number(100), Number(1), Number(1), Account(me), Number(9)];
    let add = || called(router, "addLiquidityETH(address,uint256,uint256,uint256,address,uint256)", &parts);
    let pool_says = |signature: &str, indexed: &[Part]| log(pool, signature, indexed, &[Number(100), Number(0)]);
    let minted = pool_says("Mint(address,uint256,uint256)", &[Account(router)]);
    let logs = [transfer(account(AA), me, pool, 100), transfer(pool, account(0), me, 30), minted];
    let told = format!("added 1 AA as liquidity and received 30 of the contract <5>, {says}");
    holds(add, &logs, &told, "called addLiquidityETH on <6>");
    let parts = [first.clone(), second.clone(), Number(30), Number(1), Number(1), Account(me), Number(9)];
    let remove = || called(router, "removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)", &parts);
    let back = [transfer(account(AA), pool, me, 100), transfer(account(BB), pool, me, 150)];
    let burned = pool_says("Burn(address,uint256,uint256,address)", &[Account(router), Account(me)]);
    let logs: Vec<String> = [transfer(pool, me, pool, 30), burned].into_iter().chain(back).collect();
    let told = format!("withdrew 1 AA and 1.5 BB from liquidity for 30 of the contract <5>, {says}");
    holds(remove, &logs, &told, "called removeLiquidity on <6>");
    let parts = [Number(42), Number(100), Number(0), Number(0), Number(0), Number(9)];
    let increase = || called(router, "increaseLiquidity((uint256,uint256,uint256,uint256,uint256,uint256))", &parts);
    let increased = |id: u128| {
        let data = [Number(5), Number(100), Number(0)];
        log(router, "IncreaseLiquidity(uint256,uint128,uint256,uint256)", &[Number(id)], &data)
    };
    let gave = transfer(account(AA), me, pool, 100);
    let told = format!("added 1 AA to liquidity position #42, {says}");
    holds(increase, &[gave.clone(), increased(42)], &told, "called increaseLiquidity on <6>");
    let other = increase().logging([gave, increased(43)]).said();
    assert_eq!(other, "<1> called increaseLiquidity on <6>, giving 1 AA.", "another's position");
    let parts = [Number(42), Number(5), Number(0), Number(0), Number(9)];
    let decrease = || called(router, "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))", &parts);
    let data = [Number(5), Number(100), Number(0)];
    let logs = [log(router, "DecreaseLiquidity(uint256,uint128,uint256,uint256)", &[Number(42)], &data)];
    let told = format!("released liquidity of position #42, {says}");
    holds(decrease, &logs, &told, "called decreaseLiquidity on <6>");
    let create =
        || called(router, "createPool(address,address,uint24)", &[first.clone(), second.clone(), Number(3000)]);
    let sides = [first.clone(), second.clone(), Number(3000)];
    let made = log(router, "PoolCreated(address,address,uint24,int24,address)", &sides, &[Number(60), Account(pool)]);
    holds(create, &[made], &format!("created a pool for AA and BB at <5>, {says}"), "called createPool on <6>");
}

#[test]
fn many_at_once() {
    let (you, third, nft, disperser) = (account(2), account(3), account(0x99), account(9));
    let parts = [Number(64), Number(160), Number(2), Account(you), Account(third), Number(2), Number(5), Number(7)];
    let pay = || called(disperser, "disperseEther(address[],uint256[])", &parts).with(12);
    let token = account(BB);
    let logs = [
        transfer(token, account(1), disperser, 12),
        transfer(token, disperser, you, 5),
        transfer(token, disperser, third, 7),
    ];
    let silent = "called disperseEther on <9> with 12 of the fee token, without a log";
    holds(pay, &logs, "sent 0.12 BB to 2 accounts", silent);
    let parts = [Account(you), Number(7), Number(3), Number(128), Number(0)];
    let mint = || called(nft, "mint(address,uint256,uint256,bytes)", &parts);
    let sides = [Account(account(1)), Account(account(0)), Account(you)];
    let logs = [log(nft, "TransferSingle(address,address,address,uint256,uint256)", &sides, &[Number(7), Number(3)])];
    let told = "minted 3 of NFT 7 of <99> to <2>, as the contract reports";
    holds(mint, &logs, told, "called mint on <99>; no event tells of a movement");
}

#[test]
fn what_the_chain_itself_answers() {
    let (me, registry) = (account(1), "0xf2".parse().expect("well formed"));
    let register = || called(registry, "register_erc20()", &[]);
    let shown = register().event("erc20_created", &[("denom", "evm/x"), ("contract", &me.checksummed())]).said();
    assert_eq!(shown, "<1> registered <1> as an ERC-20 token.");
    assert_eq!(register().said(), format!("<1> asked to register <1> as an ERC-20 token{LACKS}"));
    let cosmos = || "0xf1".parse().expect("well formed");
    let parts = [Number(64), Number(128), packed(b"/a"), packed(b"{}")];
    let read = called(cosmos(), "query_cosmos(string,string)", &parts).said();
    assert!(read.starts_with("<1> read query_cosmos of ") && read.ends_with(", which changes nothing."), "{read}");
}

/// The wrapper's other ways: what came out is sent on over IBC, or for somebody else.
#[test]
fn the_wrapper_sends_on_and_gives_to_others() {
    let wrapper: Address = WRAPPER.parse().expect("well formed");
    let denom = format!("evm/{}", &INIT_18[2..]);
    let amount = 100_000_000_000_000_000;
    let mut data = vec![Number(160), Number(256), Number(18), Number(6), Number(amount)];
    data.extend([packed(denom.as_bytes()), packed(INIT_6.as_bytes())]);
    let event = log(wrapper, "Converted(string,string,uint8,uint8,uint256)", &[], &data);
    let (local, remote) = (INIT_18.parse().expect("well formed"), account(0x66));
    let logs =
        [transfer(local, account(1), account(0), amount), transfer(remote, account(0), account(1), 100_000), event];
    // An EVM denom takes two words behind its length, the other texts one.
    let parts = [Number(160), Number(amount), Number(256), Number(320), Number(9), packed(denom.as_bytes())];
    let parts: Vec<Part> = parts.into_iter().chain([packed(b"channel-0"), packed(b"init1receiver")]).collect();
    let onward = || called(wrapper, "toRemoteAndIBCTransfer(string,uint256,string,string,uint256)", &parts);
    let packet = |amount: &str| {
        let data =
            json!({"amount": amount, "denom": INIT_6, "sender": account(1).bech32(), "receiver": "init1receiver"});
        data.to_string()
    };
    let sent = |amount: &str| {
        let data = packet(amount);
        let attributes = [
            ("packet_data", data.as_str()),
            ("packet_sequence", "7"),
            ("packet_src_port", "transfer"),
            ("packet_src_channel", "channel-0"),
            ("packet_dst_port", "transfer"),
            ("packet_dst_channel", "channel-9"),
        ];
        onward().logging(logs.clone()).event("send_packet", &attributes).said_by(&glossary())
    };
    let begin = "<1> converted 0.1 INIT (18 decimals) into 0.1 INIT (6 decimals) with the wrapper";
    assert_eq!(sent("100000"), format!("{begin} and sent it to init1receiver over IBC (channel-0, packet #7)."));
    let asked =
        format!("{begin}; requested to send it to init1receiver over IBC (channel-0), without an event in the record.");
    assert_eq!(sent("99999"), asked, "a packet with another amount");
    assert_eq!(onward().logging(logs.clone()).said_by(&glossary()), asked);
    let failed = onward().failed().said_by(&glossary());
    assert!(
        failed.ends_with(" with the wrapper and send it to init1receiver over IBC (channel-0); it failed."),
        "{failed}"
    );
}
