//! Sign document of a Cosmos transaction, and the signed transaction.

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

/// Message type that increases the signer's sequence number once more.
const CALL: &str = "minievm.evm.v1.MsgCall";
/// Public key for simulations that belongs to no account: the curve's generator.
const NOBODY: [u8; 33] = alloy_primitives::hex!("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798");

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignDocument {
    chain_id: ChainId,
    account_number: u64,
    sequence: u64,
    fee: SigningFee,
    memo: String,
    messages: Vec<SignableMessage>,
    has_delegations: bool,
    /// Last height at which a block can include the transaction; 0 without one.
    timeout_height: u64,
}

/// Method of signing a document; the transaction declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SigningMode {
    /// `personal_sign` of an Ethereum wallet; only Initia's chains accept it.
    Personal,
    /// Amino signature over the bytes of the document, as Keplr and similar wallets make.
    Amino,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedTx {
    raw: Vec<u8>,
    hash: TxHash,
}

impl SignDocument {
    /// Creates a document; `account_number` and `sequence` are the signer's on that chain.
    pub fn new(
        chain_id: ChainId,
        account_number: u64,
        sequence: u64,
        fee: SigningFee,
        memo: &str,
        messages: &[SignableMessage],
    ) -> Self {
        let (memo, messages) = (memo.to_owned(), messages.to_vec());
        Self { chain_id, account_number, sequence, fee, memo, messages, has_delegations: false, timeout_height: 0 }
    }

    /// Creates the document of a hook: no fee, gas 1, no memo. [`hook_sequence`] computes the sequence number.
    pub fn of_hook(hook: &OpHook, account_number: u64, sequence: u64) -> Result<Self, MessageError> {
        let messages: Vec<SignableMessage> =
            hook.hook.iter().map(SignableMessage::of_hook).collect::<Result<_, _>>()?;
        Ok(Self::new(hook.chain_id.clone(), account_number, sequence, SigningFee::of_hook(), "", &messages))
    }

    /// Adds the empty delegation list (`auth_list`) that newer EVM chains require in calls. A node that expects the
    /// other format answers with code 4.
    #[must_use]
    pub fn with_delegations(self) -> Self {
        Self { has_delegations: true, ..self }
    }

    /// Sets the last height at which a block can include the transaction; 0 removes it.
    #[must_use]
    pub fn with_timeout_height(self, timeout_height: u64) -> Self {
        Self { timeout_height, ..self }
    }

    #[must_use]
    pub fn with_fee(self, fee: SigningFee) -> Self {
        Self { fee, ..self }
    }

    pub fn chain_id(&self) -> &ChainId {
        &self.chain_id
    }

    pub fn fee(&self) -> &SigningFee {
        &self.fee
    }

    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    pub fn account_number(&self) -> u64 {
        self.account_number
    }

    pub fn messages(&self) -> &[SignableMessage] {
        &self.messages
    }

    /// Returns the canonical text for `personal_sign` and `signAmino`.
    pub fn text(&self) -> String {
        let messages = self.messages.iter().map(|message| message.amino_as(self.has_delegations));
        let timeout = Some(self.timeout_height).filter(|height| *height > 0);
        let timeout = timeout.map(|height| ("timeout_height", quoted(&height.to_string())));
        let fields = [
            ("account_number", quoted(&self.account_number.to_string())),
            ("chain_id", quoted(self.chain_id.as_str())),
            ("fee", self.fee.amino()),
            ("memo", quoted(&self.memo)),
            ("msgs", list(messages)),
            ("sequence", quoted(&self.sequence.to_string())),
        ];
        object(fields.into_iter().chain(timeout))
    }

    /// Builds the transaction from an Ethereum wallet's 65-byte `personal_sign` signature. Fails if the signature
    /// covers another document or belongs to another account.
    pub fn with_personal_signature(&self, account: Address, signature: &[u8]) -> Result<SignedTx, SignatureError> {
        let (key, signature) = recover(self.text().as_bytes(), signature)?;
        is_of(&key, account).map_err(|_| SignatureError::NotBy { expected: account })?;
        Ok(self.signed(&key, SigningMode::Personal, &signature))
    }

    /// Builds the transaction from a wallet's `signAmino` response: the key and a signature of 64 bytes. Fails unless
    /// the key is this account's and the signature covers this document, so the wallet cannot change fee or memo.
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

    /// Returns the bytes for a simulation, with an empty signature, and a placeholder if the key is unknown. Gas limit
    /// and fee of the document have no effect on a simulation.
    pub fn simulation(&self, mode: SigningMode, key: Option<&PublicKey>) -> Vec<u8> {
        let nobody = PublicKey::EthSecp256k1(NOBODY);
        self.signed(key.unwrap_or(&nobody), mode, &[0; 64]).raw
    }

    /// Returns the only signer of all messages; `None` for several signers, no signer or an invalid account.
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
        let body = if self.memo.is_empty() { body } else { body.bytes(2, &self.memo) };
        if self.timeout_height > 0 { body.uint(3, self.timeout_height).finish() } else { body.finish() }
    }

    fn auth_info(&self, key: &PublicKey, mode: SigningMode) -> Vec<u8> {
        let (kind, point): (_, &[u8]) = match key {
            PublicKey::Secp256k1(point) => (PublicKey::SECP256K1, point),
            PublicKey::EthSecp256k1(point) => (PublicKey::ETH_SECP256K1, point),
            // These keys cannot sign transactions; their signatures were refused earlier.
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
    /// Returns the number of the mode in `cosmos.tx.signing.v1beta1.SignMode`.
    fn number(self) -> u64 {
        match self {
            Self::Personal => 191,
            Self::Amino => 127,
        }
    }
}

impl SignedTx {
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Computes the transaction's hash, which is final before the broadcast.
    pub fn hash(&self) -> TxHash {
        self.hash
    }

    /// Formats a signed hook for routers: `{signer, hook}`.
    pub fn op_hook(&self, signer: Address) -> Result<SignedOpHook, serde_json::Error> {
        use base64::{Engine as _, prelude::BASE64_STANDARD};
        SignedOpHook::object(&signer.bech32(), &BASE64_STANDARD.encode(&self.raw))
    }
}

/// Returns an account's sequence number after a transaction with these messages: EVM rollups also count each call.
pub fn sequence_after(sequence: u64, messages: &[SignableMessage]) -> u64 {
    let calls = messages.iter().filter(|message| message.kind().as_str() == CALL).count();
    sequence.saturating_add(1).saturating_add(calls as u64)
}

/// Returns the sequence number for signing a hook: the account's own on the hook's chain; plus two if the transfer
/// starts on that chain, because the transfer uses two numbers first.
pub fn hook_sequence(sequence: u64, starts_there: bool) -> u64 {
    if starts_there { sequence.saturating_add(2) } else { sequence }
}

fn is_of(key: &PublicKey, expected: Address) -> Result<(), SignatureError> {
    let signed = key.address().ok_or(SignatureError::KeyType)?;
    if signed == expected { Ok(()) } else { Err(SignatureError::OtherAccount { expected, signed }) }
}
