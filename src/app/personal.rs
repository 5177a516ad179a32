//! What the user attaches to accounts, denoms, transactions and pages: names, notes, bookmarks. None of it is evidence.

use std::sync::Arc;

use super::{
    App, Context, list_columns,
    modal::{LineCommand, Modal},
    navigation::Navigation,
    offered::use_network,
    prompt::{Entry, EntryPurpose, Prompt},
    views,
};
use crate::{
    config::Command,
    domain::{PersonalEntry, PersonalKind, Target, text},
    msg::Instruction,
    story::LabelSource,
};

pub(crate) const NOTHING_TO_NAME: &str = "no account, denom or transaction is open or selected";
pub(crate) const NOT_TO_BOOKMARK: &str = "bookmarks are of blocks, transactions, accounts, NFTs and denoms";

impl Context {
    /// Takes the entries from the store, except for those that the user changed in the meantime. Returns whether there
    /// are any.
    pub(super) fn take_personal(&mut self, entries: Vec<PersonalEntry>) -> bool {
        let is_news = !entries.is_empty();
        for entry in entries {
            let text = text::clip(&entry.text, entry.kind.most());
            let source = match entry.kind {
                PersonalKind::Name => LabelSource::Person,
                PersonalKind::ImportedName => LabelSource::File,
                PersonalKind::Note | PersonalKind::Bookmark | PersonalKind::View => {
                    if self.personal.all(entry.kind).all(|known| known.subject != entry.subject) {
                        self.personal.set(PersonalEntry { text, ..entry });
                    }
                    continue;
                }
            };
            if let Some(target) = entry.target().filter(|target| self.glossary.personal_name(target).is_none()) {
                Arc::make_mut(&mut self.glossary).set_personal_name(target.clone(), &text, source);
            }
        }
        is_news
    }

    /// Sets an entry as typed. Returns the entry to store, and a message.
    fn set_personal(
        &mut self,
        kind: PersonalKind,
        subject: &Target,
        typed: &str,
    ) -> Result<(PersonalEntry, String), String> {
        let text = text::clean(typed).replace(text::PERSONAL_SIGNS, "").trim().to_owned();
        let (word, shown) = (kind.word(), brief(subject));
        if text.chars().count() > kind.most() {
            return Err(format!("a {word} has at most {} characters", kind.most()));
        }
        let entry = PersonalEntry::new(kind, subject.clone(), text);
        if kind != PersonalKind::Name {
            let did = if entry.text.is_empty() { "removed" } else { "kept" };
            self.personal.set(entry.clone());
            return Ok((entry, format!("{did} the {word} of {shown}")));
        }
        let is_same = |known: &str| known.to_lowercase() == entry.text.to_lowercase();
        let others = self.glossary.personal_names();
        if let Some((other, _)) = others.iter().find(|(other, known)| other != subject && is_same(known)) {
            return Err(format!("{} already has this name; choose another", brief(other)));
        }
        Arc::make_mut(&mut self.glossary).set_personal_name(subject.clone(), &entry.text, LabelSource::Person);
        let said = match self.glossary.shown_personal_name(subject) {
            Some(name) => format!("{shown} is now {name}"),
            None => format!("removed your name for {shown}"),
        };
        Ok((entry, said))
    }
}

/// Returns what a name would be for: the link under the cursor, else the selected or open record.
pub(super) fn subject_of(navigation: &Navigation) -> Option<Target> {
    let page = navigation.current();
    let link = page.document().and_then(|document| document.link()?.nameable());
    let selection = page.selection();
    let selected = || selection.account.map(Target::Account).or(selection.tx.as_ref().map(|tx| Target::Tx(tx.txhash)));
    link.or_else(selected).or_else(|| target_of_page(navigation)?.nameable())
}

/// Returns what the page shows; `None` for a page that no text leads to.
pub(super) fn target_of_page(navigation: &Navigation) -> Option<Target> {
    navigation.current().place().denom.map(Target::Denom).or_else(|| navigation.shown_target().cloned())
}

/// Returns the user's note on the page's record.
pub(crate) fn shown_note(app: &App) -> Option<&str> {
    let note = |target: &Target| app.context.personal.text(PersonalKind::Note, &target.nameable()?);
    let others = app.navigation.current().place().targets;
    target_of_page(&app.navigation).iter().chain(&others).find_map(note)
}

/// Says what a line of the palette does.
pub(super) fn tell_line(command: LineCommand, rest: &str, context: &Context, navigation: &Navigation) -> String {
    let attach = |verb: &str, shown: String| match subject_of(navigation) {
        None => NOTHING_TO_NAME.to_owned(),
        Some(target) if rest.is_empty() => format!("{verb} {}", brief(&target)),
        Some(target) => format!("{verb} {} {shown}", brief(&target)),
    };
    match command {
        LineCommand::Use => format!("show the network {}", text::clip(rest, 60)),
        LineCommand::Label if navigation.current().selection().transfer.is_some() => "name this transfer".to_owned(),
        LineCommand::Label => attach("name", text::personal_name(rest)),
        LineCommand::Note => attach("note on", text::quoted(rest)),
        LineCommand::View => views::tell(rest, context, navigation),
        LineCommand::Sort => list_columns::refuse_column(rest, navigation),
        LineCommand::Bookmark => match target_of_page(navigation) {
            None => NOT_TO_BOOKMARK.to_owned(),
            Some(target) if is_dropped(context, &target, rest) => format!("drop the bookmark of {}", brief(&target)),
            Some(target) => format!("bookmark {}", brief(&target)),
        },
    }
}

/// Runs a command with the rest of its line. Without a rest, opens the input or changes the bookmark.
pub(super) fn run_line(app: &mut App, command: LineCommand, rest: &str) {
    match command {
        LineCommand::Use => use_network(app, rest),
        LineCommand::Label => match app.navigation.current().selection().transfer {
            Some(_) if rest.is_empty() => app.act(Command::Label),
            Some(transfer) => match app.context.transfers.enter_label(&transfer, rest) {
                Ok(()) => app.needs_redraw = true,
                Err(problem) => app.toasts.refuse(problem),
            },
            None => attach(app, PersonalKind::Name, rest),
        },
        LineCommand::Note => attach(app, PersonalKind::Note, rest),
        LineCommand::View => views::run(app, rest),
        LineCommand::Sort => list_columns::turn(app, rest),
        LineCommand::Bookmark => {
            let Some(target) = target_of_page(&app.navigation) else { return app.toasts.refuse(NOT_TO_BOOKMARK) };
            let title = match rest {
                "" if is_dropped(&app.context, &target, rest) => String::new(),
                "" => text::clip(&app.navigation.current().title(), PersonalKind::Bookmark.most()),
                title => title.to_owned(),
            };
            let entered = enter(app, PersonalKind::Bookmark, &target, &title);
            refuse(app, entered);
        }
    }
}

/// Whether `:bookmark` drops the page's bookmark: it has one, and no other title is typed.
fn is_dropped(context: &Context, target: &Target, title: &str) -> bool {
    title.is_empty() && context.personal.text(PersonalKind::Bookmark, target).is_some()
}

/// Attaches a name or a note to the subject of the page. Without a text, opens the input.
fn attach(app: &mut App, kind: PersonalKind, text: &str) {
    let Some(target) = subject_of(&app.navigation) else { return app.toasts.refuse(NOTHING_TO_NAME) };
    if !text.is_empty() {
        let entered = enter(app, kind, &target, text);
        return refuse(app, entered);
    }
    let shown = brief(&target);
    let entry = if kind == PersonalKind::Name {
        let present = app.context.glossary.personal_name(&target).map(ToString::to_string).unwrap_or_default();
        Entry::new(EntryPurpose::Personal(kind, target), format!("Your name for {shown} (empty removes it)"), &present)
    } else {
        let present = app.context.personal.text(kind, &target).unwrap_or_default().to_owned();
        Entry::new(EntryPurpose::Personal(kind, target), format!("Your note on {shown} (empty removes it)"), &present)
    };
    app.open_modal(Modal::Prompt(Prompt::Entry(entry)));
}

/// Sets, stores and reports an entry that the user typed; an empty text removes it.
pub(super) fn enter(app: &mut App, kind: PersonalKind, subject: &Target, typed: &str) -> Result<(), String> {
    let (entry, said) = app.context.set_personal(kind, subject, typed)?;
    app.requests.instruct(Instruction::KeepPersonal(entry));
    app.toasts.done(said);
    app.needs_redraw = true;
    Ok(())
}

fn refuse(app: &mut App, entered: Result<(), String>) {
    if let Err(problem) = entered {
        app.toasts.refuse(problem);
    }
}

/// Returns a target in few words. An account needs no word for its kind.
fn brief(target: &Target) -> String {
    match target {
        Target::Account(address) => address.short(),
        Target::Denom(denom) => format!("denom {}", denom.short()),
        other => other.describe(),
    }
}
