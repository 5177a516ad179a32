//! Names that the user gives to accounts: how they are entered, stored and shown.

use std::sync::Arc;

use super::{
    Context,
    page::{Page, PageCx},
    prompt::{Entry, EntryPurpose, Prompt},
};
use crate::{
    domain::{Address, text},
    msg::Instruction,
};

/// Maximum characters of a name. Lists would cut a longer name.
const NAME: usize = 32;
pub(crate) const NO_ACCOUNT: &str = "no account is open or selected";

impl Context {
    /// Takes the names from the store, except for accounts that the user named in the meantime. Returns whether there
    /// are any.
    pub(super) fn take_labels(&mut self, labels: Vec<(Address, String)>) -> bool {
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

    /// Sets the name that the user typed for an account. Returns the instruction that stores it, and a message.
    pub(super) fn enter_account_label(
        &mut self,
        account: Address,
        typed: &str,
    ) -> Result<(Instruction, String), String> {
        let label = text::clean(typed).trim().to_owned();
        if label.chars().count() > NAME {
            return Err(format!("a name has at most {NAME} characters"));
        }
        let is_same = |known: &str| known.to_lowercase() == label.to_lowercase();
        let others = self.glossary.personal_labels();
        if let Some((other, _)) = others.iter().find(|(other, known)| *other != account && is_same(known)) {
            return Err(format!("{} already has this name; choose another", other.short()));
        }
        Arc::make_mut(&mut self.glossary).set_personal_label(account, &label);
        let said = if label.is_empty() {
            format!("removed your name for {}", account.short())
        } else {
            format!("{} is now “{label}”", account.short())
        };
        Ok((Instruction::Label(account, label), said))
    }
}

/// Opens the input for the selected account's name.
pub(super) fn ask(page: &mut dyn Page, cx: &mut PageCx<'_>) {
    let Some(account) = page.account() else { return cx.refuse(NO_ACCOUNT) };
    let label = cx.context.glossary.personal_label(account).map(ToString::to_string).unwrap_or_default();
    let prompt = format!("Your name for {} (empty removes it)", account.short());
    cx.ask(Prompt::Entry(Entry::new(EntryPurpose::AccountLabel(account), prompt, &label)));
}
