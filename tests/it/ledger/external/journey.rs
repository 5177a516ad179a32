//! Every kind of transaction from outside, with what it says and does.

use rollscope::demo::ledger::PacketOutcome;

use super::*;

/// Asserts that an event of this kind says all of this.
fn says(tx: &CommittedTx, kind: &str, words: &[(&str, &str)]) {
    for (key, text) in words {
        assert!(said(tx, kind, key).contains(text), "{key} of {kind} is {:?}, not {text}", said(tx, kind, key));
    }
}

fn answer(submitted: &Submitted, answer: PacketOutcome) -> External {
    let packet = submitted.packet.clone().expect("it sent a packet");
    External::Answer { channel: packet.channel, sequence: packet.sequence, answer }
}

#[test]
fn a_bank_send_reaches_anybody_and_goes_on_from_there() {
    for vm in VMS {
        let mut scene = Scene::new(vm, 7, 5);
        let (wallet, token, fee) = (scene.facts.wallet, scene.bridged(), scene.fee());
        let fees = 10u128.pow(u32::from(scene.facts.tokens[0].decimals)) * 100;
        let first = scene.take(&bank_send(wallet, STRANGER, &token, 12_345));
        scene.take(&bank_send(wallet, STRANGER, &fee, fees));
        // The next one builds on what waits for the block with it.
        let back = scene.take(&bank_send(STRANGER, wallet, &token, 345));
        assert_eq!(scene.balance(STRANGER, &token), 0, "nothing has happened yet");
        scene.advance(1);
        let tx = scene.tx(&first);
        assert_eq!((types(&tx), tx.code, tx.signer), (vec!["MsgSend"], 0, Some(wallet)));
        assert!(tx.body.contains("ethsecp256k1"));
        assert!(scene.tx(&back).body.contains(r#""public_key":null"#), "nobody here has a stranger's key");
        assert_eq!(scene.tx(&back).signer, Some(STRANGER));
        if vm == Vm::Move {
            let opened =
                |submitted| said(&scene.tx(submitted), "move", "type_tag").join(" ").matches("StoreCreated").count();
            assert_eq!((opened(&first), opened(&back)), (1, 0), "a store is opened for the first coins");
        }
        let left = scene.balance(STRANGER, &token) + if token == fee { 0 } else { scene.balance(STRANGER, &fee) };
        assert!(left > 12_000 && left < 12_000 + fees, "{left}");
        scene.advance(30);
        scene.check();
    }
}

#[test]
fn a_withdrawal_says_where_it_goes() {
    for vm in VMS {
        let mut scene = Scene::new(vm, 3, 5);
        let (wallet, token) = (scene.facts.wallet, scene.bridged());
        let held = scene.balance(wallet, &token);
        let first = scene.take(&withdraw(wallet, &token, 1_000));
        let second = scene.take(&withdraw(wallet, &token, 500));
        scene.advance(1);
        let tx = scene.tx(&first);
        assert_eq!((types(&tx), tx.code), (vec!["MsgInitiateTokenWithdrawal"], 0));
        let sequence = first.withdrawal.expect("a number").to_string();
        let (from, to) = (wallet.bech32(), STRANGER.bech32());
        let words = [
            ("from", from.as_str()),
            ("to", &to),
            ("amount", "1000"),
            ("base_denom", "uinit"),
            ("l2_sequence", &sequence),
        ];
        says(&tx, "initiate_token_withdrawal", &words);
        assert!(tx.body.contains(&to));
        assert_eq!(second.withdrawal, first.withdrawal.map(|number| number + 1));
        assert!(scene.balance(wallet, &token) <= held - 1_500);
        scene.advance(30);
        scene.check();
    }
}

#[test]
fn a_wrapped_form_is_converted_on_its_way_out() {
    let mut scene = Scene::new(Vm::Evm, 7, 5);
    let wallet = scene.facts.wallet;
    let local = |symbol: &str| scene.find(|token| token.symbol == symbol && token.wraps.is_some());
    let (init, ether) = (local("INIT"), local("ETH"));
    let (held, whole) = (scene.balance(wallet, &init), 1_000_000_000_000);
    let withdrawn = scene.take(&withdraw(wallet, &init, 25 * whole));
    let sent = scene.take(&send(wallet, &ether, 7 * whole, "channel-0", 60));
    scene.advance(1);
    let tx = scene.tx(&withdrawn);
    assert_eq!((types(&tx), tx.code), (vec!["MsgCall", "MsgCall", "MsgInitiateTokenWithdrawal"], 0));
    says(&tx, "initiate_token_withdrawal", &[("amount", "25"), ("denom", scene.bridged().as_str())]);
    let tx = scene.tx(&sent);
    assert_eq!((types(&tx), tx.code), (vec!["MsgCall", "MsgCall", "MsgTransfer"], 0));
    says(&tx, "ibc_transfer", &[("amount", "7"), ("denom", scene.voucher("channel-0").as_str())]);
    assert_eq!(scene.balance(wallet, &init), held - 25 * whole);
    let later = scene.take(&bank_send(wallet, STRANGER, &init, 1));
    scene.advance(30);
    assert_eq!(scene.tx(&later).code, 0, "the calls counted as signatures");
    scene.check();
}

#[test]
fn a_deposit_is_credited_with_or_without_its_hook() {
    for vm in VMS {
        let mut scene = Scene::new(vm, 7, 20);
        let (wallet, token) = (scene.facts.wallet, scene.bridged());
        let from = Address::Long([7; 32]).bech32();
        let plain = scene.take(&deposit(STRANGER, &token, 4_000, ExternalHook::None));
        let run = scene.take(&deposit(wallet, &token, 5_000, ExternalHook::Run));
        let stale = scene.take(&deposit(STRANGER, &token, 6_000, ExternalHook::Stale));
        scene.advance(1);
        for (submitted, success) in [(&plain, "true"), (&run, "true"), (&stale, "false")] {
            let tx = scene.tx(submitted);
            assert_eq!((types(&tx), tx.code), (vec!["MsgFinalizeTokenDeposit"], 0));
            let sequence = submitted.deposit.expect("a number").to_string();
            let words = [("l1_sequence", sequence.as_str()), ("sender", &from), ("success", success)];
            says(&tx, "finalize_token_deposit", &words);
        }
        assert!(said(&scene.tx(&stale), "finalize_token_deposit", "reason")[0].contains("sequence mismatch"));
        assert_eq!(scene.balance(STRANGER, &token), 10_000);
        if vm == Vm::Evm {
            assert_eq!(scene.balance(wallet, &token), 0, "all was converted");
        }
        scene.advance(30);
        scene.check();
    }
}

#[test]
fn a_packet_leaves_with_its_own_words_and_waits_for_its_answer() {
    for vm in VMS {
        let mut scene = Scene::new(vm, 7, 20);
        let (wallet, token, voucher) = (scene.facts.wallet, scene.bridged(), scene.voucher("channel-2"));
        let held = scene.balance(wallet, &voucher);
        let kept = scene.take(&send(wallet, &token, 2_000_000, "channel-0", 600));
        let refused = scene.take(&send(wallet, &voucher, 3_000_000, "channel-2", 600));
        let late = scene.take(&send(wallet, &voucher, 4_000_000, "channel-2", 10));
        scene.advance(1);
        let tx = scene.tx(&refused);
        assert_eq!((types(&tx), tx.code), (vec!["MsgTransfer"], 0));
        let (packet, expires) = (refused.packet.clone().expect("a packet"), refused.expires.expect("an end"));
        let (sequence, nanos) = (packet.sequence.to_string(), expires.as_nanos().to_string());
        assert_eq!(expires.since(refused.time), std::time::Duration::from_secs(600));
        let memo = r#"{"forward":{"receiver":"\"x\"","port":"transfer"}}"#;
        let words = [
            ("packet_sequence", sequence.as_str()),
            ("packet_src_channel", "channel-2"),
            ("packet_timeout_timestamp", &nanos),
        ];
        says(&tx, "send_packet", &words);
        says(&tx, "ibc_transfer", &[("receiver", "osmo1anybody"), ("memo", memo)]);
        let data: serde_json::Value = serde_json::from_str(said(&tx, "send_packet", "packet_data")[0]).expect("JSON");
        assert_eq!((&data["memo"], &data["receiver"]), (&memo.into(), &"osmo1anybody".into()));
        assert!(tx.body.contains("osmo1anybody") && tx.body.contains(&nanos));
        // Long after the simulation's own packets were answered these still wait.
        scene.advance(15);
        let early = scene.submit(&answer(&late, PacketOutcome::Expired));
        assert!(matches!(early, Err(ExternalError::NotExpired(until)) if Some(until) == late.expires), "{early:?}");
        scene.advance(20);
        let [done, back, over] =
            [(&kept, PacketOutcome::Accepted), (&refused, PacketOutcome::Refused), (&late, PacketOutcome::Expired)]
                .map(|(sent, what)| scene.take(&answer(sent, what)));
        assert!(scene.submit(&answer(&late, PacketOutcome::Expired)).is_err(), "there is one answer only");
        scene.advance(1);
        let kinds = [(&done, "MsgAcknowledgement"), (&back, "MsgAcknowledgement"), (&over, "MsgTimeout")];
        for (submitted, kind) in kinds {
            let tx = scene.tx(submitted);
            assert_eq!((types(&tx), tx.code), (vec!["MsgUpdateClient", kind], 0));
            let sequence = submitted.packet.as_ref().expect("a packet").sequence.to_string();
            let event = if kind == "MsgTimeout" { "timeout_packet" } else { "acknowledge_packet" };
            says(&tx, event, &[("packet_sequence", &sequence)]);
        }
        assert_eq!(said(&scene.tx(&done), "fungible_token_packet", "success"), ["\u{1}"]);
        assert_eq!(said(&scene.tx(&back), "fungible_token_packet", "error").len(), 1);
        says(&scene.tx(&over), "timeout", &[("refund_amount", "4000000")]);
        assert_eq!(scene.balance(wallet, &voucher), held, "both came back");
        assert!(scene.submit(&answer(&kept, PacketOutcome::Accepted)).is_err());
        scene.advance(20);
        scene.check();
    }
}

#[test]
fn a_packet_arrives_or_is_refused() {
    for vm in VMS {
        let mut scene = Scene::new(vm, 7, 20);
        let (token, voucher) = (scene.bridged(), scene.voucher("channel-3"));
        let first = scene.take(&receive(STRANGER, &voucher, 77, "channel-3", true));
        let refused = scene.take(&receive(STRANGER, &voucher, 78, "channel-3", false));
        let returned = scene.take(&receive(STRANGER, &token, 79, "channel-0", true));
        scene.advance(1);
        let tx = scene.tx(&first);
        assert_eq!((types(&tx), tx.code), (vec!["MsgUpdateClient", "MsgRecvPacket"], 0));
        let to = STRANGER.bech32();
        let words = [("sender", "cosmos1somebody"), ("receiver", &to), ("memo", "for you"), ("success", "true")];
        says(&tx, "fungible_token_packet", &words);
        let sequence = first.packet.expect("a packet").sequence.to_string();
        says(&tx, "recv_packet", &[("packet_sequence", &sequence), ("packet_dst_channel", "channel-3")]);
        let tx = scene.tx(&refused);
        assert_eq!(tx.code, 0);
        says(
            &tx,
            "ibccallbackerror-fungible_token_packet",
            &[("ibccallbackerror-success", "false"), ("ibccallbackerror-receiver", &to)],
        );
        assert!(said(&tx, "write_acknowledgement", "packet_ack")[0].contains(r#""underlying_app_success":false"#));
        assert_eq!(scene.tx(&returned).code, 0);
        assert_eq!((scene.balance(STRANGER, &voucher), scene.balance(STRANGER, &token)), (77, 79));
        scene.advance(30);
        scene.check();
    }
}
