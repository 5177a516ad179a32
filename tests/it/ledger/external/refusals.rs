//! What is not taken, and the sentence that says why.

use rollscope::demo::ledger::PacketOutcome;

use super::*;

/// A transaction that is refused with these words.
fn refused(scene: &mut Scene, external: &External, words: &str) {
    let answer = scene.submit(external);
    let error = answer.expect_err(&format!("{external:?} should be refused")).to_string();
    assert!(error.contains(words), "“{error}” does not say “{words}” of {external:?}");
}

#[test]
fn who_cannot_sign_or_receive_is_named() {
    for vm in VMS {
        let mut scene = Scene::new(vm, 7, 20);
        let (wallet, token) = (scene.facts.wallet, scene.bridged());
        let (escrow, name) = (scene.facts.channels[0].escrow, wallet.bech32());
        refused(&mut scene, &bank_send(STRANGER, wallet, &token, 1), &format!("use the demo wallet {name}"));
        refused(&mut scene, &bank_send(escrow, wallet, &token, 1), "is not an account of this rollup");
        refused(&mut scene, &bank_send(wallet, escrow, &token, 1), "is a contract or module");
        let long = Address::Long([9; 32]);
        refused(&mut scene, &deposit(long, &token, 1, ExternalHook::None), "has 32 bytes");
        refused(&mut scene, &receive(escrow, &token, 1, "channel-0", true), "is a contract or module");
        let to = "osmo1qqqq".to_owned();
        let astray = External::Withdraw { sender: wallet, to, denom: token.clone(), amount: amount(1) };
        refused(&mut scene, &astray, "is not an L1 address");
    }
}

#[test]
fn amounts_and_denoms_are_checked() {
    for vm in VMS {
        let mut scene = Scene::new(vm, 7, 20);
        let (wallet, token, fee) = (scene.facts.wallet, scene.bridged(), scene.fee());
        let (voucher, held) = (scene.voucher("channel-2"), scene.balance(scene.facts.wallet, &scene.fee()));
        refused(&mut scene, &bank_send(wallet, STRANGER, &token, 0), "over 0");
        refused(&mut scene, &bank_send(wallet, STRANGER, &fee, held), "but needs");
        let pearls = Denom::new("upearl");
        refused(&mut scene, &bank_send(wallet, STRANGER, &pearls, 1), "has no token upearl");
        refused(&mut scene, &withdraw(wallet, &voucher, 1), "did not come over the optimistic bridge");
        refused(&mut scene, &deposit(wallet, &voucher, 1, ExternalHook::None), "did not come over");
        let usdc = scene.find(|token| token.symbol == "USDC");
        refused(&mut scene, &deposit(wallet, &usdc, 1, ExternalHook::Run), "can have a hook");
        for number in [u128::MAX, u128::from(u64::MAX) - 5] {
            let huge = deposit(wallet, &token, number, ExternalHook::None);
            match scene.submit(&huge) {
                Ok(_) => assert!(vm != Vm::Move && number < u128::MAX, "{vm} {number}"),
                Err(error) => assert!(error.to_string().contains("exceeds the limit of the rollup"), "{error}"),
            }
        }
        let whole = External::BankSend {
            sender: wallet,
            to: STRANGER,
            denom: token,
            amount: Amount::new(alloy_primitives::U256::MAX),
        };
        refused(&mut scene, &whole, "exceeds the limit of the rollup");
    }
}

#[test]
fn the_wrapper_gives_whole_tokens_only() {
    let mut scene = Scene::new(Vm::Evm, 7, 20);
    let wallet = scene.facts.wallet;
    let local = scene.find(|token| token.symbol == "INIT" && token.wraps.is_some());
    let ether = scene.find(|token| token.symbol == "ETH" && token.wraps.is_some());
    refused(&mut scene, &withdraw(wallet, &local, 1_000_000_000_001), "without a remainder");
    refused(&mut scene, &withdraw(wallet, &ether, 1_000_000_000_000), "did not come over the optimistic bridge");
}

#[test]
fn channels_and_packets_are_checked() {
    for vm in VMS {
        let mut scene = Scene::new(vm, 7, 20);
        let (wallet, token, voucher) = (scene.facts.wallet, scene.bridged(), scene.voucher("channel-2"));
        refused(&mut scene, &send(wallet, &token, 1, "channel-9", 60), "has no transfer channel “channel-9”");
        refused(&mut scene, &send(wallet, &token, 1, "channel-1", 60), "has no transfer channel “channel-1”");
        refused(&mut scene, &send(wallet, &voucher, 1, "channel-0", 60), "leaves only over channel-2");
        refused(&mut scene, &send(wallet, &voucher, 1, "channel-2", 0), "at least a second");
        refused(&mut scene, &receive(wallet, &token, 1, "channel-2", true), "leaves only over channel-0");
        let escrow = scene.facts.channels[0].escrow;
        let away = scene.balance(escrow, &token);
        refused(&mut scene, &receive(wallet, &token, away + 1, "channel-0", true), "can leave");
        let channel = "channel-0".to_owned();
        let unknown = External::Answer { channel, sequence: 4_000, answer: PacketOutcome::Accepted };
        refused(&mut scene, &unknown, "no packet 4000 waits for its acknowledgement on channel-0");
        let long = |receiver: String, memo: String| {
            let (denom, amount, channel) = (voucher.clone(), amount(1), "channel-2".to_owned());
            External::Send { sender: wallet, receiver, denom, amount, channel, memo, seconds: 60 }
        };
        refused(&mut scene, &long(String::new(), String::new()), "the receiver must have");
        refused(&mut scene, &long("x".repeat(2_049), String::new()), "the receiver must have");
        refused(&mut scene, &long("x".to_owned(), "m".repeat(32_769)), "the memo must have");
    }
}

#[test]
fn the_simulation_s_own_packets_are_not_answered_from_outside() {
    let mut scene = Scene::new(Vm::Evm, 7, 0);
    let sequence = loop {
        scene.advance(1);
        let tip = scene.ledger.tip().expect("a block").get();
        let sent = block(&scene.ledger, tip);
        let packets = sent.txs.iter().filter(|tx| tx.code == 0);
        let mut found = packets.flat_map(|tx| said(tx, "send_packet", "packet_sequence"));
        if let Some(sequence) = found.next() {
            break sequence.parse().expect("a number");
        }
    };
    for channel in ["channel-0", "channel-2", "channel-3"] {
        let answer = External::Answer { channel: channel.to_owned(), sequence, answer: PacketOutcome::Refused };
        refused(&mut scene, &answer, "waits for its acknowledgement");
    }
}

#[test]
fn a_block_takes_so_many_and_no_more() {
    let mut scene = Scene::new(Vm::Move, 7, 20);
    let (wallet, token) = (scene.facts.wallet, scene.bridged());
    let one = bank_send(wallet, STRANGER, &token, 1);
    let count = (0..1_000).take_while(|_| scene.submit(&one).is_ok()).count();
    assert_eq!(count, 200);
    refused(&mut scene, &one, "try again after it");
    scene.advance(1);
    scene.take(&one);
}

#[test]
fn so_many_new_accounts_and_no_more_are_met() {
    let mut scene = Scene::new(Vm::Wasm, 7, 20);
    let (wallet, token) = (scene.facts.wallet, scene.bridged());
    for number in 0..1_000u32 {
        let mut bytes = [0x77; 20];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        scene.take(&bank_send(wallet, Address::Short(bytes), &token, 1));
        if number % 100 == 99 {
            scene.advance(1);
        }
    }
    refused(&mut scene, &bank_send(wallet, STRANGER, &token, 1), "accepts no more");
    let known = scene.ledger.account(3).expect("a user");
    scene.take(&bank_send(wallet, known, &token, 1));
}
