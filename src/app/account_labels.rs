//! A person's own names of accounts: asked for, kept, and shown wherever the account stands.

use std::sync::Arc;

use super::{
    Context,
    page::{Cx, Page},
    prompt::{Entry, EntryPurpose, Prompt},
};
use crate::{
    domain::{Address, text},
    msg::{Answer, Instruction},
    wire::ApiError,
};

/// Columns of a name at the most: of a longer one lists would show no more.
const NAME: usize = 32;
/// Why no account can be named.
pub(crate) const NO_ACCOUNT: &str = "no account is open or under the cursor";

impl Context {
    /// The store has the names of earlier sessions; whether there are any. One that was given meanwhile stays.
    pub(super) fn take_labels(&mut self, result: Result<Answer, ApiError>) -> bool {
        let Ok(Answer::Labels(labels)) = result else { return false };
        if labels.is_empty() {
            return false;
        }
        let glossary = Arc::make_mut(&mut self.glossary);
        for (account, label) in labels {
            if glossary.personal_label(account).is_none() {
                glossary.set_personal_label(account, &text::clip(&label, NAME));
            }
        }
        true
    }

    /// A name of an account was typed: what is to be kept, and the words to say so.
    pub(super) fn enter_account_label(
        &mut self,
        account: Address,
        typed: &str,
    ) -> Result<(Instruction, String), String> {
        let label = text::clean(typed).trim().to_owned();
        if label.chars().count() > NAME {
            return Err(format!("a name has {NAME} characters at the most"));
        }
        let is_same = |known: &str| known.to_lowercase() == label.to_lowercase();
        let others = self.glossary.personal_labels();
        if let Some((other, _)) = others.iter().find(|(other, known)| *other != account && is_same(known)) {
            return Err(format!("{} has this name already: two accounts would look alike", other.short()));
        }
        Arc::make_mut(&mut self.glossary).set_personal_label(account, &label);
        let said = if label.is_empty() {
            format!("{} has no name of yours any more", account.short())
        } else {
            format!("{} is “{label}” wherever it stands", account.short())
        };
        Ok((Instruction::Label(account, label), said))
    }
}

/// Asks for a name of the account that is open or under the cursor.
pub(super) fn ask(page: &mut dyn Page, cx: &mut Cx<'_>) {
    let Some(account) = page.selected_account() else { return cx.refuse(NO_ACCOUNT) };
    let label = cx.glossary.personal_label(account).map(ToString::to_string).unwrap_or_default();
    let prompt = format!("Your name for {} · empty: none", account.short());
    cx.ask(Prompt::Entry(Entry::new(EntryPurpose::AccountLabel(account), prompt, &label)));
}
