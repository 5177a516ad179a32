use super::{
    super::signing_page::{DocumentOffer, DocumentPurpose, OfferWords, SigningOffer, SigningPage, WalletAnswer},
    BroadcastTx, KeepTx, SentStage, ShowWords, SigningFailure, TRIES, WalletTx, noted,
};
use crate::{
    client::{ClientOptions, SendingClient},
    domain::{Address, BroadcastHash, PublicKey, text},
    signing::{GasPrice, SignDocument, SignableMessage, SignatureError, SignedTx, SigningFee, SigningMode},
    wire::ApiError,
};

/// Columns of a node's words that are kept.
const LOG: usize = 300;

/// A Cosmos transaction on its way to the wallet and the chain.
pub(super) struct CosmosSigning<'a> {
    pub(super) page: &'a SigningPage,
    pub(super) planned: &'a WalletTx,
    pub(super) messages: &'a [SignableMessage],
}

impl CosmosSigning<'_> {
    pub(super) async fn run(
        &self,
        options: ClientOptions,
        show: ShowWords<'_>,
        keep: KeepTx<'_>,
    ) -> Result<BroadcastTx, SigningFailure> {
        let chain_id = &self.planned.tx.chain_id;
        let access = &self.planned.access;
        if access.rest.is_empty() {
            return Err(SigningFailure::NoRest(chain_id.clone()));
        }
        let client = SendingClient::new(&access.rest, options)?;
        let document = self.document(&client).await?;
        let signer = document.signer().ok_or(SigningFailure::NoSigner)?;
        let words = show(&self.planned.words, Some(document.fee()));
        let transaction = self.signed(&document, signer, &words).await?;
        self.page.tell("Signed. rollscope sends it.");
        let hash = BroadcastHash::from(transaction.hash()).for_chain(chain_id);
        let at = |stage| BroadcastTx { chain_id: chain_id.clone(), hash: hash.clone(), stage };
        keep(&at(SentStage::Signed)).map_err(SigningFailure::NotKept)?;
        let sent = match client.broadcast(transaction.raw()).await {
            Ok(response) if response.code == 0 => at(SentStage::Sent),
            Ok(response) => {
                let (code, log) = (response.code, text::clip(&text::clean(&response.raw_log), LOG));
                at(SentStage::Refused { code, log })
            }
            Err(error) => self.look_for(&client, &transaction, error).await.map(|()| at(SentStage::Sent))?,
        };
        // It is sent by now: that this cannot be kept any more is told by whoever keeps.
        drop(keep(&sent));
        match sent.stage {
            SentStage::Refused { code, log } => Err(SigningFailure::NotTaken { code, log }),
            SentStage::Signed | SentStage::Sent => Ok(sent),
        }
    }

    /// The document with account, sequence and fee as the chain has them now.
    async fn document(&self, client: &SendingClient) -> Result<SignDocument, SigningFailure> {
        let WalletTx { tx, access, .. } = self.planned;
        let no_account = || SigningFailure::NoAccount { chain_id: tx.chain_id.clone(), signer: tx.signer.clone() };
        let account = client.account(&tx.signer).await.map_err(SigningFailure::Chain)?.ok_or_else(no_account)?;
        let nothing = SigningFee { amount: Vec::new(), gas: 0 };
        let document =
            SignDocument::new(tx.chain_id.clone(), account.number, account.sequence, nothing, "", self.messages);
        let mode = if access.takes_personal { SigningMode::Personal } else { SigningMode::Amino };
        let used = client.simulate(&document.simulation(mode, None)).await.map_err(SigningFailure::Chain)?;
        let no_price = || SigningFailure::NoPrice(tx.chain_id.clone());
        let price = if let Some(price) = &access.price {
            price.clone()
        } else {
            let listed = client.gas_price().await.map_err(SigningFailure::Chain)?.ok_or_else(no_price)?;
            GasPrice::new(listed.denom, &listed.price).map_err(|_| no_price())?
        };
        let fee = SigningFee::of_simulation(used, &price).ok_or_else(no_price)?;
        Ok(document.with_fee(fee))
    }

    /// Asks the wallet until its signature is one of this document by its signer.
    async fn signed(
        &self,
        document: &SignDocument,
        signer: Address,
        words: &OfferWords,
    ) -> Result<SignedTx, SigningFailure> {
        let WalletTx { tx, access, .. } = self.planned;
        let offer = DocumentOffer {
            purpose: DocumentPurpose::Transaction,
            chain_id: tx.chain_id.to_string(),
            suggestion: None,
            signer: tx.signer.clone(),
            ethereum_signer: access.takes_personal.then(|| signer.hex()),
            text: document.text(),
        };
        let (mut note, mut last) = (None, SignatureError::Form);
        for _ in 0..TRIES {
            let answer = self.page.ask(SigningOffer::Document(offer.clone()), noted(words, note)).await?;
            let checked = match answer {
                WalletAnswer::PersonalSignature(signature) => document.with_personal_signature(signer, &signature),
                WalletAnswer::AminoSignature { signature, public_key } => {
                    with_amino_signature(document, signer, public_key, &signature)
                }
                WalletAnswer::Refused(reason) => return Err(SigningFailure::Refused(reason)),
                WalletAnswer::Failed(reason) => return Err(SigningFailure::Wallet(reason)),
                WalletAnswer::OtherAccount(_) | WalletAnswer::OtherChain(_) => {
                    note = Some(format!("The wallet shows another account: choose {} in it.", tx.signer));
                    continue;
                }
                WalletAnswer::Hash(_) | WalletAnswer::Garbage(_) => Err(SignatureError::Form),
            };
            match checked {
                Ok(transaction) => return Ok(transaction),
                Err(error) => {
                    note = Some(format!("Not taken: {error}."));
                    last = error;
                }
            }
        }
        Err(SigningFailure::Signature(last))
    }

    /// The line broke while it was sent: it may be there all the same, and is not sent again.
    async fn look_for(&self, client: &SendingClient, signed: &SignedTx, error: ApiError) -> Result<(), SigningFailure> {
        if client.has_tx(signed.hash()).await.is_ok_and(|is_there| is_there) {
            return Ok(());
        }
        let chain_id = self.planned.tx.chain_id.clone();
        let hash = BroadcastHash::from(signed.hash()).for_chain(&chain_id);
        Err(SigningFailure::Unknown { chain_id, hash, error })
    }
}

/// The type of a wallet's key is the one by which it has the signer's address.
fn with_amino_signature(
    document: &SignDocument,
    signer: Address,
    point: [u8; 33],
    signature: &[u8],
) -> Result<SignedTx, SignatureError> {
    let ethereum = PublicKey::EthSecp256k1(point);
    let is_ethereum = ethereum.address() == Some(signer);
    let key = if is_ethereum { ethereum } else { PublicKey::Secp256k1(point) };
    document.with_amino_signature(signer, &key, signature)
}
