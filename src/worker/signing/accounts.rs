use super::{
    super::signing_page::{AccountsChain, AccountsOffer, SigningOffer, SigningPage, WalletAnswer},
    SigningFailure, SigningTerminal, TRIES, rejected,
};
use crate::signing::{AccountsOrder, ChainSuggestion, WalletAccounts};

/// Requests the wallet's accounts; nothing is signed.
pub(super) async fn ask_accounts<T: SigningTerminal>(
    page: &SigningPage,
    order: &AccountsOrder,
    terminal: &mut T,
) -> Result<WalletAccounts, SigningFailure> {
    let chains = order.chains.iter().map(|(chain, suggestion)| AccountsChain {
        chain_id: chain.to_string(),
        suggestion: suggestion.as_ref().and_then(ChainSuggestion::keplr),
    });
    let offer = AccountsOffer { chains: chains.collect() };
    let (mut note, mut last) = (None, SigningFailure::NoAccounts);
    for _ in 0..TRIES {
        let words = order.words.noted(note);
        terminal.show(&words).await;
        match page.ask(SigningOffer::Accounts(offer.clone()), words).await? {
            WalletAnswer::Accounts(accounts) if accounts.ethereum.is_some() || !accounts.by_chain.is_empty() => {
                page.tell(&format!(
                    "{} is connected. Continue in the terminal, and keep this page open.",
                    accounts.wallet.clipped(80)
                ));
                return Ok(accounts);
            }
            WalletAnswer::Refused(reason) => {
                note = Some(rejected(reason.as_received()));
                last = SigningFailure::Refused(reason.as_received().to_owned());
            }
            WalletAnswer::Failed(reason) => {
                note = Some(format!("The wallet showed no account ({}).", reason.quoted(160)));
                last = SigningFailure::Wallet(reason.as_received().to_owned());
            }
            _ => note = Some("The wallet showed no account.".to_owned()),
        }
    }
    Err(last)
}
