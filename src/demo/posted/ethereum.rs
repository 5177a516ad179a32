//! Ethereum transactions: parsing, and conversion to and from Cosmos transactions as in a MiniEVM node.

use alloy_primitives::{U256, hex, keccak256};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{PostedMessage, PostedTx, TxRefusal};
use crate::{
    demo::rlp::{Rlp, RlpError, RlpItem},
    domain::{Address, Denom, PublicKey},
    wire::proto,
};

/// Number of the sign mode; the SDK has no name for it.
pub(super) const SIGN_MODE: u64 = 9_999;

/// Highest EVM chain ID that all wallets support.
const HIGHEST_CHAIN_ID: u64 = 4_503_599_627_370_476;

/// Value from which `v` of a legacy transaction contains the chain ID.
const REPLAY_PROTECTED: u64 = 35;

/// Intrinsic gas of every transaction. The constants below add gas for call data and access list.
const INTRINSIC_GAS: u64 = 21_000;
const ZERO_BYTE_GAS: u64 = 4;
const BYTE_GAS: u64 = 16;
const LISTED_ADDRESS_GAS: u64 = 2_400;
const LISTED_KEY_GAS: u64 = 1_900;

/// Returns the EVM chain ID of a Cosmos chain: a prefix of the hash of its ID, within the wallets' range.
pub fn ethereum_chain_id(chain_id: &str) -> u64 {
    let start = keccak256(chain_id).0.first_chunk().map_or(0, |start| u64::from_be_bytes(*start));
    start % HIGHEST_CHAIN_ID
}

/// Why an Ethereum node rejects the bytes, in the node's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EthereumTxError {
    #[error("{0}")]
    Rlp(String),
    #[error("transaction type not supported")]
    Kind,
    /// The legacy transaction has no chain ID.
    #[error("only replay-protected (EIP-155) transactions allowed over RPC")]
    Unprotected,
    /// The signature is invalid or malleable.
    #[error("invalid transaction v, r, s values")]
    Signature,
    #[error("invalid chain id for signer: have {have} want {want}")]
    ChainId { have: u64, want: u64 },
    /// The priority fee exceeds the maximum fee.
    #[error(
        "max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas: {tip}, maxFeePerGas: {fee_cap}"
    )]
    Tip {
        /// Priority fee per unit of gas.
        tip: u128,
        /// Maximum fee per unit of gas.
        fee_cap: u128,
    },
    #[error("intrinsic gas too low: gas {have}, minimum needed {want}")]
    Gas {
        have: u64,
        /// Intrinsic gas.
        want: u64,
    },
}

impl From<RlpError> for EthereumTxError {
    fn from(error: RlpError) -> Self {
        Self::Rlp(error.to_string())
    }
}

/// Entry of an access list: address and storage keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessEntry {
    pub address: [u8; 20],
    pub storage_keys: Vec<[u8; 32]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EthereumPayload {
    /// Transaction type: 0 legacy, 1 with access list, 2 with priority fee.
    pub kind: u8,
    pub chain_id: u64,
    pub nonce: u64,
    /// Priority fee per unit of gas; of types 0 and 1, the gas price.
    pub tip: u128,
    /// Maximum fee per unit of gas.
    pub fee_cap: u128,
    pub gas: u64,
    /// Target address; `None` for a deployment.
    pub to: Option<[u8; 20]>,
    /// Value in the chain's native coin.
    pub value: U256,
    /// Call data, or init code of a deployment.
    pub input: Vec<u8>,
    pub access_list: Vec<AccessEntry>,
    /// Signature: `r`, `s` and the parity.
    pub signature: [u8; 65],
}

/// Fields that the node stores in the memo, since a Cosmos transaction has no place for them.
#[derive(Deserialize, Serialize)]
struct PayloadMemo {
    #[serde(rename = "type")]
    kind: u8,
    gas_fee_cap: u128,
    gas_tip_cap: u128,
    gas_limit: u64,
}

impl EthereumPayload {
    /// Parses a raw transaction, which must be signed for `chain_id`.
    pub fn read(raw: &[u8], chain_id: u64) -> Result<Self, EthereumTxError> {
        let payload = match raw.split_first() {
            Some((1, rest)) => Self::typed(1, rest)?,
            Some((2, rest)) => Self::typed(2, rest)?,
            Some((0xc0.., _)) => Self::older(raw)?,
            Some(_) => return Err(EthereumTxError::Kind),
            None => return Err(EthereumTxError::Rlp("typed transaction too short".to_owned())),
        };
        if payload.chain_id != chain_id {
            return Err(EthereumTxError::ChainId { have: payload.chain_id, want: chain_id });
        }
        let (tip, fee_cap) = (payload.tip, payload.fee_cap);
        if tip > fee_cap {
            return Err(EthereumTxError::Tip { tip, fee_cap });
        }
        let (have, want) = (payload.gas, payload.intrinsic_gas());
        if have < want {
            return Err(EthereumTxError::Gas { have, want });
        }
        payload.signer()?;
        Ok(payload)
    }

    /// Creates the payload of a gas estimate. It has no price and no valid signature.
    pub fn trial([from, to]: [[u8; 20]; 2], nonce: u64, value: U256, input: Vec<u8>) -> TrialPayload {
        let signature = [0; 65];
        let (kind, tip, fee_cap, gas, chain_id, access_list) = (2, 0, 0, u64::from(u32::MAX), 0, Vec::new());
        let to = Some(to);
        let payload = Self { kind, chain_id, nonce, tip, fee_cap, gas, to, value, input, access_list, signature };
        TrialPayload { payload, from: Address::Short(from) }
    }

    fn older(raw: &[u8]) -> Result<Self, EthereumTxError> {
        let item = RlpItem::read(raw)?;
        let [nonce, price, gas, to, value, input, v, r, s] = item.list()? else { return Err(wrong_count()) };
        let v = u64::from_be_bytes(v.integer()?);
        let Some(said) = v.checked_sub(REPLAY_PROTECTED) else {
            return Err(if v == 27 || v == 28 { EthereumTxError::Unprotected } else { EthereumTxError::Signature });
        };
        let price = u128::from_be_bytes(price.integer()?);
        Ok(Self {
            kind: 0,
            chain_id: said / 2,
            nonce: u64::from_be_bytes(nonce.integer()?),
            tip: price,
            fee_cap: price,
            gas: u64::from_be_bytes(gas.integer()?),
            to: receiver(to)?,
            value: U256::from_be_bytes(value.integer::<32>()?),
            input: input.bytes()?.to_vec(),
            access_list: Vec::new(),
            signature: signature(r, s, said % 2 == 1)?,
        })
    }

    fn typed(kind: u8, rest: &[u8]) -> Result<Self, EthereumTxError> {
        let item = RlpItem::read(rest)?;
        let [chain_id, nonce, fees @ .., gas, to, value, input, access_list, parity, r, s] = item.list()? else {
            return Err(wrong_count());
        };
        let (tip, fee_cap) = match (kind, fees) {
            (1, [price]) => (price, price),
            (2, [tip, fee_cap]) => (tip, fee_cap),
            _ => return Err(wrong_count()),
        };
        let [parity] = parity.integer::<1>()?;
        if parity > 1 {
            return Err(EthereumTxError::Signature);
        }
        Ok(Self {
            kind,
            chain_id: u64::from_be_bytes(chain_id.integer()?),
            nonce: u64::from_be_bytes(nonce.integer()?),
            tip: u128::from_be_bytes(tip.integer()?),
            fee_cap: u128::from_be_bytes(fee_cap.integer()?),
            gas: u64::from_be_bytes(gas.integer()?),
            to: receiver(to)?,
            value: U256::from_be_bytes(value.integer::<32>()?),
            input: input.bytes()?.to_vec(),
            access_list: access_list.list()?.iter().map(access_entry).collect::<Result<_, _>>()?,
            signature: signature(r, s, parity == 1)?,
        })
    }

    fn intrinsic_gas(&self) -> u64 {
        let bytes = self.input.iter().map(|byte| if *byte == 0 { ZERO_BYTE_GAS } else { BYTE_GAS }).sum::<u64>();
        let listed = |entry: &AccessEntry| LISTED_ADDRESS_GAS + entry.storage_keys.len() as u64 * LISTED_KEY_GAS;
        INTRINSIC_GAS + bytes + self.access_list.iter().map(listed).sum::<u64>()
    }

    /// Encodes the signed fields. The caller appends the chain ID or the signature.
    fn fields(&self) -> Rlp {
        let head = if self.kind == 0 { Rlp::new() } else { Rlp::new().number(u128::from(self.chain_id)) };
        let head = head.number(u128::from(self.nonce));
        let head = if self.kind == 2 { head.number(self.tip) } else { head };
        let list = head
            .number(self.fee_cap)
            .number(u128::from(self.gas))
            .bytes(self.to.as_ref().map_or(&[], <[u8; 20]>::as_slice))
            .integer(&self.value.to_be_bytes::<32>())
            .bytes(&self.input);
        if self.kind == 0 {
            return list;
        }
        let access_list = self.access_list.iter().fold(Rlp::new(), |list, entry| {
            let keys = entry.storage_keys.iter().fold(Rlp::new(), |keys, key| keys.bytes(key));
            list.list(&Rlp::new().bytes(&entry.address).list(&keys))
        });
        list.list(&access_list)
    }

    fn closed(&self, list: Rlp) -> Vec<u8> {
        let list = list.finish();
        if self.kind == 0 { list } else { [&[self.kind], list.as_slice()].concat() }
    }

    pub fn digest(&self) -> [u8; 32] {
        let fields = self.fields();
        let chain_id = u128::from(self.chain_id);
        let fields = if self.kind == 0 { fields.number(chain_id).number(0).number(0) } else { fields };
        keccak256(self.closed(fields)).0
    }

    pub fn write(&self) -> Vec<u8> {
        let part = |from, to| self.signature.get(from..to).unwrap_or_default();
        let parity = u128::from(self.parity());
        let v =
            if self.kind == 0 { u128::from(self.chain_id) * 2 + u128::from(REPLAY_PROTECTED) + parity } else { parity };
        self.closed(self.fields().number(v).integer(part(0, 32)).integer(part(32, 64)))
    }

    pub fn hash(&self) -> [u8; 32] {
        keccak256(self.write()).0
    }

    pub fn parity(&self) -> u8 {
        self.signature[64]
    }

    pub fn signer(&self) -> Result<PublicKey, EthereumTxError> {
        let wrong = || EthereumTxError::Signature;
        let sides = self.signature.get(..64).unwrap_or_default();
        let given = Signature::from_slice(sides).map_err(|_| wrong())?;
        if given.normalize_s() != given {
            return Err(wrong());
        }
        let recovery = RecoveryId::new(self.parity() == 1, false);
        let key = VerifyingKey::recover_from_prehash(&self.digest(), &given, recovery).map_err(|_| wrong())?;
        PublicKey::new(PublicKey::ETH_SECP256K1, key.to_sec1_point(true).as_bytes()).ok_or_else(wrong)
    }

    /// Returns the maximum fee of the transaction, in the smallest unit of an 18-decimal coin.
    pub fn most_fee(&self) -> U256 {
        U256::from(self.fee_cap) * U256::from(self.gas)
    }

    /// Converts the payload to the raw Cosmos transaction that a node builds, with fees in `fee_denom`. Fails for a
    /// deployment.
    pub fn to_cosmos(&self, fee_denom: &Denom) -> Result<Vec<u8>, TxRefusal> {
        let key = self.signer()?;
        let (Some(sender), PublicKey::EthSecp256k1(point)) = (key.address(), &key) else {
            return Err(EthereumTxError::Signature.into());
        };
        let key = json!({ "@type": PublicKey::ETH_SECP256K1, "key": BASE64_STANDARD.encode(point) });
        self.cosmos_of(sender, &key, fee_denom)
    }

    fn cosmos_of(&self, sender: Address, key: &Value, fee_denom: &Denom) -> Result<Vec<u8>, TxRefusal> {
        let Some(to) = self.to else {
            return Err(TxRefusal::sdk(37, "this simulated chain deploys no custom contracts"));
        };
        let access_list: Vec<Value> = self.access_list.iter().map(AccessEntry::json).collect();
        let memo =
            PayloadMemo { kind: self.kind, gas_fee_cap: self.fee_cap, gas_tip_cap: self.tip, gas_limit: self.gas };
        let memo = serde_json::to_string(&memo).map_err(|error| TxRefusal::sdk(2, error))?;
        let fee = json!([{ "denom": fee_denom, "amount": declared_fee(self.fee_cap, self.gas).to_string() }]);
        let tx = json!({
            "body": {
                "messages": [{
                    "@type": "/minievm.evm.v1.MsgCall",
                    "sender": sender.bech32(),
                    "contract_addr": Address::Short(to).checksummed(),
                    "input": hex::encode_prefixed(&self.input),
                    "value": self.value.to_string(),
                    "access_list": access_list,
                }],
                "memo": memo,
                "timeout_height": "0",
                "extension_options": [],
                "non_critical_extension_options": [],
            },
            "auth_info": {
                "signer_infos": [{
                    "public_key": key,
                    "mode_info": { "single": { "mode": SIGN_MODE } },
                    "sequence": self.nonce.to_string(),
                }],
                "fee": { "amount": fee, "gas_limit": self.gas.to_string(), "payer": "", "granter": "" },
                "tip": null,
            },
            "signatures": [BASE64_STANDARD.encode(self.signature)],
        });
        proto::encode_tx(&tx.to_string()).map_err(|error| TxRefusal::sdk(2, error))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialPayload {
    payload: EthereumPayload,
    from: Address,
}

impl TrialPayload {
    /// Converts the payload to a raw Cosmos transaction without a valid signature.
    pub fn to_cosmos(&self, fee_denom: &Denom) -> Result<Vec<u8>, TxRefusal> {
        self.payload.cosmos_of(self.from, &Value::Null, fee_denom)
    }
}

impl From<EthereumTxError> for TxRefusal {
    /// Converts the error to the SDK's error of that kind.
    fn from(error: EthereumTxError) -> Self {
        let code = match error {
            EthereumTxError::Rlp(_) | EthereumTxError::Kind => 2,
            EthereumTxError::Unprotected | EthereumTxError::Signature | EthereumTxError::ChainId { .. } => 4,
            EthereumTxError::Tip { .. } => 13,
            EthereumTxError::Gas { .. } => 11,
        };
        Self::worded(code, error.to_string())
    }
}

impl AccessEntry {
    fn json(&self) -> Value {
        let keys: Vec<String> = self.storage_keys.iter().map(hex::encode_prefixed).collect();
        json!({ "address": Address::Short(self.address).checksummed(), "storage_keys": keys })
    }

    fn of_json(json: &Value) -> Option<Self> {
        let key = |key: &Value| hex::decode_to_array(key.as_str()?).ok();
        Some(Self {
            address: hex::decode_to_array(json["address"].as_str()?).ok()?,
            storage_keys: json["storage_keys"].as_array()?.iter().map(key).collect::<Option<_>>()?,
        })
    }
}

impl PostedTx {
    /// Returns the Ethereum transaction from which a node built this transaction; `None` for other sign modes, or if
    /// the two contradict each other.
    pub fn ethereum(&self, chain_id: u64) -> Option<EthereumPayload> {
        let ([PostedMessage::Call(call)], [written], true) =
            (&self.messages[..], &self.written[..], self.is_ethereum())
        else {
            return None;
        };
        let memo: PayloadMemo = serde_json::from_str(&self.memo).ok()?;
        let is_said_once = memo.gas_limit == self.gas
            && self.timeout_height == 0
            && matches!(&self.fee[..], [fee] if fee.amount.get() == declared_fee(memo.gas_fee_cap, self.gas));
        let access_list = written["access_list"].as_array().map_or(&[][..], Vec::as_slice);
        is_said_once.then_some(())?;
        Some(EthereumPayload {
            kind: memo.kind,
            chain_id,
            nonce: self.sequence,
            tip: memo.gas_tip_cap,
            fee_cap: memo.gas_fee_cap,
            gas: self.gas,
            to: Some(call.contract.tail()),
            value: call.value.get(),
            input: call.input.clone(),
            access_list: access_list.iter().map(AccessEntry::of_json).collect::<Option<_>>()?,
            signature: self.parts.signatures.first()?.as_slice().try_into().ok()?,
        })
    }
}

/// Returns the fee that a node declares, rounded up to the coin's decimals.
fn declared_fee(fee_cap: u128, gas: u64) -> U256 {
    let fee = U256::from(fee_cap) * U256::from(gas);
    if fee.is_zero() { fee } else { fee + U256::from(1) }
}

fn wrong_count() -> EthereumTxError {
    EthereumTxError::Rlp("rlp: wrong number of elements for a transaction".to_owned())
}

fn receiver(item: &RlpItem<'_>) -> Result<Option<[u8; 20]>, RlpError> {
    if item.bytes()?.is_empty() { Ok(None) } else { item.array().map(Some) }
}

fn access_entry(item: &RlpItem<'_>) -> Result<AccessEntry, EthereumTxError> {
    let [address, keys] = item.list()? else { return Err(wrong_count()) };
    let storage_keys = keys.list()?.iter().map(RlpItem::array).collect::<Result<_, _>>()?;
    Ok(AccessEntry { address: address.array()?, storage_keys })
}

fn signature(r: &RlpItem<'_>, s: &RlpItem<'_>, parity: bool) -> Result<[u8; 65], RlpError> {
    let mut bytes = [0; 65];
    let parts = r.integer::<32>()?.into_iter().chain(s.integer::<32>()?).chain([u8::from(parity)]);
    bytes.iter_mut().zip(parts).for_each(|(to, from)| *to = from);
    Ok(bytes)
}
