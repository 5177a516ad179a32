//! A recorded chain as the index reads it: its records, numbered from the first block on.

use std::collections::{BTreeMap, BTreeSet};

use rollscope::{
    demo::chain::BlockProducer,
    domain::{Address, Height, Timestamp, Vm},
    indexer::{
        node::{
            CollectionFact, MonikerTable, StateQuery, collection_fact, collection_query, committed_block, receipts,
            token_fact, token_query, traces,
        },
        source::{CommittedBlock, EvmReceipts, EvmTraces, NftCollection, OwnedNft, Source},
    },
    wire::node::ValidatorsAnswer,
};

use crate::harness::recording::Recording;

pub(super) struct RecordedChain {
    blocks: Vec<CommittedBlock>,
    receipts: Vec<EvmReceipts>,
    traces: Vec<EvmTraces>,
    /// What state says of collections, by address in hex.
    collections: BTreeMap<String, NftCollection>,
    /// URIs by collection and id.
    uris: BTreeMap<(String, String), String>,
    vm: Vm,
    tip: u64,
}

impl RecordedChain {
    pub(super) fn new(recording: &Recording) -> Self {
        let validators = recording.state_of("/opinit/opchild/v1/validators").expect("validators were recorded");
        let validators: ValidatorsAnswer =
            serde_json::from_value(validators.answer.clone()).expect("validators have their form");
        let monikers = MonikerTable::new(validators);
        let mut chain = Self {
            blocks: Vec::new(),
            receipts: Vec::new(),
            traces: Vec::new(),
            collections: BTreeMap::new(),
            uris: BTreeMap::new(),
            vm: recording.vm,
            tip: 0,
        };
        let (mut sequence, mut receipt, mut frame) = (1, 1, 1);
        for recorded in &recording.blocks {
            let mut block = committed_block(recorded.answers(), &monikers).expect("a recorded block has a record");
            let mut found = receipts(block.height, &recorded.receipts()).expect("recorded receipts have records");
            let mut traced = traces(block.height, &found, &recorded.traces()).expect("recorded traces have records");
            block.first_sequence = Some(sequence);
            found.first_sequence = Some(receipt);
            traced.first_sequence = Some(frame);
            sequence += block.txs.len() as u64;
            receipt += found.receipts.len() as u64;
            frame += traced.traces.iter().map(|trace| trace.frames.len() as u64).sum::<u64>();
            chain.blocks.push(block);
            chain.receipts.push(found);
            chain.traces.push(traced);
        }
        if recording.vm == Vm::Evm {
            chain.ask(recording);
        }
        chain
    }

    /// Asks the recorded state about all that looks like an NFT in a log.
    fn ask(&mut self, recording: &Recording) {
        let logs = self.receipts.iter().flat_map(|block| &block.receipts).flat_map(|receipt| &receipt.logs);
        let four = logs.filter(|log| log.topics.len() == 4 && log.data.is_empty());
        let seen: BTreeSet<(Address, String)> = four
            .map(|log| {
                let id = alloy_primitives::U256::from_be_bytes(log.topics[3]);
                (Address::Short(log.address), id.to_string())
            })
            .collect();
        let answer = |query: StateQuery| {
            let body = query.body.expect("calls are sent");
            recording.state_of_post("rest", &query.path, &body).map(|record| record.answer.to_string())
        };
        for (collection, id) in seen {
            let query = collection_query(Vm::Evm, &collection).expect("contracts are asked");
            if let Some(CollectionFact::Named(name)) = answer(query).map(|body| collection_fact(Vm::Evm, 200, &body))
                && let Some((created, creator)) = self.first_touch(&collection)
            {
                let origin_name = String::new();
                let found = NftCollection { address: collection, creator, name, origin_name, created };
                self.collections.insert(collection.hex(), found);
            }
            let query = token_query(Vm::Evm, &collection, &id).expect("contracts are asked");
            if let Some(fact) = answer(query).and_then(|body| token_fact(Vm::Evm, &body)) {
                self.uris.insert((collection.hex(), id), fact.uri);
            }
        }
    }

    /// The first transaction whose events name an address, and its signer.
    fn first_touch(&self, address: &Address) -> Option<(Height, Address)> {
        let digits = address.hex().trim_start_matches("0x").to_owned();
        self.blocks.iter().find_map(|block| {
            let names = |tx: &&rollscope::indexer::source::CommittedTx| {
                tx.events
                    .iter()
                    .flat_map(|event| event.pairs())
                    .any(|(_, value)| value.to_lowercase().contains(&digits))
            };
            Some((block.height, block.txs.iter().find(names)?.signer?))
        })
    }

    fn at<'a, T>(&self, all: &'a [T], height: Height) -> Option<&'a T> {
        let height = Some(height.get()).filter(|height| *height <= self.tip)?;
        all.get(usize::try_from(height - 1).ok()?)
    }
}

impl Source for RecordedChain {
    fn chain_id(&self) -> &'static str {
        match self.vm {
            Vm::Wasm => "wasmreal-1",
            Vm::Evm | Vm::Move => "rollreal-2",
        }
    }

    fn tip(&self) -> Option<Height> {
        Height::new(self.tip)
    }

    fn time(&self, height: Height) -> Timestamp {
        self.at(&self.blocks, height).map_or(Timestamp::EPOCH, |block| block.time)
    }

    fn block(&self, height: Height) -> Option<CommittedBlock> {
        self.at(&self.blocks, height).cloned()
    }

    fn receipts(&self, block: &CommittedBlock) -> Option<EvmReceipts> {
        self.at(&self.receipts, block.height).filter(|_| self.vm == Vm::Evm).cloned()
    }

    fn is_traced(&self) -> bool {
        self.vm == Vm::Evm
    }

    fn traces(&self, height: Height) -> Option<EvmTraces> {
        self.at(&self.traces, height).cloned()
    }

    fn collection(&self, address: &Address) -> Option<NftCollection> {
        self.collections.get(&address.hex()).cloned()
    }

    fn nft(&self, collection: &Address, token_id: &str) -> Option<OwnedNft> {
        let uri = self.uris.get(&(collection.hex(), token_id.to_owned()))?.clone();
        let (token_id, moved) = (token_id.to_owned(), Height::new(self.tip)?);
        Some(OwnedNft { collection: *collection, token_id, object: None, owner: *collection, uri, moved })
    }
}

impl BlockProducer for RecordedChain {
    fn due(&self, height: Height) -> Timestamp {
        self.blocks
            .get(usize::try_from(height.get() - 1).unwrap_or(usize::MAX))
            .map_or(Timestamp::EPOCH, |one| one.time)
    }

    fn advance(&mut self) -> Height {
        self.tip += 1;
        Height::new(self.tip).expect("heights start at 1")
    }

    fn prune_below(&mut self, _: Height) {}
}
