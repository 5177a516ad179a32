use alloy_primitives::hex;

use super::{
    super::signing_page::{
        ApprovalCall, EthereumChain, EthereumOffer, NativeCurrency, PageEnd, SigningOffer, SigningPage, WalletAnswer,
    },
    SigningFailure, SigningTerminal, TRIES,
    cosmos::addition,
    other_account, rejected,
};
use crate::{
    domain::{BroadcastHash, ChainId, EvmTxHash},
    signing::{BroadcastTx, ChainSuggestion, EthereumCall, SentStage, WalletTx},
};

/// Asks the wallet to send approvals and then the call. The returned hash is only the wallet's claim; the router
/// verifies it when it tracks the transaction.
pub(super) async fn run<T: SigningTerminal>(
    page: &SigningPage,
    planned: &WalletTx,
    call: &EthereumCall,
    terminal: &mut T,
) -> Result<BroadcastTx, SigningFailure> {
    let WalletTx { tx, words, access, .. } = planned;
    if access.is_simulated && !tx.chain_id.is_development() {
        return Err(SigningFailure::Simulated(tx.chain_id.clone()));
    }
    let mut words = words.clone();
    words.lines.extend(addition(access));
    let mut note = None;
    for _ in 0..TRIES {
        let words = words.noted(note);
        terminal.show(&words).await;
        let asked = page.ask(SigningOffer::Ethereum(offer(call, planned)), words).await;
        let answer = match asked {
            Err(end @ PageEnd::Expired) => return late(page, &tx.chain_id, terminal).await.ok_or(end.into()),
            answer => answer?,
        };
        note = Some(match answer {
            WalletAnswer::Hash(hash) => {
                let sent = sent_by_wallet(&tx.chain_id, hash, SentStage::Sent);
                let unkept = |why| {
                    SigningFailure::Unusable(format!(
                        "the wallet sent {}, but rollscope cannot save the hash: {why}",
                        sent.hash
                    ))
                };
                terminal.keep(&sent).await.map_err(unkept)?;
                return Ok(sent);
            }
            WalletAnswer::Refused(reason) => rejected(reason.as_received()),
            WalletAnswer::Failed(reason) => return Err(SigningFailure::Wallet(reason.as_received().to_owned())),
            // The wallet may have broadcast the transaction: a second request could send it twice.
            WalletAnswer::Garbage(found) => {
                return Err(SigningFailure::Unclear(format!("the wallet answered {}, not a hash", found.quoted(160))));
            }
            WalletAnswer::Reloaded => {
                return Err(SigningFailure::Unclear(
                    "you reloaded the page while the wallet had the request".to_owned(),
                ));
            }
            WalletAnswer::OtherAccount(shown) => other_account(&tx.signer, &shown),
            WalletAnswer::OtherChain(found) => {
                format!(
                    "Choose chain {} in the wallet: the wallet is still on chain {}.",
                    call.chain_id,
                    found.quoted(40)
                )
            }
            WalletAnswer::PersonalSignature(_) | WalletAnswer::AminoSignature { .. } | WalletAnswer::Accounts(_) => {
                "The wallet did not send the transaction.".to_owned()
            }
        });
    }
    Err(SigningFailure::Unusable("rollscope asked too often; start the transaction again".to_owned()))
}

/// Waits for a broadcast after the request expired, because the wallet's window may still be open; stores the hash.
pub(super) async fn late<T: SigningTerminal>(
    page: &SigningPage,
    chain_id: &ChainId,
    terminal: &mut T,
) -> Option<BroadcastTx> {
    page.tell("rollscope no longer waits for this request: reject it in the wallet.");
    let hash = page.late_hash().await?;
    let sent = sent_by_wallet(chain_id, hash, SentStage::SentLate);
    // The transaction is broadcast; the store reports its own failure.
    drop(terminal.keep(&sent).await);
    Some(sent)
}

fn sent_by_wallet(chain_id: &ChainId, hash: [u8; 32], stage: SentStage) -> BroadcastTx {
    let hash = BroadcastHash::from(EvmTxHash::new(hash)).for_chain(chain_id);
    BroadcastTx { chain_id: chain_id.clone(), hash, stage, terms: None, simulated: None }
}

fn offer(call: &EthereumCall, planned: &WalletTx) -> EthereumOffer {
    let suggestion = planned.access.suggestion.as_ref();
    let name = suggestion.map_or(planned.tx.chain_id.as_str(), |suggestion| suggestion.name.as_str());
    let symbol = suggestion.map_or("ETH", |suggestion| suggestion.currency.symbol.as_str());
    let approvals = call.approvals.iter().map(|approval| ApprovalCall {
        token: approval.token.hex(),
        amount: approval.amount.to_string(),
        allowance_data: hex::encode_prefixed(approval.allowance_data(call.from)),
        approve_data: hex::encode_prefixed(approval.approve_data()),
        reset_data: hex::encode_prefixed(approval.reset_data()),
    });
    EthereumOffer {
        chain: EthereumChain {
            chain_id: format!("{:#x}", call.chain_id),
            chain_name: name.to_owned(),
            // Without a URL, the wallet must already know the chain.
            rpc_urls: suggestion.and_then(ChainSuggestion::json_rpc).map(str::to_owned).into_iter().collect(),
            native_currency: NativeCurrency { name: symbol.to_owned(), symbol: symbol.to_owned(), decimals: 18 },
        },
        from: call.from.hex(),
        to: call.to.hex(),
        value: format!("{:#x}", call.value.get()),
        data: hex::encode_prefixed(&call.data),
        approvals: approvals.collect(),
    }
}
