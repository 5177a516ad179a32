//! Saved views: filtered lists that the user gave names.

use super::{
    App, Context,
    modal::{LineCommand, Palette, PaletteRow},
    navigation::Navigation,
    page::{Destination, PageEvent, Tab},
};
use crate::{
    domain::{PersonalEntry, PersonalKind, PersonalSubject, TxView, text},
    msg::Instruction,
};

const NO_LIST: &str = "only lists of transactions have views: txs, and the transactions of an account";

/// What the text after `:view` asks for.
enum ViewLine<'a> {
    List,
    Save(&'a str),
    Drop(&'a str),
    Open(&'a str),
}

impl<'a> ViewLine<'a> {
    fn read(rest: &'a str) -> Self {
        match rest.split_once(' ').map(|(word, name)| (word, name.trim())) {
            Some(("save", name)) => Self::Save(name),
            Some(("drop", name)) => Self::Drop(name),
            _ if rest.is_empty() => Self::List,
            _ => Self::Open(rest),
        }
    }
}

/// Returns the palette of the screen's commands and the saved views.
pub(super) fn palette(app: &App) -> Palette {
    let views = saved(&app.context).map(|(name, view)| {
        let (command, told) = (LineCommand::View, describe(name, view));
        PaletteRow::Line { command, rest: name.to_owned(), told }
    });
    Palette::new(app.screen().hints(), views)
}

/// Returns the names of the saved views with their texts.
fn saved(context: &Context) -> impl Iterator<Item = (&str, &str)> {
    context.personal.all(PersonalKind::View).filter_map(|entry| match &entry.subject {
        PersonalSubject::View(name) => Some((name.as_str(), entry.text.as_str())),
        PersonalSubject::Record(_) => None,
    })
}

fn find<'a>(context: &'a Context, name: &str) -> Result<(&'a str, &'a str), String> {
    let found = saved(context).find(|(known, _)| known.to_lowercase() == name.to_lowercase());
    found.ok_or_else(|| format!("no view has the name {}; {}", text::quoted(name), list(context)))
}

fn list(context: &Context) -> String {
    let names: Vec<String> = saved(context).map(|(name, _)| text::quoted(name)).collect();
    match names.as_slice() {
        [] => ":view save NAME saves the filter of a list".to_owned(),
        names => format!("saved views: {}", names.join(", ")),
    }
}

/// Says what a line of the palette does.
pub(super) fn tell(rest: &str, context: &Context, navigation: &Navigation) -> String {
    let told = match ViewLine::read(rest) {
        ViewLine::List => Ok(list(context)),
        ViewLine::Save(name) => match navigation.current().place().view {
            Some(view) => Ok(format!("save {} as {}", text::clip(&view.to_string(), 60), text::quoted(name))),
            None => Err(NO_LIST.to_owned()),
        },
        ViewLine::Drop(name) => find(context, name).map(|(name, _)| format!("drop the view {}", text::quoted(name))),
        ViewLine::Open(name) => find(context, name).map(|(name, view)| describe(name, view)),
    };
    told.unwrap_or_else(|refused| refused)
}

/// Describes a saved view in a line of the palette.
fn describe(name: &str, view: &str) -> String {
    format!("view {}: {}", text::quoted(name), text::clip(view, 80))
}

/// Saves, drops or opens a view.
pub(super) fn run(app: &mut App, rest: &str) {
    let done = match ViewLine::read(rest) {
        ViewLine::List => return app.toasts.inform(list(&app.context)),
        ViewLine::Save(name) => save(app, name),
        ViewLine::Drop(name) => find(&app.context, name).map(|(name, _)| name.to_owned()).map(|name| {
            keep(app, PersonalEntry::view(name.as_str(), ""));
            format!("dropped the view {}", text::quoted(&name))
        }),
        ViewLine::Open(name) => open(app, name),
    };
    match done {
        Ok(said) => app.toasts.done(said),
        Err(why) => app.toasts.refuse(why),
    }
    app.needs_redraw = true;
}

fn keep(app: &mut App, entry: PersonalEntry) {
    app.context.personal.set(entry.clone());
    app.requests.instruct(Instruction::KeepPersonal(entry));
}

fn save(app: &mut App, name: &str) -> Result<String, String> {
    let view = app.navigation.current().place().view.ok_or_else(|| NO_LIST.to_owned())?.to_string();
    let name = text::clean(name).trim().to_owned();
    if name.is_empty() || name.chars().count() > PersonalSubject::VIEW {
        return Err(format!("a view's name has 1 to {} characters", PersonalSubject::VIEW));
    }
    if view.chars().count() > PersonalKind::View.most() {
        return Err("too many message types for a view".to_owned());
    }
    // Names differ by more than capitals: the new view takes the place of the old.
    if let Ok((known, _)) = find(&app.context, &name).map(|(known, view)| (known.to_owned(), view.to_owned())) {
        keep(app, PersonalEntry::view(known, ""));
    }
    let said = format!("saved the view {}", text::quoted(&name));
    keep(app, PersonalEntry::view(name, view));
    Ok(said)
}

fn open(app: &mut App, name: &str) -> Result<String, String> {
    let (name, view) = find(&app.context, name)?;
    let (said, view) = (describe(name, view), view.parse::<TxView>().map_err(|error| error.to_string())?);
    match view.account {
        Some(account) => app.open_page(Destination::Account(account)),
        None => app.open_tab(Tab::Txs),
    }
    app.notify_page(PageEvent::ShowView(&view));
    Ok(said)
}
