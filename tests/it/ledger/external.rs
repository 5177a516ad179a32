//! Transactions from outside, on all virtual machines.

mod journey;
mod refusals;

use rollscope::{
    demo::ledger::{
        CommittedBlock, CommittedTx, External, ExternalError, ExternalHook, Ledger, LedgerOptions, RollupFacts,
        RollupToken, Submitted, TokenOrigin, facts,
    },
    domain::{Address, Amount, Denom, Height, Vm},
};

use super::{block, blocks, checker, follow, movevm, options, wasm};

const VMS: [Vm; 3] = [Vm::Evm, Vm::Move, Vm::Wasm];

/// Somebody whom no rollup knows.
const STRANGER: Address = Address::Short([0x5a; 20]);

/// A rollup, and what is fixed about it.
struct Scene {
    ledger: Ledger,
    facts: RollupFacts,
}

impl Scene {
    fn new(vm: Vm, seed: u64, blocks: u64) -> Self {
        let mut ledger = Ledger::genesis(LedgerOptions { vm, ..options(seed) }).expect("a flavour of each machine");
        for _ in 0..blocks {
            ledger.advance();
        }
        Self { ledger, facts: facts(vm, seed) }
    }

    fn submit(&mut self, external: &External) -> Result<Submitted, ExternalError> {
        self.ledger.submit(external)
    }

    fn take(&mut self, external: &External) -> Submitted {
        self.submit(external).unwrap_or_else(|error| panic!("{external:?}: {error}"))
    }

    /// Makes so many blocks.
    fn advance(&mut self, blocks: u32) {
        for _ in 0..blocks {
            self.ledger.advance();
        }
    }

    /// The transaction that was promised, where it was promised.
    fn tx(&self, submitted: &Submitted) -> CommittedTx {
        let made = self.ledger.block(submitted.height).expect("its block was made");
        assert_eq!(made.time, submitted.time);
        made.txs.into_iter().find(|tx| tx.hash == submitted.tx_hash).expect("the promised hash")
    }

    fn find(&self, what: impl Fn(&RollupToken) -> bool) -> Denom {
        self.facts.tokens.iter().find(|token| what(token)).expect("such a token").denom.clone()
    }

    /// The L1's own token here.
    fn bridged(&self) -> Denom {
        self.find(|token| token.origin == TokenOrigin::Bridged { l1_denom: "uinit" })
    }

    /// What came over a channel.
    fn voucher(&self, over: &str) -> Denom {
        self.find(|token| matches!(token.origin, TokenOrigin::Voucher { channel, .. } if channel == over))
    }

    fn balance(&self, account: Address, denom: &Denom) -> u128 {
        self.ledger.balance(&account, denom).get().try_into().expect("it fits")
    }

    fn fee(&self) -> Denom {
        self.facts.tokens[0].denom.clone()
    }

    /// As text, for comparing chains.
    fn text(&self) -> Vec<String> {
        blocks(&self.ledger).map(|block| format!("{block:?}")).collect()
    }

    /// Holds the balances that follow from all blocks against the state.
    fn check(&self) {
        let vm = self.facts.vm;
        let before = Ledger::genesis(self.ledger.options().clone()).expect("as it was made");
        let made: Vec<CommittedBlock> = blocks(&self.ledger).collect();
        for block in &made {
            block.txs.iter().filter(|_| vm == Vm::Evm).for_each(|tx| checker::read(block, tx));
        }
        match vm {
            Vm::Evm => {
                follow(&before, &made, &self.ledger);
            }
            Vm::Move => movevm::follow(&before, &made, &self.ledger),
            Vm::Wasm => wasm::follow(&before, &made, &self.ledger),
        }
    }
}

fn amount(number: u128) -> Amount {
    Amount::from(number)
}

fn bank_send(sender: Address, to: Address, denom: &Denom, number: u128) -> External {
    External::BankSend { sender, to, denom: denom.clone(), amount: amount(number) }
}

fn withdraw(sender: Address, denom: &Denom, number: u128) -> External {
    External::Withdraw { sender, to: STRANGER.bech32(), denom: denom.clone(), amount: amount(number) }
}

fn deposit(to: Address, denom: &Denom, number: u128, hook: ExternalHook) -> External {
    let from = Address::Long([7; 32]).bech32();
    External::Deposit { to, from, denom: denom.clone(), amount: amount(number), hook }
}

fn send(sender: Address, denom: &Denom, number: u128, channel: &str, seconds: u32) -> External {
    External::Send {
        sender,
        receiver: "osmo1anybody".to_owned(),
        denom: denom.clone(),
        amount: amount(number),
        channel: channel.to_owned(),
        memo: r#"{"forward":{"receiver":"\"x\"","port":"transfer"}}"#.to_owned(),
        seconds,
    }
}

fn receive(receiver: Address, denom: &Denom, number: u128, channel: &str, accepted: bool) -> External {
    External::Receive {
        receiver,
        sender: "cosmos1somebody".to_owned(),
        denom: denom.clone(),
        amount: amount(number),
        channel: channel.to_owned(),
        memo: "for you".to_owned(),
        accepted,
    }
}

/// The values of an attribute in the events of this kind.
fn said<'a>(tx: &'a CommittedTx, kind: &str, key: &str) -> Vec<&'a str> {
    tx.events.iter().filter(|event| event.kind == kind).flat_map(|event| event.values(key)).collect()
}

fn types(tx: &CommittedTx) -> Vec<&str> {
    tx.message_types.iter().map(|kind| kind.as_str().rsplit('.').next().unwrap_or_default()).collect()
}

#[test]
fn the_same_transactions_between_the_same_blocks_give_the_same_bytes() {
    for vm in VMS {
        let play = || {
            let mut scene = Scene::new(vm, 7, 10);
            let (wallet, token) = (scene.facts.wallet, scene.bridged());
            scene.take(&bank_send(wallet, STRANGER, &token, 5_000_000));
            scene.take(&send(wallet, &token, 1_000_000, "channel-0", 600));
            scene.advance(5);
            scene.take(&deposit(STRANGER, &token, 70, ExternalHook::None));
            scene.advance(15);
            scene
        };
        let (first, again, without) = (play(), play(), Scene::new(vm, 7, 30));
        let (first, without) = (first.text(), without.text());
        assert_eq!(first, again.text());
        assert_eq!(first[..10], without[..10], "what was before is the same");
        assert_ne!(first[10], without[10]);
    }
}

#[test]
fn what_is_refused_leaves_no_trace() {
    for vm in VMS {
        let mut scene = Scene::new(vm, 7, 20);
        let (wallet, token) = (scene.facts.wallet, scene.bridged());
        let too_much = scene.balance(wallet, &token) + 1;
        for refused in [
            bank_send(wallet, STRANGER, &token, too_much),
            bank_send(STRANGER, wallet, &token, 1),
            send(wallet, &token, 1, "channel-2", 60),
            deposit(STRANGER, &scene.voucher("channel-2"), 1, ExternalHook::None),
        ] {
            assert!(scene.submit(&refused).is_err(), "{refused:?}");
        }
        scene.advance(20);
        assert_eq!(scene.text(), Scene::new(vm, 7, 40).text());
    }
}

#[test]
fn they_are_kept_as_json_without_loss() {
    let scene = Scene::new(Vm::Evm, 7, 0);
    let (wallet, token) = (scene.facts.wallet, scene.bridged());
    let answer = rollscope::demo::ledger::PacketOutcome::Expired;
    for external in [
        bank_send(wallet, STRANGER, &token, u128::MAX),
        withdraw(wallet, &token, 1),
        deposit(STRANGER, &token, 9_007_199_254_740_993, ExternalHook::Stale),
        send(wallet, &token, 5, "channel-0", u32::MAX),
        receive(STRANGER, &token, 6, "channel-0", false),
        External::Answer { channel: "channel-0".to_owned(), sequence: u64::MAX, answer },
    ] {
        let text = serde_json::to_string(&external).expect("it can be written");
        assert_eq!(serde_json::from_str::<External>(&text).expect("it can be read"), external, "{text}");
    }
}

#[test]
fn nobody_overspends_whatever_comes_from_outside() {
    for (vm, seed) in VMS.into_iter().flat_map(|vm| (1..3).map(move |seed| (vm, seed))) {
        let mut scene = Scene::new(vm, seed, 10);
        let (wallet, token, escrow) = (scene.facts.wallet, scene.bridged(), scene.facts.channels[0].escrow);
        let mut successes = 0;
        for round in 0..90u128 {
            let (held, away) = (scene.balance(wallet, &token), scene.balance(escrow, &token));
            // All that is away comes back now and then: what the simulation promised must not be touched.
            let most = if round % 3 == 0 { away } else { away / 2 };
            let sent = scene.submit(&send(wallet, &token, held / 3 + 1, "channel-0", 1));
            successes += u32::from(scene.submit(&receive(wallet, &token, most.max(1), "channel-0", true)).is_ok());
            successes += u32::from(scene.submit(&withdraw(wallet, &token, held / 9 + 1)).is_ok());
            successes += u32::from(scene.submit(&deposit(wallet, &token, held / 2 + 5, ExternalHook::None)).is_ok());
            scene.advance(5);
            if let Ok(Submitted { packet: Some(packet), .. }) = sent {
                let answer = match round % 3 {
                    0 => rollscope::demo::ledger::PacketOutcome::Refused,
                    1 => rollscope::demo::ledger::PacketOutcome::Accepted,
                    _ => rollscope::demo::ledger::PacketOutcome::Expired,
                };
                scene.take(&External::Answer { channel: packet.channel, sequence: packet.sequence, answer });
                successes += 1;
            }
        }
        assert!(successes > 230, "only {successes} were taken on {vm} {seed}");
        for token in scene.ledger.tokens() {
            let held = scene.ledger.holders(&token.denom).into_iter().map(|(_, amount)| amount.get());
            let sum = held.fold(alloy_primitives::U256::ZERO, |sum, part| sum + part);
            assert_eq!(sum, token.supply.get(), "supply of {} in {vm} {seed}", token.denom);
        }
    }
}

#[test]
fn they_come_before_everything_else_in_their_block_and_in_order() {
    for vm in VMS {
        let mut scene = Scene::new(vm, 7, 40);
        let (wallet, token) = (scene.facts.wallet, scene.bridged());
        let promised: Vec<_> = (1..=30).map(|n| scene.take(&bank_send(wallet, STRANGER, &token, n))).collect();
        scene.advance(1);
        let made = block(&scene.ledger, 41);
        let hashes: Vec<_> = made.txs.iter().take(30).map(|tx| tx.hash).collect();
        assert_eq!(hashes, promised.iter().map(|promise| promise.tx_hash).collect::<Vec<_>>());
        assert!(promised.iter().all(|promise| Some(promise.height) == Height::new(41)));
        assert_eq!(scene.balance(STRANGER, &token), 465);
    }
}
