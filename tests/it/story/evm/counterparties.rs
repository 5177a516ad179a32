//! "From", "into" and "for" name an account only where logs connect the two; what moved with others is told apart.

use super::*;

const STRANGER: u8 = 9;
const VICTIM: u8 = 2;

/// What a stranger's contract pays and takes.
fn paid(from: u8, to: u8, amount: u128) -> String {
    transfer(account(AA), account(from), account(to), amount)
}

fn stranger(signature: &str, parts: &[Part]) -> Called {
    called(account(STRANGER), signature, parts)
}

#[test]
fn evm2_claim_from_victim() {
    let claim = || stranger("claim()", &[]);
    let told = claim().logging([paid(9, 1, 1), paid(2, 1, 99)]).said();
    assert_eq!(told, "<1> claimed 0.01 AA from <9>; 0.99 AA came from <2>.");
    let whole = claim().logging([paid(9, 1, 1), paid(9, 1, 99)]).said();
    assert_eq!(whole, "<1> claimed 1 AA from <9>.", "all of it came from the contract");
    let none = claim().logging([paid(2, 1, 99)]).said();
    assert_eq!(none, "<1> called claim on <9>; 0.99 AA came from <2>.");
    let minted = claim().logging([paid(0, 1, 7)]).said();
    assert_eq!(minted, "<1> called claim on <9>; 0.07 AA came from a mint.", "another contract minted it");
    let scam = claim().logging([paid(9, 1, 1), transfer(account(0x77), account(2), account(1), 99)]).said();
    assert_eq!(scam, "<1> claimed 0.01 AA from <9>.", "a token that nobody knows can name anybody");
    let many = claim().logging((2..8).map(|from| paid(from, 1, 1))).said();
    assert!(many.ends_with("; 0.01 AA came from <4>; more moved with 3 other accounts."), "{many}");
}

#[test]
fn evm2_getreward_from_victim() {
    let told = stranger("getReward()", &[]).logging([paid(9, 1, 1), paid(2, 1, 99)]).said();
    assert_eq!(told, "<1> claimed 0.01 AA from <9>; 0.99 AA came from <2>.");
}

#[test]
fn evm2_vault_withdraw_from_victim() {
    let parts = [Number(100), Account(account(1)), Account(account(1))];
    let withdraw = || stranger("withdraw(uint256,address,address)", &parts);
    let told = withdraw().logging([paid(9, 1, 1), paid(2, 1, 99)]).said();
    assert_eq!(told, "<1> withdrew 0.01 AA from <9>; 0.99 AA came from <2>.");
    let honest = withdraw().logging([paid(9, 1, 100)]).said();
    assert_eq!(honest, "<1> withdrew 1 AA from <9>.");
}

#[test]
fn evm2_claim_through_multicall() {
    let claim = hex::decode(&input("claim()", &[])[2..]).expect("well formed");
    let parts = [Number(32), Number(1), Number(32), packed(&claim)];
    let multicall = || stranger("multicall(bytes[])", &parts);
    let told = multicall().logging([paid(9, 1, 1), paid(2, 1, 99)]).said();
    assert_eq!(told, "<1> claimed 0.01 AA from <9>; 0.99 AA came from <2>.");
    assert_eq!(multicall().logging([paid(9, 1, 1)]).said(), "<1> claimed 0.01 AA from <9>.");
}

#[test]
fn evm2_stake_goes_elsewhere() {
    let stake = || stranger("stake(uint256)", &[Number(100)]);
    let told = stake().logging([paid(1, 9, 1), paid(1, 3, 99)]).said();
    assert_eq!(told, "<1> called stake on <9>, giving it 0.01 AA; 0.99 AA went to <3>.");
    let honest = stake().logging([paid(1, 9, 100)]).said();
    assert_eq!(honest, "<1> called stake on <9>, giving it 1 AA.");
}

#[test]
fn evm2_deposit_goes_elsewhere() {
    let deposit = || stranger("deposit(uint256)", &[Number(100)]);
    let told = deposit().logging([paid(1, 9, 1), paid(1, 3, 99)]).said();
    assert_eq!(told, "<1> called deposit on <9>, giving it 0.01 AA; 0.99 AA went to <3>.");
    let burned = deposit().logging([paid(1, 0, 100)]).said();
    assert_eq!(burned, "<1> called deposit on <9>; 1 AA went to a burn.", "the contract got nothing");
}

#[test]
fn evm2_vault_deposit_skims() {
    let parts = [Number(100), Account(account(1))];
    let shares = || transfer(account(STRANGER), account(0), account(1), 5);
    let deposit = || stranger("deposit(uint256,address)", &parts);
    let told = deposit().logging([paid(1, 9, 1), paid(1, 3, 99), shares()]).said();
    let by = "as the contract reports";
    assert_eq!(told, format!("<1> deposited 0.01 AA into <9> for 5 of the contract <9>, {by}; 0.99 AA went to <3>."));
    let honest = deposit().logging([paid(1, 9, 100), shares()]).said();
    assert_eq!(honest, format!("<1> deposited 1 AA into <9> for 5 of the contract <9>, {by}."));
}

#[test]
fn evm2_redeem_for_another_owner() {
    let redeem = |owner: u8| {
        let parts = [Number(5), Account(account(1)), Account(account(owner))];
        let burned = transfer(account(STRANGER), account(owner), account(0), 5);
        stranger("redeem(uint256,address,address)", &parts).logging([burned, paid(9, 1, 500)]).said()
    };
    let by = "as the contract reports";
    assert_eq!(redeem(VICTIM), format!("<1> withdrew 5 AA from <9> for 5 of the contract <9> of <2>, {by}."));
    assert_eq!(redeem(1), format!("<1> withdrew 5 AA from <9> for 5 of the contract <9>, {by}."));
}

#[test]
fn an_exchange_counts_what_a_path_of_logs_connects() {
    let parts = [Number(100), Number(1), Number(160), Account(account(1)), Number(9), Number(2)];
    let parts: Vec<Part> = parts.into_iter().chain([Account(account(AA)), Account(account(BB))]).collect();
    let swap = || stranger("swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", &parts);
    let back = |from: u8, amount: u128| transfer(account(BB), account(from), account(1), amount);
    let pool = || [paid(1, 5, 100), back(5, 170)];
    assert_eq!(swap().logging(pool()).said(), "<1> swapped 1 AA for 1.7 BB.");
    let added = swap().logging(pool().into_iter().chain([back(2, 900)])).said();
    assert_eq!(added, "<1> swapped 1 AA for 1.7 BB; 9 BB came from <2>.", "the payment is no part of it");
    let skimmed = swap().logging(pool().into_iter().chain([paid(1, 3, 50)])).said();
    assert_eq!(skimmed, "<1> swapped 1 AA for 1.7 BB; 0.5 AA went to <3>.");
    let apart = swap().logging([paid(1, 5, 100), back(2, 170)]).said();
    assert_eq!(apart, "<1> called swapExactTokensForTokens on <9>; 1 AA went to <5>; 1.7 BB came from <2>.");
    let hops = [paid(1, 5, 100), transfer(account(0x77), account(5), account(6), 9), back(6, 170)];
    assert_eq!(swap().logging(hops).said(), "<1> swapped 1 AA for 1.7 BB.", "over two pools");
}

#[test]
fn evm2_collect_of_stranger() {
    let parts = [Number(5), Account(account(1)), Number(100), Number(100)];
    let collect = || stranger("collect((uint256,address,uint128,uint128))", &parts);
    let told = collect().logging([paid(2, 1, 100)]).said();
    assert_eq!(told, "<1> called collect on <9>; 1 AA came from <2>.");
    let collected = |id: u128, amount: u128| {
        let data = [Account(account(1)), Number(amount), Number(0)];
        log(account(STRANGER), "Collect(uint256,address,uint256,uint256)", &[Number(id)], &data)
    };
    let honest = collect().logging([collected(5, 100), paid(4, 1, 100)]).said();
    assert_eq!(honest, "<1> collected 1 AA from liquidity position #5, as the contract reports.");
    for other in [collected(6, 100), collected(5, 99)] {
        let told = collect().logging([other, paid(2, 1, 100)]).said();
        assert_eq!(told, "<1> called collect on <9>; 1 AA came from <2>.", "another position, or another amount");
    }
}

#[test]
fn evm2_removeliquidity_of_stranger() {
    let parts = [Account(account(AA)), Account(account(BB)), Number(30), Number(1), Number(1), Account(account(1))];
    let parts: Vec<Part> = parts.into_iter().chain([Number(9)]).collect();
    let signature = "removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)";
    let remove = || stranger(signature, &parts);
    let told = remove().logging([paid(2, 1, 100)]).said();
    assert_eq!(told, "<1> called removeLiquidity on <9>; 1 AA came from <2>.");
    let shares = || transfer(account(5), account(1), account(5), 30);
    let burn = log(
        account(5),
        "Burn(address,uint256,uint256,address)",
        &[Account(account(9)), Account(account(1))],
        &[Number(100), Number(0)],
    );
    let honest = remove().logging([shares(), burn, paid(5, 1, 100)]).said();
    assert_eq!(honest, "<1> withdrew 1 AA from liquidity for 30 of the contract <5>, as the contract reports.");
    let silent = remove().logging([shares(), paid(5, 1, 100)]).said();
    assert_eq!(silent, "<1> called removeLiquidity on <9>; 1 AA came from <5>.", "no pool reports it");
}

#[test]
fn evm2_disperse_paid_by_contract() {
    let parts = [Account(account(AA)), Number(96), Number(192), Number(2), Account(account(2)), Account(account(3))];
    let parts: Vec<Part> = parts.into_iter().chain([Number(2), Number(500), Number(600)]).collect();
    let disperse = || stranger("disperseToken(address,address[],uint256[])", &parts);
    let payments = || [paid(9, 2, 500), paid(9, 3, 600)];
    let told = disperse().logging(payments()).said();
    assert_eq!(told, "<1> called disperseToken on <9>, which paid 11 AA to 2 accounts.");
    let his = disperse().logging([paid(1, 9, 1100)].into_iter().chain(payments())).said();
    assert_eq!(his, "<1> sent 11 AA to 2 accounts.");
    let direct = disperse().logging([paid(1, 2, 500), paid(1, 3, 600)]).said();
    assert_eq!(direct, "<1> sent 11 AA to 2 accounts.");
}

#[test]
fn evm2_disperse_paid_in_less() {
    let parts = [Account(account(AA)), Number(96), Number(160), Number(1), Account(account(2)), Number(1), Number(500)];
    let disperse = || stranger("disperseToken(address,address[],uint256[])", &parts);
    let told = disperse().logging([paid(1, 9, 100), paid(9, 2, 500)]).said();
    assert_eq!(told, "<1> called disperseToken on <9>, which paid 5 AA to 1 account; 1 AA went to <9>.");
    let back = disperse().logging([paid(1, 9, 500), paid(9, 2, 500), paid(9, 1, 500)]).said();
    assert_eq!(back, "<1> called disperseToken on <9>, which paid 5 AA to 1 account.", "it gave his money back");
}

#[test]
fn evm2_wrap_for_another() {
    let deposited = |to: u8| {
        let log = log(account(STRANGER), "Deposit(address,uint256)", &[Account(account(to))], &[Number(100)]);
        stranger("deposit()", &[]).with(100).logging([paid(1, 9, 100), log]).said()
    };
    assert_eq!(deposited(VICTIM), "<1> called deposit on <9> with 1 AA.");
    assert_eq!(deposited(1), "<1> wrapped 1 AA into 100 of the contract <9>, as the contract reports.");
    let staked = log(account(STRANGER), "Deposit(address,uint256)", &[Account(account(1))], &[Number(100)]);
    let told = stranger("deposit()", &[]).logging([paid(1, 9, 100), staked]).said();
    assert_eq!(told, "<1> called deposit on <9>, giving it 1 AA.", "without a value nothing is wrapped");
}

#[test]
fn evm2_value_not_logged() {
    let claim = || stranger("claim()", &[]).with(100);
    let scam = transfer(account(0x77), account(1), account(9), 100);
    let told = claim().logging([scam]).said();
    assert_eq!(told, "<1> called claim on <9> with 100 of the fee token, without a log of a known token.");
    assert_eq!(claim().logging([paid(1, 9, 100)]).said(), "<1> called claim on <9> with 1 AA.");
    assert_eq!(claim().said(), "<1> called claim on <9> with 100 of the fee token, without a log.");
}

#[test]
fn evm2_1155_half_told() {
    let (nft, unknown) = (account(0x99), called(account(0x99), "frobnicate(uint256)", &[Number(20)]));
    let selector = unknown.input[..10].to_owned();
    let moved = |from: u8, to: u8, id: u128, count: u128| {
        let sides = [1, from, to].map(|byte| Account(account(byte)));
        log(nft, "TransferSingle(address,address,address,uint256,uint256)", &sides, &[Number(id), Number(count)])
    };
    let run = |logs: [String; 2]| called(nft, "frobnicate(uint256)", &[Number(20)]).logging(logs).said();
    assert_eq!(run([moved(1, 2, 7, 3), moved(2, 1, 8, 9)]), format!("<1> called {selector} on <99>."));
    let alike = run([moved(1, 2, 7, 3), moved(1, 2, 8, 9)]);
    let told = "3 of NFT 7 and 9 of NFT 8 of <99> were moved from <1> to <2>, as the contract reports";
    assert_eq!(alike, format!("<1> called {selector} on <99>; {told}."));
}

#[test]
fn evm2_consecutive_mint() {
    let mint = || called(account(0x99), "mint(uint256)", &[Number(5)]);
    let sides = [Number(1), Account(account(0)), Account(account(1))];
    let signature = "ConsecutiveTransfer(uint256,uint256,address,address)";
    let told = mint().logging([log(account(0x99), signature, &sides, &[Number(5)])]).said();
    assert_eq!(told, "<1> called mint on <99>.", "the contract tells of something");
    let other = log(account(0x99), "Minted(uint256)", &[], &[Number(5)]);
    assert_eq!(mint().logging([other]).said(), "<1> called mint on <99>.", "no list of events is complete");
    assert_eq!(mint().said(), "<1> called mint on <99>; no event tells of a movement.");
}

#[test]
fn evm2_disable_cosmos() {
    let precompile = || "0xf1".parse().expect("well formed");
    let told = called(precompile(), "disable_execute_cosmos()", &[]).said();
    assert!(told.starts_with("<1> called disable_execute_cosmos on "), "{told}");
    assert!(told.ends_with(", which holds for this call only."), "{told}");
    let stranger = stranger("disable_execute_cosmos()", &[]).said();
    assert_eq!(stranger, "<1> called disable_execute_cosmos on <9>.", "only the chain's own contract is known");
}

#[test]
fn evm2_7702_delegation() {
    let told = |list: Value, call: Called| {
        let mut record = serde_json::to_value(call.tx()).expect("JSON");
        record["tx"]["body"]["messages"][0]["auth_list"] = list;
        let tx: Tx = serde_json::from_value(record).expect("a transaction");
        said(&tx, &named()).remove(0).replace(&account(1).bech32(), "<1>").replace(&account(9).checksummed(), "<9>")
    };
    let claim = || stranger("claim()", &[]);
    let item = |to: u8| json!({"chain_id": "1", "address": account(to).checksummed(), "nonce": "0"});
    let one = "; it carries a delegation of an account's code to <9> (the record does not show whether it took effect)";
    assert_eq!(told(json!([item(9)]), claim()), format!("<1> called claim on <9>{one}."));
    let plain = told(json!([item(9)]), stranger("x()", &[]).with(1));
    assert!(plain.contains("without a log; it carries a delegation"), "{plain}");
    for none in [Value::Null, json!([])] {
        assert_eq!(told(none, claim()), "<1> called claim on <9>.");
    }
    let two = told(json!([item(9), item(9)]), claim());
    assert!(two.contains("; it carries delegations of accounts' code to <9>, <9> (") && two.contains("they"), "{two}");
}
