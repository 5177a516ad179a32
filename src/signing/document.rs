//! The sign document of a Cosmos transaction, and the transaction that comes of it and a signature.

use super::{
    SigningFee,
    canonical::{list, object, quoted},
    message::{MessageError, SignableMessage, account_of},
    signature::{SignatureError, recover, verify},
};
use crate::{
    domain::{Address, ChainId, PublicKey, TxHash},
    wire::{
        proto::{TxRaw, tx_hash},
        protobuf::ProtoWriter,
        router::{OpHook, SignedOpHook},
    },
};

/// The type of the messages that count in a sequence.
const CALL: &str = "minievm.evm.v1.MsgCall";
/// A point of the curve that is nobody's key, for simulations: the curve's generator.
const NOBODY: [u8; 33] = alloy_primitives::hex!("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798");

/// What is signed for a Cosmos transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignDocument {
    chain_id: ChainId,
    account_number: u64,
    sequence: u64,
    fee: SigningFee,
    memo: String,
    messages: Vec<SignableMessage>,
    has_delegations: bool,
}

/// How a signature was made of a document, which a transaction says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SigningMode {
    /// `personal_sign` of an Ethereum wallet; Initia's chains only.
    Personal,
    /// The document's own bytes, as Keplr and its kin sign them.
    Amino,
}

/// A transaction that was signed, as a node takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedTx {
    raw: Vec<u8>,
    hash: TxHash,
}

impl SignDocument {
    /// A document of these messages; the account number and sequence are those of the signer on that chain.
    pub fn new(
        chain_id: ChainId,
        account_number: u64,
        sequence: u64,
        fee: SigningFee,
        memo: &str,
        messages: &[SignableMessage],
    ) -> Self {
        let (memo, messages) = (memo.to_owned(), messages.to_vec());
        Self { chain_id, account_number, sequence, fee, memo, messages, has_delegations: false }
    }

    /// The document of a hook: no fee, gas 1, no memo. For the sequence see [`hook_sequence`].
    pub fn of_hook(hook: &OpHook, account_number: u64, sequence: u64) -> Result<Self, MessageError> {
        let messages: Vec<SignableMessage> =
            hook.hook.iter().map(SignableMessage::of_hook).collect::<Result<_, _>>()?;
        Ok(Self::new(hook.chain_id.clone(), account_number, sequence, SigningFee::of_hook(), "", &messages))
    }

    /// The same for a newer EVM chain, whose calls have a list of delegations (`auth_list`): its documents say that it
    /// is empty. A node whose document is another answers code 4.
    #[must_use]
    pub fn with_delegations(self) -> Self {
        Self { has_delegations: true, ..self }
    }

    /// The same with another fee.
    #[must_use]
    pub fn with_fee(self, fee: SigningFee) -> Self {
        Self { fee, ..self }
    }

    /// Where it is sent.
    pub fn chain_id(&self) -> &ChainId {
        &self.chain_id
    }

    /// What it offers.
    pub fn fee(&self) -> &SigningFee {
        &self.fee
    }

    /// The count of the signer's transactions that it is signed for.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The signer's number on that chain.
    pub fn account_number(&self) -> u64 {
        self.account_number
    }

    /// What it does.
    pub fn messages(&self) -> &[SignableMessage] {
        &self.messages
    }

    /// The canonical text: what `personal_sign` and `signAmino` are given.
    pub fn text(&self) -> String {
        let messages = self.messages.iter().map(|message| message.amino_as(self.has_delegations));
        object([
            ("account_number", quoted(&self.account_number.to_string())),
            ("chain_id", quoted(self.chain_id.as_str())),
            ("fee", self.fee.amino()),
            ("memo", quoted(&self.memo)),
            ("msgs", list(messages)),
            ("sequence", quoted(&self.sequence.to_string())),
        ])
    }

    /// The transaction of what an Ethereum wallet gave back for `personal_sign` of the text: 65 bytes. The signature
    /// must be this account's.
    pub fn with_personal_signature(&self, account: Address, signature: &[u8]) -> Result<SignedTx, SignatureError> {
        let (key, signature) = recover(self.text().as_bytes(), signature)?;
        is_of(&key, account)?;
        Ok(self.signed(&key, SigningMode::Personal, &signature))
    }

    /// The transaction of what a wallet gave back for `signAmino` of the document: the key, and 64 bytes. The key must
    /// be this account's, and the signature of this document: a wallet that signed another fee or memo is refused.
    pub fn with_amino_signature(
        &self,
        account: Address,
        key: &PublicKey,
        signature: &[u8],
    ) -> Result<SignedTx, SignatureError> {
        is_of(key, account)?;
        let signature = verify(key, self.text().as_bytes(), signature)?;
        Ok(self.signed(key, SigningMode::Amino, &signature))
    }

    /// The bytes to simulate with: a signature of nothing, and where the key is not known one of nobody. The limit and
    /// the fee of the document do not matter.
    pub fn simulation(&self, mode: SigningMode, key: Option<&PublicKey>) -> Vec<u8> {
        let nobody = PublicKey::EthSecp256k1(NOBODY);
        self.signed(key.unwrap_or(&nobody), mode, &[0; 64]).raw
    }

    /// Who must sign it: the one account that all messages name, or `None` where they name several, none, or no
    /// account.
    pub fn signer(&self) -> Option<Address> {
        let mut signers = self.messages.iter().map(|message| account_of(message.signer()));
        let first = signers.next().flatten()?;
        signers.all(|signer| signer == Some(first)).then_some(first)
    }

    fn signed(&self, key: &PublicKey, mode: SigningMode, signature: &[u8]) -> SignedTx {
        let raw = TxRaw {
            body_bytes: self.body(),
            auth_info_bytes: self.auth_info(key, mode),
            signatures: vec![signature.to_vec()],
        };
        let raw = raw.write();
        SignedTx { hash: tx_hash(&raw), raw }
    }

    fn body(&self) -> Vec<u8> {
        let body = self.messages.iter().fold(ProtoWriter::new(), |body, message| body.bytes(1, message.any()));
        if self.memo.is_empty() { body.finish() } else { body.bytes(2, &self.memo).finish() }
    }

    fn auth_info(&self, key: &PublicKey, mode: SigningMode) -> Vec<u8> {
        let (kind, point): (_, &[u8]) = match key {
            PublicKey::Secp256k1(point) => (PublicKey::SECP256K1, point),
            PublicKey::EthSecp256k1(point) => (PublicKey::ETH_SECP256K1, point),
            // Neither signs transactions: they were refused with the signature.
            PublicKey::Ed25519(_) | PublicKey::Multisig { .. } => (PublicKey::ED25519, &[]),
        };
        let key = ProtoWriter::any(kind, &ProtoWriter::new().bytes(1, point).finish());
        let single = ProtoWriter::new().uint(1, mode.number()).finish();
        let mode = ProtoWriter::new().bytes(1, single).finish();
        let signer = ProtoWriter::new().bytes(1, key).bytes(2, mode).uint(3, self.sequence).finish();
        ProtoWriter::new().bytes(1, signer).bytes(2, self.fee.proto()).finish()
    }
}

impl SigningMode {
    /// Its number in `cosmos.tx.signing.v1beta1.SignMode`.
    fn number(self) -> u64 {
        match self {
            Self::Personal => 191,
            Self::Amino => 127,
        }
    }
}

impl SignedTx {
    /// The bytes: what is broadcast.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// How the chain will call it. Known before it is sent.
    pub fn hash(&self) -> TxHash {
        self.hash
    }

    /// A signed hook as routers take it: `{signer, hook}`.
    pub fn op_hook(&self, signer: Address) -> Result<SignedOpHook, serde_json::Error> {
        use base64::{Engine as _, prelude::BASE64_STANDARD};
        SignedOpHook::object(&signer.bech32(), &BASE64_STANDARD.encode(&self.raw))
    }
}

/// The sequence that an account will have after a transaction of these messages: EVM rollups count each call besides.
pub fn sequence_after(sequence: u64, messages: &[SignableMessage]) -> u64 {
    let calls = messages.iter().filter(|message| message.kind().as_str() == CALL).count();
    sequence.saturating_add(1).saturating_add(calls as u64)
}

/// The sequence that a hook is signed for: the account's own on the hook's chain, and two more where the transfer
/// starts on that very chain, since it takes them first.
pub fn hook_sequence(sequence: u64, starts_there: bool) -> u64 {
    if starts_there { sequence.saturating_add(2) } else { sequence }
}

fn is_of(key: &PublicKey, expected: Address) -> Result<(), SignatureError> {
    let signed = key.address().ok_or(SignatureError::KeyType)?;
    if signed == expected { Ok(()) } else { Err(SignatureError::OtherAccount { expected, signed }) }
}
