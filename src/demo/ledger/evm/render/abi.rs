//! Call data, return data and logs in Solidity's ABI encoding.

use std::sync::LazyLock;

use alloy_primitives::{hex, keccak256};

use crate::{
    demo::ledger::{common::world::Party, derive::number_word, json::Json},
    wire::protobuf::ProtoWriter,
};

pub(crate) enum AbiArg<'a> {
    Word([u8; 32]),
    Text(&'a str),
    Words(Vec<[u8; 32]>),
}

pub(crate) fn number(value: u128) -> AbiArg<'static> {
    AbiArg::Word(number_word(value))
}

pub(crate) fn encode(arguments: &[AbiArg<'_>]) -> Vec<u8> {
    let mut head = Vec::with_capacity(arguments.len() * 32);
    let mut tail = Vec::new();
    for argument in arguments {
        if let AbiArg::Word(word) = argument {
            head.extend_from_slice(word);
            continue;
        }
        head.extend_from_slice(&number_word((arguments.len() * 32 + tail.len()) as u128));
        match argument {
            AbiArg::Word(_) => {}
            AbiArg::Text(text) => {
                tail.extend_from_slice(&number_word(text.len() as u128));
                tail.extend_from_slice(text.as_bytes());
                tail.resize(tail.len().next_multiple_of(32), 0);
            }
            AbiArg::Words(words) => {
                tail.extend_from_slice(&number_word(words.len() as u128));
                for word in words {
                    tail.extend_from_slice(word);
                }
            }
        }
    }
    head.extend(tail);
    head
}

/// Encodes call data: the function's selector and the arguments.
pub(crate) fn data(signature: &str, arguments: &[AbiArg<'_>]) -> Vec<u8> {
    let [first, second, third, fourth, ..] = keccak256(signature).0;
    let mut bytes = vec![first, second, third, fourth];
    bytes.extend(encode(arguments));
    bytes
}

/// Returns the input of a call: selector and arguments as `0x…`.
pub(crate) fn input(signature: &str, arguments: &[AbiArg<'_>]) -> String {
    hex::encode_prefixed(data(signature, arguments))
}

/// Encodes `true`, which ERC-20 functions return.
pub(crate) fn yes() -> Vec<u8> {
    number_word(1).to_vec()
}

/// First topics of the events that the rollup's contracts emit.
pub(crate) struct Topics {
    /// Transfer of ERC-20 and ERC-721.
    pub(crate) transfer: [u8; 32],
    /// Approval of ERC-20 and ERC-721.
    pub(crate) approval: [u8; 32],
    pub(crate) approval_for_all: [u8; 32],
    pub(crate) swap: [u8; 32],
    pub(crate) sync: [u8; 32],
    pub(crate) converted: [u8; 32],
    pub(crate) ownership: [u8; 32],
    pub(crate) staked: [u8; 32],
    pub(crate) unstaked: [u8; 32],
    pub(crate) claimed: [u8; 32],
    /// Transfer of one kind in ERC-1155.
    pub(crate) transfer_single: [u8; 32],
    /// Transfer of several kinds in ERC-1155.
    pub(crate) transfer_batch: [u8; 32],
}

/// [`Topics`], computed once.
pub(crate) static TOPICS: LazyLock<Topics> = LazyLock::new(|| Topics {
    transfer: keccak256("Transfer(address,address,uint256)").0,
    approval: keccak256("Approval(address,address,uint256)").0,
    approval_for_all: keccak256("ApprovalForAll(address,address,bool)").0,
    swap: keccak256("Swap(address,uint256,uint256,uint256,uint256,address)").0,
    sync: keccak256("Sync(uint112,uint112)").0,
    converted: keccak256("Converted(string,string,uint8,uint8,uint256)").0,
    ownership: keccak256("OwnershipTransferred(address,address)").0,
    staked: keccak256("Staked(address,uint256)").0,
    unstaked: keccak256("Unstaked(address,uint256)").0,
    claimed: keccak256("Claimed(address,uint256)").0,
    transfer_single: keccak256("TransferSingle(address,address,address,uint256,uint256)").0,
    transfer_batch: keccak256("TransferBatch(address,address,address,uint256[],uint256[])").0,
});

pub(crate) struct AbiLog {
    address: Box<str>,
    topics: Vec<[u8; 32]>,
    data: Vec<u8>,
}

/// Zero address, which mints come from and burns go to.
pub(crate) const ZERO: [u8; 32] = [0; 32];

impl AbiLog {
    pub(crate) fn new(contract: &Party, topics: Vec<[u8; 32]>, arguments: &[AbiArg<'_>]) -> Self {
        Self { address: contract.hex.clone(), topics, data: encode(arguments) }
    }

    /// Creates the log of an ERC-20 transfer.
    pub(crate) fn transfer(token: &Party, from: [u8; 32], to: [u8; 32], amount: u128) -> Self {
        Self::new(token, vec![TOPICS.transfer, from, to], &[number(amount)])
    }

    /// Creates the log of an ERC-721 transfer.
    pub(crate) fn nft_transfer(collection: &Party, from: [u8; 32], to: [u8; 32], id: [u8; 32]) -> Self {
        Self::new(collection, vec![TOPICS.transfer, from, to, id], &[])
    }

    /// Creates the log of an ERC-20 approval.
    pub(crate) fn approval(token: &Party, owner: [u8; 32], spender: [u8; 32], amount: [u8; 32]) -> Self {
        Self::new(token, vec![TOPICS.approval, owner, spender], &[AbiArg::Word(amount)])
    }

    /// Formats the log as JSON, as in a `log` attribute.
    pub(crate) fn json(&self) -> String {
        let mut json = Json::new();
        json.object(|json| {
            json.field("address", &self.address);
            json.key("topics").list(|json| {
                self.topics.iter().for_each(|topic| {
                    json.string(&hex::encode_prefixed(topic));
                });
            });
            json.field("data", &hex::encode_prefixed(&self.data));
        });
        json.finish()
    }

    /// Encodes the log as protobuf, as in a response.
    pub(crate) fn proto(&self) -> Vec<u8> {
        let mut proto = ProtoWriter::new().bytes(1, self.address.as_bytes());
        for topic in &self.topics {
            proto = proto.bytes(2, hex::encode_prefixed(topic));
        }
        proto.bytes(3, hex::encode_prefixed(&self.data)).finish()
    }
}

#[cfg(test)]
mod tests {
    use alloy_primitives::hex;

    use super::{AbiArg, encode, input, number};

    #[test]
    fn selectors_and_strings_are_encoded_as_solidity_does() {
        let to = number(0x16);
        let text = input("toLocal(address,string,uint8)", &[to, AbiArg::Text("l2/8f"), number(6)]);
        let zeros = "0".repeat(62);
        let expected = format!("0x701dcf21{zeros}16{zeros}60{zeros}06{zeros}056c322f3866{}", "0".repeat(54));
        assert_eq!(text, expected);
    }

    #[test]
    fn lists_follow_their_length() {
        let bytes = encode(&[AbiArg::Words(vec![[1; 32], [2; 32]])]);
        assert_eq!(bytes.len(), 128);
        assert_eq!(hex::encode(&bytes[63..65]), "0201");
    }
}
