//! A hand-made chain: every block is a plain function of its height.

use std::time::Duration;

use rollscope::{
    demo::{
        chain::BlockProducer,
        ledger::{BlockProposer, CommittedBlock, CommittedTx, LedgerOptions, ProposingValidator, TxEvent},
    },
    domain::{Address, Amount, BlockHash, Coin, Denom, Height, MsgType, Timestamp, TxHash, Vm},
    indexer::{
        index::{Index, IndexIdentity},
        source::Source,
    },
};

pub(super) const CHAIN_ID: &str = "test-1";
pub(super) const SEND: &str = "cosmos.bank.v1beta1.MsgSend";
pub(super) const CALL: &str = "minievm.evm.v1.MsgCall";
pub(super) const EXEC: &str = "cosmos.authz.v1beta1.MsgExec";

/// Half a second between blocks.
pub(super) const BLOCK_TIME: Duration = Duration::from_millis(500);

/// How many transactions the block at this height has, by its remainder.
const TXS: [u64; 5] = [0, 2, 1, 4, 0];

pub(super) fn options(seed: u64) -> LedgerOptions {
    LedgerOptions {
        vm: Vm::Evm,
        seed,
        genesis_time: "2026-01-01T00:00:00.123456789Z".parse().expect("a valid time"),
        block_time: BLOCK_TIME,
        accounts: 16,
    }
}

pub(super) fn identity() -> IndexIdentity {
    options(7).identity()
}

/// How many transactions the chain has up to this height.
pub(super) fn txs_until(height: u64) -> u64 {
    let remainder = usize::try_from(height % 5).expect("below five");
    // Heights start at 1, so a round ends with the remainder 0.
    height / 5 * TXS.iter().sum::<u64>() + TXS.iter().skip(1).take(remainder).sum::<u64>()
}

pub(super) fn height(value: u64) -> Height {
    Height::new(value).expect("heights start at 1")
}

pub(super) fn account(number: u8) -> Address {
    Address::Short([number; 20])
}

/// Who signs the transaction with this sequence.
pub(super) fn signer(sequence: u64) -> Address {
    account(1 + u8::try_from(sequence % 7).expect("small"))
}

/// Who gets something in the transaction with this sequence.
pub(super) fn recipient(sequence: u64) -> Address {
    account(5 + u8::try_from(sequence % 5).expect("small"))
}

/// A 32-byte object that every fourth transaction names.
pub(super) fn object() -> Address {
    Address::Long([0xee; 32])
}

pub(super) fn message_types(sequence: u64) -> Vec<&'static str> {
    let mut types = match sequence % 3 {
        0 => vec![SEND],
        1 => vec![CALL],
        _ => vec![SEND, CALL, SEND],
    };
    if sequence.is_multiple_of(10) {
        types.push(EXEC);
    }
    types
}

/// Every account of the transaction with this sequence, by construction.
pub(super) fn accounts(sequence: u64) -> Vec<Address> {
    let mut accounts = vec![signer(sequence), recipient(sequence), account(0xcc)];
    if sequence.is_multiple_of(4) {
        accounts.push(object());
    }
    accounts
}

pub(super) fn hash(sequence: u64) -> TxHash {
    let mut bytes = [0xab; 32];
    // The first bytes are equal in many hashes, so that the rest must be compared too.
    bytes[8..16].copy_from_slice(&sequence.to_be_bytes());
    bytes[0] = u8::from(sequence.is_multiple_of(2));
    TxHash::new(bytes)
}

fn tx(sequence: u64) -> CommittedTx {
    let messages: Vec<String> =
        message_types(sequence).iter().map(|name| format!("{{\"@type\":\"/{name}\",\"note\":\"a<b>&c\"}}")).collect();
    let log = format!(
        "{{\"address\":\"{}\",\"topics\":[\"0xdd\",\"0x{:0>64}\"],\"data\":\"0x\"}}",
        account(0xcc).checksummed(),
        recipient(sequence).hex().trim_start_matches("0x"),
    );
    let mut events = vec![
        TxEvent::new("coin_spent", [("spender", signer(sequence).bech32()), ("amount", format!("{sequence}uinit"))]),
        TxEvent::new("call", [("ret", "0x77".to_owned())]),
        TxEvent::new("evm", [("log", log)]),
        TxEvent::new("empty", std::iter::empty::<(&str, String)>()),
    ];
    if sequence.is_multiple_of(4) {
        events.push(TxEvent::new("object", [("ids", format!("x,{}", object().hex()))]));
    }
    CommittedTx {
        hash: hash(sequence),
        code: u32::from(sequence.is_multiple_of(6)) * 5,
        codespace: if sequence.is_multiple_of(6) { "sdk" } else { "" }.into(),
        data: vec![0x12, 0xab],
        raw_log: if sequence.is_multiple_of(6) { "failed <tag> & \"q\"".to_owned() } else { String::new() },
        info: String::new(),
        gas_wanted: 200,
        gas_used: 100 + sequence,
        fee: vec![Coin { denom: Denom::new("uinit"), amount: Amount::from(50) }],
        raw: None,
        body: format!(
            "{{\"body\":{{\"messages\":[{}]}},\"auth_info\":{{}},\"signatures\":[\"c2ln\"]}}",
            messages.join(",")
        ),
        message_types: message_types(sequence).into_iter().map(MsgType::new).collect(),
        signer: Some(signer(sequence)),
        events,
    }
}

fn time_of(genesis: Timestamp, height: u64) -> Timestamp {
    genesis.after(BLOCK_TIME * u32::try_from(height).expect("a small height"))
}

pub(super) fn block(genesis: Timestamp, at: u64) -> CommittedBlock {
    let first_sequence = txs_until(at - 1) + 1;
    let mut hash = [0xcd; 32];
    hash[24..].copy_from_slice(&at.to_be_bytes());
    CommittedBlock {
        missing_txs: 0,
        height: height(at),
        hash: BlockHash::new(hash),
        previous_hash: None,
        time: time_of(genesis, at),
        proposer: BlockProposer {
            consensus_address: None,
            validator: Some(ProposingValidator {
                moniker: "seq <1>".to_owned(),
                operator_address: "initvaloper1abc".to_owned(),
                height: None,
            }),
        },
        first_sequence: Some(first_sequence),
        txs: (first_sequence..=txs_until(at)).map(tx).collect(),
        events: Vec::new(),
    }
}

pub(super) fn blocks(heights: std::ops::RangeInclusive<u64>) -> Vec<CommittedBlock> {
    heights.map(|height| block(options(7).genesis_time, height)).collect()
}

/// Puts the blocks of these heights into an index.
pub(super) fn ingest(index: &Index, heights: std::ops::RangeInclusive<u64>) {
    let genesis = options(7).genesis_time;
    let previous = (*heights.start() > 1).then(|| time_of(genesis, heights.start() - 1));
    index.ingest(blocks(heights), previous).expect("the blocks touch those that are held");
}

/// The chain of these blocks.
pub(super) struct HandMade {
    options: LedgerOptions,
    tip: u64,
    pruned_below: u64,
}

impl HandMade {
    pub(super) fn boxed(options: LedgerOptions) -> Box<dyn BlockProducer> {
        Box::new(Self { options, tip: 0, pruned_below: 0 })
    }
}

impl Source for HandMade {
    fn chain_id(&self) -> &str {
        CHAIN_ID
    }

    fn tip(&self) -> Option<Height> {
        Height::new(self.tip)
    }

    fn time(&self, height: Height) -> Timestamp {
        time_of(self.options.genesis_time, height.get())
    }

    fn block(&self, height: Height) -> Option<CommittedBlock> {
        let kept = (self.pruned_below.max(1)..=self.tip).contains(&height.get());
        kept.then(|| block(self.options.genesis_time, height.get()))
    }
}

impl BlockProducer for HandMade {
    fn due(&self, height: Height) -> Timestamp {
        time_of(self.options.genesis_time, height.get())
    }

    fn advance(&mut self) -> Height {
        self.tip += 1;
        height(self.tip)
    }

    fn prune_below(&mut self, height: Height) {
        self.pruned_below = height.get();
    }
}
