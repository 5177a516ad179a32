use alloy_primitives::hex;

use super::{
    super::signing_page::{
        ApprovalCall, EthereumChain, EthereumOffer, NativeCurrency, SigningOffer, SigningPage, WalletAnswer,
    },
    BroadcastTx, KeepTx, SentStage, ShowWords, SigningFailure, TRIES, WalletTx, noted,
};
use crate::{
    domain::{BroadcastHash, EvmTxHash},
    signing::EthereumCall,
};

/// Has a call sent by the wallet itself, behind its allowances. The hash is only what the wallet says: the router looks
/// it up when it is tracked.
pub(super) async fn run(
    page: &SigningPage,
    planned: &WalletTx,
    call: &EthereumCall,
    show: ShowWords<'_>,
    keep: KeepTx<'_>,
) -> Result<BroadcastTx, SigningFailure> {
    let tx = &planned.tx;
    let words = show(&planned.words, None);
    let mut note = None;
    for _ in 0..TRIES {
        let answer = page.ask(SigningOffer::Ethereum(offer(call, tx.chain_id.as_str())), noted(&words, note)).await?;
        note = Some(match answer {
            WalletAnswer::Hash(hash) => {
                let hash = BroadcastHash::from(EvmTxHash::new(hash)).for_chain(&tx.chain_id);
                let sent = BroadcastTx { chain_id: tx.chain_id.clone(), hash, stage: SentStage::Sent };
                let unkept = |why| SigningFailure::Wallet(format!("{} was sent, but cannot be kept: {why}", sent.hash));
                keep(&sent).map_err(unkept)?;
                return Ok(sent);
            }
            WalletAnswer::Refused(reason) => return Err(SigningFailure::Refused(reason)),
            WalletAnswer::Failed(reason) => return Err(SigningFailure::Wallet(reason)),
            // It may have been sent: asking again could send it twice.
            WalletAnswer::Garbage(found) => {
                let reason =
                    format!("it answered “{found}”, which is no hash: look into the wallet whether it was sent");
                return Err(SigningFailure::Wallet(reason));
            }
            WalletAnswer::OtherAccount(_) => format!("The wallet shows another account: choose {} in it.", tx.signer),
            WalletAnswer::OtherChain(found) => {
                format!("The wallet stays on chain {found}: choose chain {} in it.", call.chain_id)
            }
            WalletAnswer::PersonalSignature(_) | WalletAnswer::AminoSignature { .. } => {
                "The wallet signed a document where a transaction was asked for.".to_owned()
            }
        });
    }
    Err(SigningFailure::Wallet("asked too often".to_owned()))
}

fn offer(call: &EthereumCall, name: &str) -> EthereumOffer {
    let approvals = call.approvals.iter().map(|approval| ApprovalCall {
        token: approval.token.hex(),
        amount: approval.amount.to_string(),
        allowance_data: hex::encode_prefixed(approval.allowance_data(call.from)),
        approve_data: hex::encode_prefixed(approval.approve_data()),
    });
    EthereumOffer {
        chain: EthereumChain {
            chain_id: format!("{:#x}", call.chain_id),
            chain_name: name.to_owned(),
            // Nobody names a JSON-RPC that is proven to be of this chain: the wallet must know the chain.
            rpc_urls: Vec::new(),
            native_currency: NativeCurrency { name: "Ether".to_owned(), symbol: "ETH".to_owned(), decimals: 18 },
        },
        from: call.from.hex(),
        to: call.to.hex(),
        value: format!("{:#x}", call.value.get()),
        data: hex::encode_prefixed(&call.data),
        approvals: approvals.collect(),
    }
}
