//! A person's own names of accounts: asked for, kept, and shown wherever the account stands.

use std::sync::Arc;

use super::{
    App,
    modal::Modal,
    prompt::{Entry, EntryPurpose, Prompt},
};
use crate::{
    domain::{Address, text},
    msg::{Answer, Instruction},
    wire::ApiError,
};

/// Columns of a name at the most: of a longer one lists would show no more.
const NAME: usize = 32;

impl App {
    /// The store has the names of earlier sessions. One that was given meanwhile stays.
    pub(super) fn take_labels(&mut self, result: Result<Answer, ApiError>) {
        let Ok(Answer::Labels(labels)) = result else { return };
        if labels.is_empty() {
            return;
        }
        let glossary = Arc::make_mut(&mut self.context.glossary);
        for (account, label) in labels {
            if glossary.personal_label(account).is_none() {
                glossary.set_personal_label(account, &text::clip(&label, NAME));
            }
        }
        self.effects.redraw = true;
    }

    /// Asks for a name of the account that is open or under the cursor.
    pub(super) fn ask_account_label(&mut self) {
        let Some(account) = self.navigation.current().selected_account() else {
            return self.toasts.refuse(NO_ACCOUNT);
        };
        let label = self.glossary.personal_label(account).map(ToString::to_string).unwrap_or_default();
        let prompt = format!("Your name for {} (empty takes it away)", account.short());
        let entry = Entry::new(EntryPurpose::AccountLabel(account), prompt, &label);
        self.open_modal(Modal::Prompt(Prompt::Entry(entry)));
    }

    /// A name of an account was typed.
    pub(super) fn enter_account_label(&mut self, account: Address, typed: &str) -> Result<(), String> {
        let label = text::clean(typed).trim().to_owned();
        if label.chars().count() > NAME {
            return Err(format!("a name has {NAME} characters at the most"));
        }
        let is_same = |known: &str| known.to_lowercase() == label.to_lowercase();
        let others = self.glossary.personal_labels();
        if let Some((other, _)) = others.iter().find(|(other, known)| *other != account && is_same(known)) {
            return Err(format!("{} has this name already: two accounts would look alike", other.short()));
        }
        Arc::make_mut(&mut self.context.glossary).set_personal_label(account, &label);
        let said = if label.is_empty() {
            format!("{} has no name of yours any more", account.short())
        } else {
            format!("{} is “{label}” wherever it stands", account.short())
        };
        self.requests.instruct(Instruction::Label(account, label));
        self.toasts.done(said);
        self.effects.redraw = true;
        Ok(())
    }
}

/// Why no account can be named.
pub(crate) const NO_ACCOUNT: &str = "no account is open or under the cursor";
