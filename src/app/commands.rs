//! What can be done here now: the commands of the screen, most useful first, and those of the session.
//!
//! Footer, help, palette and the keys after a prefix show these; `App::act` runs none that cannot be done, and says
//! why. So what is offered works, and what is not offered answers.

use std::borrow::Cow;

pub(crate) use super::transfers::NO_ROUTER;
use super::{
    account_labels::NO_ACCOUNT,
    context::Context,
    hint::Hint,
    navigation::Navigation,
    page::{Page, Siblings, Surroundings, WebSubject},
};
use crate::{
    config::{Command, ExplorerTemplates, Topic},
    domain::{Address, Target},
    widgets::{cursor::Cursor, document::Lines},
};

/// The page on screen, and what can be done with it now.
pub(crate) struct ShownPage<'a> {
    pub(super) context: &'a Context,
    pub(super) navigation: &'a Navigation,
}

impl ShownPage<'_> {
    fn page(&self) -> &dyn Page {
        self.navigation.current()
    }

    /// What lies around the page in the list that it was opened from.
    pub(super) fn surroundings(&self) -> Surroundings {
        let Some((id, target)) = self.page().origin() else { return Surroundings::default() };
        let Some(origin) = self.navigation.page(id) else { return Surroundings::default() };
        let is_there = |step| matches!(origin.neighbour(&target, step, id), Some(Ok(_)));
        let siblings =
            if origin.has_list_of(&target) { Siblings::Beside(is_there(-1), is_there(1)) } else { Siblings::NoList };
        let place_in_block = if let Target::Tx(hash) = &target { origin.place_in_block(hash) } else { None };
        Surroundings { siblings, place_in_block }
    }

    /// The commands of the screen and then those of the session, each once, with those that cannot be done now.
    pub(crate) fn commands(&self) -> Vec<Hint> {
        let mut hints = self.page_commands();
        // Where two panes are, both keys lead to the other one.
        let has = |command: Command| hints.iter().any(|hint| hint.command == command);
        if !has(Command::PreviousPane) {
            let back = hints.iter().find(|hint| hint.command == Command::NextPane).map(Hint::back);
            hints.extend(back);
        }
        for hint in self.session_commands() {
            if !hints.iter().any(|known| known.command == hint.command) {
                hints.push(hint);
            }
        }
        hints
    }

    /// The commands of the screen alone, most useful first.
    pub(crate) fn page_commands(&self) -> Vec<Hint> {
        self.page().commands(self.context, &self.surroundings())
    }

    /// What works on every screen, where its conditions are met.
    fn session_commands(&self) -> Vec<Hint> {
        let page = self.page();
        let is_narrowed = self.can_go_back();
        let mut hints = vec![
            Hint::of(Command::GoTo),
            Hint::of(Command::Copy).needs(self.has_copies(), "nothing to copy here"),
            Hint::of(Command::Freeze).called(if self.context.frozen { "follow" } else { "freeze" }),
            Hint::of(Command::Export).needs(page.has_export(self.context), "nothing to export here"),
            self.browser_hint(),
            Hint::of(Command::FlipAddress),
            Hint::of(Command::Refresh),
            Hint::of(Command::FlipTime),
            Hint::of(Command::ChooseColumns)
                .needs(page.column_list().is_some(), "no list whose columns can be chosen has the cursor here"),
            self.match_hint(Command::NextMatch),
            self.match_hint(Command::PreviousMatch).spare(),
            Hint::of(Command::Back).needs(is_narrowed, "nothing is open here that could be closed"),
            Hint::of(Command::HistoryBack).needs(self.navigation.has_back(), "this is where you began").spare(),
            Hint::of(Command::HistoryForward)
                .needs(self.navigation.has_forward(), "nothing lies ahead in history")
                .spare(),
            Hint::of(Command::Track).needs(self.context.has_router(), NO_ROUTER),
            Hint::of(Command::NameAccount).needs(page.selected_account().is_some(), NO_ACCOUNT).spare(),
            Hint::of(Command::Inspector),
        ];
        hints.extend(motions(page));
        let tabs = [
            Command::TabOverview,
            Command::TabBlocks,
            Command::TabTxs,
            Command::TabNfts,
            Command::TabRichList,
            Command::TabBridge,
        ];
        let shown = self.navigation.shown_root().map(|tab| tab as usize);
        let is_elsewhere = |place: usize| shown != Some(place);
        hints.extend(
            tabs.into_iter()
                .enumerate()
                .map(|(place, tab)| Hint::of(tab).needs(is_elsewhere(place), "it is shown").spare()),
        );
        hints.extend([Command::Palette, Command::Help, Command::Quit].map(Hint::of));
        hints.extend([Command::Suspend, Command::ForceQuit].map(|command| Hint::of(command).spare()));
        hints
    }

    /// Why a command cannot be done now, in words; `None` where it can. Keys that only move, and those of the tab that is
    /// shown, do nothing without a word.
    pub(super) fn refusal_of(&self, command: Command) -> Option<String> {
        match self.commands().into_iter().find(|hint| hint.command == command) {
            Some(hint) => hint.refusal.filter(|_| !is_quiet(command)).map(Cow::into_owned),
            None => Some(format!("{}: not here · {}", command.label(), command.help())),
        }
    }

    /// Whether Esc has something to close, to take back or to leave.
    fn can_go_back(&self) -> bool {
        let page = self.page();
        self.navigation.has_back() && !self.navigation.is_at_root() || page.is_narrowed()
    }

    fn match_hint(&self, command: Command) -> Hint {
        let is_looking = self.page().document().is_some_and(|document| !document.filter().is_empty());
        Hint::of(command).needs(is_looking, "no text is looked for here")
    }

    fn browser_hint(&self) -> Hint {
        let has_explorer = self.context.network.explorer != ExplorerTemplates::default() || self.web_page().is_some();
        Hint::of(Command::Browser)
            .needs(has_explorer, "this network has no web explorer")
            .needs(self.web_page().is_some(), "the web explorer has no page for this")
    }

    /// Whether the copy menu has anything to offer.
    pub(super) fn has_copies(&self) -> bool {
        let page = self.page();
        let has_line = page.document().is_some_and(Lines::can_copy);
        has_line || page.has_copies(self.context)
    }

    /// The page of the network's web explorer, or of another one, for what is selected.
    pub(super) fn web_page(&self) -> Option<String> {
        let (explorer, page) = (&self.context.network.explorer, self.page());
        let of_account = |address: &Address| Some(explorer.account.as_ref()?.replace("{}", &address.bech32()));
        let of_tx = || Some(explorer.tx.as_ref()?.replace("{}", &page.selected_tx()?.txhash.to_string()));
        let of_block = || Some(explorer.block.as_ref()?.replace("{}", &page.selected_block()?.height.to_string()));
        let of_subject = match page.web_subject() {
            Some(WebSubject::Url(url)) => Some(url),
            Some(WebSubject::Account(address)) => of_account(&address),
            None => None,
        };
        of_subject.or_else(of_tx).or_else(of_block)
    }
}

/// Whether a key that cannot do anything now does just that: at the end of a list nobody wants to be told so.
fn is_quiet(command: Command) -> bool {
    let is_move =
        command.entry().topic == Topic::Moving && !matches!(command, Command::NextPane | Command::PreviousPane);
    is_move || command.entry().topic == Topic::Tabs
}

/// The commands that move the cursor, where there is room for it.
fn motions(page: &dyn Page) -> Vec<Hint> {
    let (up, down) = page.cursor().map_or((false, false), Cursor::room);
    let moves = |commands: [Command; 4], holds: bool, why: &'static str| {
        commands.map(|command| {
            let hint = Hint::of(command).needs(holds, why);
            if matches!(command, Command::NextPage | Command::Top) { hint } else { hint.spare() }
        })
    };
    let mut hints = Vec::from(moves(
        [Command::Down, Command::HalfDown, Command::NextPage, Command::Bottom],
        down,
        "nothing lies below",
    ));
    hints.extend(moves([Command::Up, Command::HalfUp, Command::PreviousPage, Command::Top], up, "nothing lies above"));
    hints
}
