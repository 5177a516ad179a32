use super::{
    super::signing_page::{DocumentOffer, DocumentPurpose, SigningOffer, SigningPage, WalletAnswer},
    SigningFailure, SigningTerminal, TRIES,
    expiry::expiry_of,
    other_account, rejected,
};
use crate::{
    client::{ClientOptions, SendingClient, SigningAccount},
    domain::{Address, BroadcastHash, ChainId, FeeDenom, GasPrice, PublicKey, TxTerms, text},
    signing::{
        self, BroadcastTx, ChainSuggestion, FeeDoubt, OfferLine, OfferLineKind, OfferWords, SendingAccess, SentStage,
        SignDocument, SignableMessage, SignatureError, SignedTx, SigningFee, SigningMode, SigningQuestion, TxExpiry,
        WalletTx,
    },
    wire::ApiError,
};

/// Maximum width of a node's log, in terminal columns.
pub(super) const LOG: usize = 300;

/// Signing of one Cosmos transaction: the page, the prepared transaction and its chain.
pub(super) struct CosmosSigning<'a> {
    pub(super) page: &'a SigningPage,
    pub(super) planned: &'a WalletTx,
    pub(super) messages: &'a [SignableMessage],
}

impl CosmosSigning<'_> {
    pub(super) async fn run<T: SigningTerminal>(
        &self,
        options: ClientOptions,
        terminal: &mut T,
    ) -> Result<BroadcastTx, SigningFailure> {
        let WalletTx { tx, words, access, simulated } = self.planned;
        let chain_id = &tx.chain_id;
        let client = client_of(access, chain_id, options.clone())?;
        let (document, expiry) = tokio::join!(self.document(&client), expiry_of(chain_id, &access.trust, &options));
        let (document, doubt) = document?;
        let document = document.with_timeout_height(expiry.height());
        let mut words = words.clone();
        words.lines.push(OfferLine::new("Fee", OfferLineKind::Amount, &access.fee_words(document.fee())));
        words.lines.push(OfferLine::new("Expires", OfferLineKind::Plain, &expiry.words(chain_id)));
        words.lines.extend(addition(access));
        if let Some(doubt) = doubt {
            let why = access.doubt_words(chain_id, &doubt, document.fee());
            self.page.tell(&format!("{why}: confirm in the terminal first."));
            let question = SigningQuestion::Fee { why: why.clone(), fee: document.fee().amount.clone() };
            if !terminal.allow(&question).await {
                return Err(SigningFailure::Fee(why));
            }
        }
        let asked = DocumentSigning { page: self.page, document: &document, purpose: DocumentPurpose::Transaction };
        let transaction = asked.signed(&tx.signer, access, &words, terminal).await?;
        self.page.tell("Signed. rollscope is broadcasting.");
        let hash = BroadcastHash::from(transaction.hash()).for_chain(chain_id);
        let terms = self.terms(&document, expiry);
        let at = |stage| BroadcastTx {
            chain_id: chain_id.clone(),
            hash: hash.clone(),
            stage,
            terms: terms.clone(),
            simulated: simulated.clone(),
        };
        terminal.keep(&at(SentStage::Signed)).await.map_err(SigningFailure::NotKept)?;
        let sent = match client.broadcast(transaction.raw()).await {
            Ok(response) if response.code == 0 => at(SentStage::Sent),
            Ok(response) => {
                let (code, log) = (response.code, text::clip(&text::clean(response.raw_log.as_received()), LOG));
                at(SentStage::Refused { code, log: log.into() })
            }
            Err(error) => self.look_for(&client, &transaction, error).await.map(|()| at(SentStage::Sent))?,
        };
        // The transaction is already broadcast; the store reports its own failure.
        drop(terminal.keep(&sent).await);
        match sent.stage {
            SentStage::Refused { code, log } => {
                let chain_id = chain_id.clone();
                let no_proof = signing::no_proof(sent.terms.as_ref());
                Err(SigningFailure::NotTaken { chain_id, hash: sent.hash, code, log, no_proof })
            }
            SentStage::Signed | SentStage::Sent | SentStage::SentLate => Ok(sent),
        }
    }

    /// Builds the document with the chain's current account, sequence and fee, which may need a second confirmation.
    async fn document(&self, client: &SendingClient) -> Result<(SignDocument, Option<FeeDoubt>), SigningFailure> {
        let WalletTx { tx, access, .. } = self.planned;
        let account = account_of(client, &tx.chain_id, &tx.signer).await?;
        let nothing = SigningFee { amount: Vec::new(), gas: 0 };
        let document =
            SignDocument::new(tx.chain_id.clone(), account.number, account.sequence, nothing, "", self.messages);
        let mode = if access.takes_personal { SigningMode::Personal } else { SigningMode::Amino };
        let ran = client.simulate(&document.simulation(mode, None)).await.map_err(SigningFailure::Chain)?;
        let used = ran.gas_used;
        if used == 0 {
            return Err(SigningFailure::NoGas(tx.chain_id.clone()));
        }
        let (fee, known) = self.fee(client, used).await?;
        let doubt = FeeDoubt::of(&fee, tx, &known);
        Ok((document.with_fee(fee), doubt))
    }

    /// Returns the facts that later prove that no block included the document: the last height and the account's
    /// sequence, from a node that the router did not name.
    fn terms(&self, document: &SignDocument, expiry: TxExpiry) -> Option<TxTerms> {
        let WalletTx { tx, access, .. } = self.planned;
        let (sequence, timeout_height) = (document.sequence(), expiry.height());
        (access.is_rest_trusted() && timeout_height > 0).then(|| TxTerms {
            rest: access.rest.clone(),
            signer: bech32_of(&tx.signer),
            sequence,
            timeout_height,
        })
    }

    /// Returns the fee, and the known fee denoms: those of settings and registry, else those of a trusted node. The
    /// node in use may raise a known price, since a fee far above it needs a second confirmation.
    async fn fee(&self, client: &SendingClient, used: u64) -> Result<(SigningFee, Vec<FeeDenom>), SigningFailure> {
        let WalletTx { tx, access, .. } = self.planned;
        let told = client.gas_prices().await;
        let prices = told.as_deref().unwrap_or_default();
        let mut known = access.trust.fees.clone();
        if known.iter().all(|one| one.price.is_none()) && access.is_rest_trusted() && !prices.is_empty() {
            known = prices.iter().cloned().map(FeeDenom::from).collect();
        }
        let minimum = known.iter().find_map(|one| one.price.as_ref());
        let of = |price: &GasPrice| SigningFee::of_simulation(used, price);
        let fee = match minimum {
            Some(minimum) => {
                let own = prices.iter().find(|price| price.denom() == minimum.denom());
                [Some(minimum), own].into_iter().flatten().filter_map(of).max_by_key(SigningFee::sum)
            }
            None => access.listed_price.as_ref().or(prices.first()).and_then(of),
        };
        match (fee, told) {
            (Some(fee), _) => Ok((fee, known)),
            (None, Err(error)) => Err(SigningFailure::Chain(error)),
            (None, Ok(_)) => Err(SigningFailure::NoPrice(tx.chain_id.clone())),
        }
    }

    /// Searches for a transaction whose broadcast was interrupted: the broadcast may have succeeded, so rollscope never
    /// repeats it.
    async fn look_for(&self, client: &SendingClient, signed: &SignedTx, error: ApiError) -> Result<(), SigningFailure> {
        if client.has_tx(signed.hash()).await.is_ok_and(|is_there| is_there) {
            return Ok(());
        }
        let chain_id = self.planned.tx.chain_id.clone();
        let hash = BroadcastHash::from(signed.hash()).for_chain(&chain_id);
        Err(SigningFailure::Unknown { chain_id, hash, error })
    }
}

/// Returns a line for the user about the chain that the wallet would add; `None` without a suggestion.
pub(super) fn addition(access: &SendingAccess) -> Option<OfferLine> {
    access.suggestion.as_ref().map(|it| OfferLine::new("Adds", OfferLineKind::Warning, &it.words()))
}

/// Creates the client of a chain's REST; fails if its URL is unknown.
pub(super) fn client_of(
    access: &SendingAccess,
    chain_id: &ChainId,
    options: ClientOptions,
) -> Result<SendingClient, SigningFailure> {
    if access.rest.is_empty() {
        return Err(SigningFailure::NoRest(chain_id.clone()));
    }
    Ok(SendingClient::new(&access.rest, options)?)
}

/// Requests the signer's account on a chain.
pub(super) async fn account_of(
    client: &SendingClient,
    chain_id: &ChainId,
    signer: &str,
) -> Result<SigningAccount, SigningFailure> {
    let no_account = || SigningFailure::NoAccount { chain_id: chain_id.clone(), signer: signer.to_owned() };
    client.account(&bech32_of(signer)).await.map_err(SigningFailure::Chain)?.ok_or_else(no_account)
}

/// Converts an account to bech32: a `0x` signer of a Cosmos transaction belongs to an Initia chain.
pub(super) fn bech32_of(signer: &str) -> String {
    let account = signing::account_of(signer).filter(|_| signer.starts_with("0x"));
    account.map_or_else(|| signer.to_owned(), |account| account.bech32())
}

/// Signing of one document: the page, the document and its description.
pub(super) struct DocumentSigning<'a> {
    pub(super) page: &'a SigningPage,
    pub(super) document: &'a SignDocument,
    pub(super) purpose: DocumentPurpose,
}

impl DocumentSigning<'_> {
    /// Repeats the request until the wallet returns a valid signature of this document by its signer. Nothing is sent
    /// without one, so a rejection or an error of the wallet leaves the request open for another click.
    pub(super) async fn signed<T: SigningTerminal>(
        &self,
        account: &str,
        access: &SendingAccess,
        words: &OfferWords,
        terminal: &mut T,
    ) -> Result<SignedTx, SigningFailure> {
        let document = self.document;
        let signer = document.signer().ok_or(SigningFailure::NoSigner)?;
        let offer = DocumentOffer {
            purpose: self.purpose,
            chain_id: document.chain_id().to_string(),
            suggestion: access.suggestion.as_ref().and_then(ChainSuggestion::keplr),
            signer: bech32_of(account),
            ethereum_signer: access.takes_personal.then(|| signer.hex()),
            text: document.text(),
        };
        let (mut note, mut last) = (None, SigningFailure::Signature(SignatureError::Form));
        for _ in 0..TRIES {
            let words = words.noted(note);
            terminal.show(&words).await;
            let answer = self.page.ask(SigningOffer::Document(offer.clone()), words).await?;
            let checked = match answer {
                WalletAnswer::PersonalSignature(signature) => document.with_personal_signature(signer, &signature),
                WalletAnswer::AminoSignature { signature, public_key } => {
                    with_amino_signature(document, signer, public_key, &signature)
                }
                WalletAnswer::Refused(reason) => {
                    note = Some(rejected(reason.as_received()));
                    last = SigningFailure::Refused(reason.as_received().to_owned());
                    continue;
                }
                WalletAnswer::Failed(reason) => {
                    note = Some(format!(
                        "The wallet did not sign ({}). Sign again, or close this page.",
                        reason.quoted(160)
                    ));
                    last = SigningFailure::Wallet(reason.as_received().to_owned());
                    continue;
                }
                WalletAnswer::OtherAccount(shown) => {
                    note = Some(other_account(account, &shown));
                    continue;
                }
                WalletAnswer::OtherChain(_)
                | WalletAnswer::Hash(_)
                | WalletAnswer::Accounts(_)
                | WalletAnswer::Garbage(_)
                | WalletAnswer::Reloaded => Err(SignatureError::Form),
            };
            match checked {
                Ok(transaction) => return Ok(transaction),
                Err(error) => {
                    note = Some(format!("Not accepted: {error}."));
                    last = SigningFailure::Signature(error);
                }
            }
        }
        Err(last)
    }
}

/// Adds the signature, with the key type whose address is the signer's.
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
