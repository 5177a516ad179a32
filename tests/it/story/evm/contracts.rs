//! What is told of calls of contracts that do more than move tokens, and of what nobody knows.

use super::*;

#[test]
fn calls_within_calls() {
    let (you, token, multi) = (account(2), account(AA), account(6));
    let send =
        hex::decode(&input("transfer(address,uint256)", &[Account(you), Number(100)])[2..]).expect("well formed");
    let tuple = [Account(token), Number(1), Number(96), packed(&send)];
    let Raw(send_text) = packed(&send) else { unreachable!() };
    let length = 96 + send_text.len() as u128 / 2;
    let mut parts = vec![Number(32), Number(2), Number(64), Number(64 + length)];
    parts.extend(tuple.iter().cloned());
    parts.extend(tuple);
    let both = |multi: Address| called(multi, "aggregate3((address,bool,bytes)[])", &parts);
    let moved = |multi: Address| transfer(token, multi, you, 100);
    let said_of_both = both(multi).logging([moved(multi), moved(multi)]).said();
    assert_eq!(said_of_both, "<1> called aggregate3 on <6>: sent 1 AA to <2>; sent 1 AA to <2>.");
    let known: Address = MULTICALL.parse().expect("well formed");
    let said_of_both = both(known).logging([moved(known), moved(known)]).said();
    assert_eq!(said_of_both, format!("<1> made 2 calls on {MULTICALL}: sent 1 AA to <2>; sent 1 AA to <2>."));
    let silent = "asked to send 1 AA to <2>, which the logs do not show: the call failed or did nothing";
    let said_of_both = both(known).logging([moved(known)]).said();
    assert_eq!(
        said_of_both,
        format!("<1> made 2 calls on {MULTICALL}: sent 1 AA to <2>; {silent}."),
        "a log is said_of_both once"
    );
    assert_eq!(both(multi).said(), format!("<1> called aggregate3 on <6>: {silent}; {silent}."));
    let safe = "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)";
    let mut parts = vec![Account(token), Number(0), Number(320)];
    parts.extend([Number(0), Number(0), Number(0), Number(0), Number(0), Number(0)]);
    parts.extend([Number(320 + send_text.len() as u128 / 2), packed(&send), Number(0)]);
    let act = || called(multi, safe, &parts);
    assert_eq!(act().logging([moved(multi)]).said(), "<1> called execTransaction on <6>: sent 1 AA to <2>.");
    assert_eq!(act().said(), format!("<1> called execTransaction on <6>: {silent}."));
    let mut glossary = named();
    glossary.add_role(multi, ContractRole::Safe);
    let said_of_both = act().logging([moved(multi)]).said_by(&glossary);
    assert_eq!(said_of_both, "<1> had the Safe <6> act: sent 1 AA to <2>.");
    assert_eq!(act().said_by(&glossary), format!("<1> had the Safe <6> act: {silent}."));
    let deep = (0..600).fold(send, |inner, _| {
        let parts = [Number(32), Number(1), Number(32), packed(&inner)];
        hex::decode(&input("multicall(bytes[])", &parts)[2..]).expect("well formed")
    });
    let mut deepest = called(multi, "multicall(bytes[])", &[]);
    deepest.input = hex::encode_prefixed(deep);
    let tx = deepest.tx();
    let story = Story::of(&tx, &named());
    assert!(story.work.is_cut() && story.work.nested() <= 16, "{:?}", story.work);
}

#[test]
fn messages_of_the_chain() {
    let cosmos: Address = "0xf1".parse().expect("well formed");
    let message = json!({"@type": "/no.such.v1.MsgThing", "sender": account(1).bech32()}).to_string();
    let parts = [Number(64), Number(100_000), packed(message.as_bytes())];
    let run = || called(cosmos, "execute_cosmos(string,uint64)", &parts);
    let told = run().said();
    assert!(
        told.starts_with("<1> ran a Cosmos message: sent a message of the unknown type no.such.v1.MsgThing"),
        "{told}"
    );
    let told = run().event("submsg", &[("success", "false"), ("reason", "no funds")]).said();
    assert!(told.contains("message: asked to "), "{told}");
    assert!(told.contains("; it failed on its own: “no funds”"), "{told}");
    let told = called(cosmos, "execute_cosmos(string)", &[Number(32), packed(message.as_bytes())]).said();
    assert!(told.starts_with("<1> ran a Cosmos message: "), "of older versions: {told}");
    let broken = [Number(64), Number(1), packed(b"{")];
    let told = called(cosmos, "execute_cosmos(string,uint64)", &broken).said();
    assert_eq!(told, "<1> ran a Cosmos message that rollscope cannot read.");
    let payment = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": account(1).bech32(),
        "to_address": account(3).bech32(), "amount": [{"denom": "ufoo", "amount": "5"}]});
    let sending = [Number(64), Number(100_000), packed(payment.to_string().as_bytes())];
    let sent = |from: u8| {
        let sides = [account(3).bech32(), account(from).bech32()];
        let attributes = [("recipient", sides[0].as_str()), ("sender", sides[1].as_str()), ("amount", "5ufoo")];
        called(cosmos, "execute_cosmos(string,uint64)", &sending).event("transfer", &attributes).said()
    };
    assert_eq!(sent(1), "<1> ran a Cosmos message: sent 5 ufoo to <3>.");
    assert_eq!(sent(2), "<1> ran a Cosmos message: <2> sent 5 ufoo to <3>.", "who it was the event says");
    let elsewhere = called(account(9), "execute_cosmos(string,uint64)", &parts).said();
    assert_eq!(elsewhere, "<1> called execute_cosmos on <9>.");
    let parts = [Number(96), Number(160), Number(18), packed(b"Gold"), packed(b"GLD")];
    let made = log(account(9), "ERC20Created(address,address)", &[Account(account(5)), Account(account(1))], &[]);
    let create = || called(account(9), "createERC20(string,string,uint8)", &parts);
    let told = create().logging([made.clone()]).said();
    assert_eq!(told, "<1> created token “Gold” (“GLD”, 18 decimals) at <5>, as the contract reports.");
    let registered = [("denom", "evm/x"), ("contract", "0x0505050505050505050505050505050505050505")];
    let told = create().logging([made]).event("erc20_created", &registered).said();
    let reported = "<1> created token “Gold” (“GLD”, 18 decimals) at <5>, as the contract reports.";
    assert_eq!(told, reported, "the chain registered a token, and does not say what it is called");
    assert_eq!(create().said(), "<1> called createERC20 on <9>.");
}

#[test]
fn the_wrapper_and_what_it_goes_on_with() {
    let wrapper: Address = WRAPPER.parse().expect("well formed");
    let denom = format!("evm/{}", &INIT_18[2..]);
    let parts =
        [Number(96), Number(160), Number(100_000_000_000_000_000), packed(b"init1receiver"), packed(denom.as_bytes())];
    let converted = [Number(160), Number(256), Number(18), Number(6), Number(100_000_000_000_000_000)];
    let mut data = converted.to_vec();
    data.extend([packed(denom.as_bytes()), packed(INIT_6.as_bytes())]);
    let event = log(wrapper, "Converted(string,string,uint8,uint8,uint256)", &[], &data);
    let call = || called(wrapper, "toRemoteAndOPWithdraw(string,string,uint256)", &parts);
    let (local, remote) = (INIT_18.parse().expect("well formed"), account(0x66));
    let given = transfer(local, account(1), account(0), 100_000_000_000_000_000);
    let got = transfer(remote, account(0), account(1), 100_000);
    let logs = || [given.clone(), got.clone(), event.clone()];
    let withdrawn = [("l2_sequence", "12"), ("to", "init1receiver")];
    let told = call().logging(logs()).event("initiate_token_withdrawal", &withdrawn).said_by(&glossary());
    assert_eq!(
        told,
        "<1> converted 0.1 INIT (18 decimals) into 0.1 INIT (6 decimals) with the wrapper and started withdrawing it to \
         init1receiver on L1 (withdrawal #12)."
    );
    let told = call().logging(logs()).said_by(&glossary());
    assert!(
        told.ends_with("; requested a withdrawal to init1receiver on L1, without an event in the record."),
        "{told}"
    );
    let told = call().logging([event.clone()]).event("initiate_token_withdrawal", &withdrawn).said_by(&glossary());
    assert!(told.starts_with("<1> asked to convert 0.1 INIT (18 decimals) with the wrapper"), "no token moved: {told}");
    let told = call().logging(logs()).said_by(&Glossary::default());
    assert_eq!(told, format!("<1> called toRemoteAndOPWithdraw on {WRAPPER}."), "nobody knows it for the wrapper");
    let changes = Story::of(&call().logging(logs()).tx(), &glossary()).changes;
    let learned = changes.balances.iter().find(|change| change.delta.to_string() == "100000").expect("what came out");
    assert_eq!((learned.denom.as_str(), learned.is_reported), (INIT_6, false), "the wrapper names it");
    let told = call().failed().said_by(&glossary());
    assert_eq!(
        told,
        "<1> tried to convert 0.1 INIT (18 decimals) with the wrapper and start withdrawing it to init1receiver on L1; \
         it failed."
    );
}

#[test]
fn owners_and_roles() {
    let (me, you, contract) = (account(1), account(2), account(9));
    let minter = || Raw(hex::encode(keccak256("MINTER_ROLE")));
    let moved = |to: Address| log(contract, "OwnershipTransferred(address,address)", &[Account(me), Account(to)], &[]);
    let role = |event: &str, role: Part| log(contract, event, &[role, Account(you), Account(me)], &[]);
    let paused = log(contract, "Paused(address)", &[], &[Account(me)]);
    let upgraded = log(contract, "Upgraded(address)", &[Account(account(3))], &[]);
    let granted = role("RoleGranted(bytes32,address,address)", minter());
    let revoked = role("RoleRevoked(bytes32,address,address)", Number(0));
    let cases: [(&str, Vec<Part>, String, &str); 6] = [
        ("transferOwnership(address)", vec![Account(you)], moved(you), "handed the ownership of <9> to <2>"),
        ("renounceOwnership()", vec![], moved(account(0)), "gave up the ownership of <9>"),
        ("pause()", vec![], paused, "paused <9>"),
        ("grantRole(bytes32,address)", vec![minter(), Account(you)], granted, "gave <2> the role MINTER_ROLE on <9>"),
        (
            "revokeRole(bytes32,address)",
            vec![Number(0), Account(you)],
            revoked,
            "took the role DEFAULT_ADMIN_ROLE on <9> from <2>",
        ),
        ("upgradeTo(address)", vec![Account(account(3))], upgraded, "upgraded <9> to the code of <3>"),
    ];
    for (signature, parts, log, words) in cases {
        let told = called(contract, signature, &parts).logging([log]).said();
        assert_eq!(told, format!("<1> {words}, as the contract reports."));
        let name = signature.split('(').next().unwrap_or_default();
        assert_eq!(called(contract, signature, &parts).said(), format!("<1> called {name} on <9>."), "no log");
    }
    let kept = called(contract, "renounceOwnership()", &[]).logging([moved(you)]).said();
    assert_eq!(kept, "<1> called renounceOwnership on <9>.", "it went to somebody");
}

#[test]
fn payments_to_many_are_counted_by_their_logs() {
    let (me, disperser) = (account(1), account(6));
    let to = [account(2), account(3), account(2)];
    let mut parts = vec![Account(account(AA)), Number(96), Number(224), Number(3)];
    parts.extend(to.map(Account));
    parts.extend([Number(3), Number(100), Number(200), Number(300)]);
    let call = || called(disperser, "disperseToken(address,address[],uint256[])", &parts);
    let paid = |place: usize| transfer(account(AA), disperser, to[place], [100, 200, 300][place]);
    let logs = || [transfer(account(AA), me, disperser, 600), paid(0), paid(1), paid(2)];
    assert_eq!(call().logging(logs()).said(), "<1> sent 6 AA in 3 payments to 2 accounts.");
    let told = call().logging(logs().into_iter().take(3)).said();
    assert_eq!(told, "<1> sent 3 AA to 2 accounts; the logs do not show 1 of the requested payments.");
    assert_eq!(call().said(), "<1> called disperseToken on <6>; no event tells of a movement.");
}

#[test]
fn what_is_not_known_is_not_guessed() {
    let (me, contract) = (account(1), account(9));
    let unknown = || called(contract, "frobnicate(uint256)", &[Number(7)]);
    let selector = &unknown().input[..10];
    assert_eq!(unknown().said(), format!("<1> called {selector} on <9>."));
    let text = unknown().with(5).said();
    assert_eq!(text, format!("<1> called {selector} on <9> with 5 of the fee token, without a log."));
    let paid = unknown().with(500).logging([transfer(account(AA), me, contract, 500)]).said();
    assert_eq!(paid, format!("<1> called {selector} on <9> with 5 AA."));
    let short = called(account(AA), "transfer(address,uint256)", &[Number(7)]).said();
    assert_eq!(short, "<1> called transfer on <aa> (the input does not fit this function).");
    let mut empty = called(contract, "x()", &[]).with(500);
    empty.input = String::new();
    assert_eq!(empty.logging([transfer(account(AA), me, contract, 500)]).said(), "<1> sent 5 AA to <9>.");
    let mut odd = called(contract, "x()", &[]);
    odd.input = "0x12".to_owned();
    assert_eq!(odd.said(), "<1> called an unknown function on <9>.");
}

#[test]
fn a_user_s_abi_names_what_is_not_known() {
    let mut book = AbiRegistry::default();
    let json = r#"[{"type":"function","name":"frobnicate","inputs":[{"name":"count","type":"uint256"}]}]"#;
    book.add_file(&account(9).hex(), json).expect("well formed");
    let mut glossary = named();
    glossary.abi = book;
    let told = |to: u8| called(account(to), "frobnicate(uint256)", &[Number(7)]).said_by(&glossary);
    assert_eq!(told(9), "<1> called frobnicate on <9>.");
    assert!(told(8).starts_with("<1> called 0x"), "{}", told(8));
}

#[test]
fn no_call_makes_it_fail() {
    let parts = [Most, Number(0), Number(32), Number(64), Number(u128::from(u64::MAX)), Raw("ab".repeat(32))];
    let (glossary, me) = (named(), account(1).bech32());
    for line in include_str!("../../../../assets/abi.tsv").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        for start in 0..parts.len() {
            for length in [0, 1, 3, 6, 14] {
                let data: Vec<Part> = parts.iter().cycle().skip(start).take(length).cloned().collect();
                let mut call = called(account(AA), "x()", &data).with(1);
                call.input = format!("0x{}{}", &columns[1][..8], words(&data));
                let logs = (columns[0] == "event").then(|| {
                    let topics = [format!("0x{}", columns[1]), format!("0x{}", U256::MAX), "0x".to_owned()];
                    let topics = &topics[..=length.min(2)];
                    json!({"address": account(AA).hex(), "topics": topics, "data": words(&data)}).to_string()
                });
                let told = said(&call.logging(logs).tx(), &glossary).remove(0);
                assert!(told.starts_with(&me) && told.ends_with('.'), "{line}: {told}");
            }
        }
    }
}

#[test]
fn a_message_in_the_text_of_an_unknown_function_is_told_where_events_bear_it_out() {
    let (contract, you) = (account(9), account(2));
    let sending = |from: Address| {
        let amount = [json!({"denom": "uinit", "amount": "25"})];
        let message = json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "from_address": from.bech32(),
                             "to_address": you.bech32(), "amount": amount});
        called(contract, "poke(string)", &[Number(32), packed(message.to_string().as_bytes())])
    };
    let (from, to) = (contract.bech32(), you.bech32());
    let attributes = [("sender", from.as_str()), ("recipient", to.as_str()), ("amount", "25uinit")];
    let plain = "<1> called 0xd31a2e29 on <9>.".replace("0xd31a2e29", &sending(contract).input[..10]);
    let read = format!("(0x{}, its input read by shape)", &sending(contract).input[2..10]);
    let told = sending(contract).event("transfer", &attributes).said();
    assert_eq!(told, format!("<1> had <9> send 25 uinit to <2> {read}."));
    assert_eq!(sending(contract).said(), plain, "no event tells of it");
    assert_eq!(sending(you).event("transfer", &attributes).said(), plain, "a contract signs only for itself");
    let of_another = [("sender", to.as_str()), ("recipient", from.as_str()), ("amount", "25uinit")];
    assert_eq!(sending(contract).event("transfer", &of_another).said(), plain, "another account paid");
    let refused = [("success", "false"), ("reason", "no funds")];
    assert_eq!(sending(contract).event("submsg", &refused).said(), plain, "it failed");
}

#[test]
fn a_value_without_a_log_has_the_unit_of_the_fee_token_that_the_node_names() {
    let mut glossary = named();
    glossary.gas_denom = Some(Denom::new("GAS"));
    let (me, contract) = (account(1), account(9));
    let silent = || called(contract, "claim()", &[]).with(250_000_000_000_000_000);
    let scam = || silent().logging([transfer(account(0x77), me, contract, 250_000_000_000_000_000)]);
    for (decimals, value) in [(18, "0.25 GAS"), (6, "250000000000000000 of the fee token")] {
        glossary.add_token(Denom::new("GAS"), "GAS", decimals);
        let told = format!("<1> called claim on <9> with {value}, without a log");
        assert_eq!(
            silent().said_by(&glossary),
            format!("{told}."),
            "the chain scales a token with {decimals} decimals"
        );
        assert_eq!(scam().said_by(&glossary), format!("{told} of a known token."));
    }
}
