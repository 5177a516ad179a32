use super::{
    super::signing_page::{DocumentPurpose, SigningPage},
    SigningFailure, SigningTerminal, ask_doubts,
    contracts::accept_contracts,
    cosmos::{DocumentSigning, account_of, addition, client_of},
    tokens::check_tokens,
};
use crate::{
    client::ClientOptions,
    signing::{SignDocument, SignatureError, WalletHook, hook_sequence},
    wire::router::SignedOpHook,
};

/// Requests the signature of a hook, without a broadcast: another transaction carries the hook.
pub async fn sign_hook<T: SigningTerminal>(
    page: &SigningPage,
    order: &WalletHook,
    options: ClientOptions,
    terminal: &mut T,
) -> Result<SignedOpHook, SigningFailure> {
    let WalletHook { hook, signer, contracts, tokens, doubts, starts_there, words, access } = order;
    let tokens = check_tokens(tokens, &access.trust, &options).await?;
    let own = (&hook.chain_id, &access.trust);
    let settled = accept_contracts(page, contracts, own, &options, terminal).await?;
    ask_doubts(page, doubts, terminal).await?;
    let client = client_of(access, &hook.chain_id, options)?;
    let account = account_of(&client, &hook.chain_id, signer).await?;
    let document = SignDocument::of_hook(hook, account.number, hook_sequence(account.sequence, *starts_there))?;
    let mut words = words.clone();
    words.lines.extend(tokens.into_iter().chain(settled));
    words.lines.extend(addition(access));
    let asked = DocumentSigning { page, document: &document, purpose: DocumentPurpose::Hook };
    let signed = asked.signed(signer, access, &words, terminal).await?;
    page.tell("The hook is signed. Its transaction comes next.");
    let account = document.signer().ok_or(SigningFailure::NoSigner)?;
    signed.op_hook(account).map_err(|_| SigningFailure::Signature(SignatureError::Form))
}
