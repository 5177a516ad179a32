use super::{
    super::signing_page::{DocumentPurpose, SigningPage},
    SigningFailure, SigningTerminal,
    contracts::accept_contracts,
    cosmos::{DocumentSigning, account_of, addition, client_of},
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
    let WalletHook { hook, signer, contracts, starts_there, words, access } = order;
    let own = (&hook.chain_id, &access.trust);
    let settled = accept_contracts(page, contracts, own, &options, terminal).await?;
    let client = client_of(access, &hook.chain_id, options)?;
    let account = account_of(&client, &hook.chain_id, signer).await?;
    let document = SignDocument::of_hook(hook, account.number, hook_sequence(account.sequence, *starts_there))?;
    let mut words = words.clone();
    words.lines.extend(settled);
    words.lines.extend(addition(access));
    let asked = DocumentSigning { page, document: &document, purpose: DocumentPurpose::Hook };
    let signed = asked.signed(signer, access, &words, terminal).await?;
    page.tell("The hook is signed. Its transaction comes next.");
    let account = document.signer().ok_or(SigningFailure::NoSigner)?;
    signed.op_hook(account).map_err(|_| SigningFailure::Signature(SignatureError::Form))
}
