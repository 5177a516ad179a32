//! Commands of the screen and the session, and whether each is available.
//!
//! Footer, help, palette and key prefixes list them, most useful first. `App::act` refuses an unavailable command with
//! its reason. So every offered command works, and each unavailable one gives its reason.

use std::borrow::Cow;

pub(crate) use super::transfers::NO_ROUTER;
use super::{
    actions::NOT_FOLDABLE,
    context::Context,
    faults::NOT_THE_DEMO,
    hint::Hint,
    navigation::Navigation,
    page::{Destination, Focus, Neighbour, Page, Tab, WebSubject},
    personal::{NOT_TO_BOOKMARK, NOTHING_TO_NAME, subject_of, target_of_page},
};
use crate::{
    config::{Command, ExplorerTemplates, KeyScope, Topic},
    domain::{Address, Target},
    msg::PageId,
    story,
    widgets::{cursor::Cursor, document::Lines},
};

const EVERYWHERE: &[&[Command]] = &[
    &[Command::GoTo, Command::Copy, Command::Freeze, Command::Export],
    &[Command::Browser, Command::FlipAddress, Command::Refresh],
    &[Command::FlipTime, Command::ChooseColumns, Command::NextMatch],
    &[Command::PreviousMatch, Command::Back, Command::HistoryBack],
    &[Command::HistoryForward, Command::Track, Command::NameAccount],
    &[Command::Note, Command::Bookmark, Command::View],
    &[Command::Inspector, Command::FirstColumn, Command::LastColumn],
    DOWNWARDS,
    UPWARDS,
    WITHIN,
    TABS[0],
    TABS[1],
    &[Command::Palette, Command::Help, Command::Use, Command::Quit, Command::SortRows],
    &[Command::CopyFirst, Command::Fault, Command::Suspend, Command::ForceQuit],
];
const DOWNWARDS: &[Command] = &[Command::Down, Command::HalfDown, Command::NextPage, Command::Bottom];
const UPWARDS: &[Command] = &[Command::Up, Command::HalfUp, Command::PreviousPage, Command::Top];
const WITHIN: &[Command] = &[Command::Middle, Command::PreviousGroup, Command::NextGroup];
pub(crate) const SIDE_IS_OPEN: &str = "this tab is open";
/// Commands that open a tab, in the order of the tabs.
const TABS: [&[Command]; 2] = [
    &[Command::TabOverview, Command::TabBlocks, Command::TabTxs],
    &[Command::TabNfts, Command::TabRichList, Command::TabBridge, Command::TabTransfers],
];
/// Commands that footers omit: their key is a duplicate, or well known.
const HIDDEN: &[&[Command]] = &[
    &[Command::PreviousTab, Command::PreviousPane, Command::FoldAll],
    &[Command::UnfoldAll, Command::PreviousMatch, Command::HistoryBack],
    &[Command::HistoryForward, Command::NameAccount, Command::Suspend],
    &[Command::Note, Command::Bookmark, Command::View],
    &[Command::Fault, Command::ForceQuit, Command::FirstColumn, Command::LastColumn],
    WITHIN,
];

/// Current page, with the state that decides which commands are available.
pub(crate) struct ShownPage<'a> {
    pub(super) context: &'a Context,
    pub(super) navigation: &'a Navigation,
}

impl ShownPage<'_> {
    fn page(&self) -> &dyn Page {
        self.navigation.current()
    }

    /// Returns the record `step` rows away in the list that opened the page, and the page with the list.
    pub(super) fn sibling(&self, step: isize) -> Option<(PageId, Neighbour)> {
        let (id, target) = self.page().place().origin?;
        Some((id, self.navigation.page(id)?.neighbour(&target, step, id)))
    }

    /// Returns the index of the open transaction in its block, from 0, and the block's size, if the page that opened it
    /// has the whole block.
    pub(super) fn place_in_block(&self) -> Option<(usize, usize)> {
        let (id, Target::Tx(hash)) = self.page().place().origin? else { return None };
        // A sorted list does not tell the order in the block.
        let origin =
            self.navigation.page(id).filter(|page| page.cursor().is_none_or(|list| list.sorting().is_none()))?;
        let block = origin.selection().block?;
        let count = usize::try_from(block.tx_count).ok()?;
        let txs: Vec<_> = origin.held().txs.into_iter().filter(|tx| tx.height == block.height).collect();
        // The list begins with the last transaction of the block.
        let from_last = txs.iter().position(|tx| tx.txhash == hash)?;
        (txs.len() == count).then(|| (count - 1 - from_last, count))
    }

    /// Returns the commands of the screen, then the session's, each once. Includes unavailable commands.
    pub(crate) fn commands(&self) -> Vec<Command> {
        let mut commands = self.page_commands();
        // With two panes, both keys lead to the other pane.
        if commands.contains(&Command::NextPane) && !commands.contains(&Command::PreviousPane) {
            commands.push(Command::PreviousPane);
        }
        for command in EVERYWHERE.concat() {
            if !commands.contains(&command) {
                commands.push(command);
            }
        }
        commands
    }

    fn page_commands(&self) -> Vec<Command> {
        self.page().commands(self.context)
    }

    /// Returns the commands of screen and session, with label and refusal.
    pub(crate) fn hints(&self) -> Vec<Hint> {
        self.commands().into_iter().map(|command| self.hint(command)).collect()
    }

    /// Returns the commands of the screen only, most useful first.
    pub(super) fn page_hints(&self) -> Vec<Hint> {
        self.page_commands().into_iter().map(|command| self.hint(command)).collect()
    }

    /// Returns a command's label and refusal on this screen.
    pub(super) fn hint(&self, command: Command) -> Hint {
        if command == Command::PreviousPane && !self.page_commands().contains(&command) {
            return self.hint(Command::NextPane).back();
        }
        let hint = self.common_hint(command);
        self.page().hint(if is_hidden(command) { hint.hidden_in_footer() } else { hint }, self.context)
    }

    /// Applies the refusals that history, document, selection and siblings determine for a command.
    fn common_hint(&self, command: Command) -> Hint {
        let (page, hint) = (self.page(), Hint::new(command));
        match command {
            Command::Open => match page.focus() {
                Some(Focus::Cursor(cursor)) => hint.enabled_if(cursor.has_row(), "select a row first"),
                focus => {
                    let leads = |lines: &dyn Lines| lines.can_fold() || lines.link().is_some();
                    hint.enabled_if(focus.and_then(Focus::lines).is_some_and(leads), "this line has no page to open")
                }
            },
            Command::Filter => hint.label("find").enabled_if(page.document().is_some(), "this page has no filter"),
            Command::ToggleFold => hint.enabled_if(page.document().is_some_and(Lines::can_fold_around), NOT_FOLDABLE),
            Command::FoldAll | Command::UnfoldAll => {
                hint.enabled_if(page.document().is_some_and(Lines::has_folds), NOT_FOLDABLE)
            }
            Command::PreviousSibling => self.sibling_hint(hint, -1),
            Command::NextSibling => self.sibling_hint(hint, 1),
            Command::Compare | Command::OpenSigner | Command::OpenBlock | Command::Mark => self.tx_hint(hint),
            Command::Copy | Command::CopyFirst => hint.enabled_if(self.has_copies(), "no value to copy here"),
            Command::Freeze => hint.label(if self.context.frozen { "follow" } else { "freeze" }),
            Command::Export => hint.enabled_if(page.take_away(self.context).has_exports(), "no data to export here"),
            Command::Browser => self.browser_hint(hint),
            Command::ChooseColumns => {
                hint.enabled_if(page.place().columns.is_some(), "the cursor is not in a list with columns to choose")
            }
            Command::SortRows | Command::FirstColumn | Command::LastColumn => self.columns_hint(hint),
            Command::NextMatch | Command::PreviousMatch => hint.enabled_if(page.is_filtered(), "no search is active"),
            Command::Back => hint.enabled_if(self.can_go_back(), "nothing to close"),
            Command::HistoryBack => hint.enabled_if(self.navigation.has_back(), "this is the first page"),
            Command::HistoryForward => hint.enabled_if(self.navigation.has_forward(), "no next page in history"),
            Command::Middle => {
                let can = page.cursor().is_some_and(|cursor| cursor.middle().is_some_and(|place| !cursor.is_at(place)));
                hint.enabled_if(can, "this is the middle line")
            }
            Command::PreviousGroup | Command::NextGroup => {
                let group = page.document().and_then(|document| document.group(command == Command::NextGroup));
                hint.enabled_if(group.is_some(), "no other group")
            }
            Command::Track => hint.enabled_if(self.context.has_router(), NO_ROUTER),
            Command::Fault => {
                let may_be = self.context.has_router() && self.context.has_own_router();
                hint.enabled_if(may_be, NOT_THE_DEMO)
            }
            Command::Bookmark => hint.enabled_if(target_of_page(self.navigation).is_some(), NOT_TO_BOOKMARK),
            Command::NameAccount | Command::Note => {
                hint.enabled_if(subject_of(self.navigation).is_some(), NOTHING_TO_NAME)
            }
            _ if DOWNWARDS.contains(&command) => hint.enabled_if(room(page).1, "this is the last line"),
            _ if UPWARDS.contains(&command) => hint.enabled_if(room(page).0, "this is the first line"),
            _ => {
                // The bridge's tab has two sides: its page knows which one is open.
                let tab = tab_of(command).and_then(|side| side.home()).filter(|tab| *tab != Tab::Bridge);
                hint.enabled_if(tab.is_none() || tab != self.navigation.shown_root(), SIDE_IS_OPEN)
            }
        }
    }

    fn sibling_hint(&self, hint: Hint, step: isize) -> Hint {
        let kind = self.page().place().kind;
        match self.sibling(step) {
            None | Some((_, Neighbour::NoList)) => {
                hint.enabled_if(false, format!("open a {kind} from a list to go to the next"))
            }
            Some((_, Neighbour::Page(_))) => hint,
            Some(_) => hint.enabled_if(false, format!("the list has loaded no further {kind}")),
        }
    }

    /// Adapts a hint to the selected or open transaction.
    fn tx_hint(&self, hint: Hint) -> Hint {
        let selected = self.page().selection().tx.map(|tx| tx.txhash);
        let (is_selected, marked) = (selected.is_some(), self.context.marked_hash());
        let is_marked = is_selected && marked == selected;
        let key = |command| self.context.keymap.shown(KeyScope::TxPage.layers(), command).unwrap_or_default();
        match hint.command {
            Command::Compare => {
                let (mark, compare) = (key(Command::Mark), key(Command::Compare));
                hint.enabled_if(
                    marked.is_some(),
                    format!("no marked transaction: press {mark} on one, {compare} on another"),
                )
                .enabled_if(is_selected, "select a transaction to compare with the marked one")
                .enabled_if(!is_marked, format!("this is the marked transaction: press {compare} on another"))
            }
            Command::OpenSigner => hint.enabled_if(is_selected, "select a transaction with a signer"),
            Command::Mark => hint
                .label(if is_marked { "unmark" } else { "mark" })
                .enabled_if(is_selected, "select a transaction to mark"),
            _ => hint.enabled_if(is_selected, "select a transaction first"),
        }
    }

    /// Returns why a command is not available; `None` if it is. Motions and tabs fail without a message.
    pub(super) fn refusal_of(&self, command: Command) -> Option<String> {
        if is_motion(command) || command.entry().topic == Topic::Tabs {
            return None;
        }
        if !self.commands().contains(&command) {
            return Some(format!("{}: unavailable · {}", command.label(), command.help()));
        }
        self.hint(command).refusal.filter(|_| !is_quiet(command)).map(Cow::into_owned)
    }

    /// Whether Esc would close, undo or leave something.
    fn can_go_back(&self) -> bool {
        let page = self.page();
        self.navigation.has_back() && !self.navigation.is_at_root() || page.place().is_narrowed || page.is_filtered()
    }

    fn browser_hint(&self, hint: Hint) -> Hint {
        let has_page = self.web_page().is_some();
        let has_explorer = self.context.network.explorer != ExplorerTemplates::default() || has_page;
        hint.enabled_if(has_explorer, "this network has no web explorer")
            .enabled_if(has_page, "the web explorer has no page for this")
    }

    pub(super) fn has_copies(&self) -> bool {
        let page = self.page();
        let (has_line, selection) = (page.document().is_some_and(Lines::can_copy), page.selection());
        let has_record = selection.tx.is_some() || selection.block.is_some();
        has_line || has_record || page.take_away(self.context).has_copies()
    }

    /// Returns the target of a command for the selected or open transaction: its signer, its block, or the comparison.
    pub(super) fn beside_tx(&self, command: Command) -> Option<Destination> {
        let tx = self.page().selection().tx?;
        Some(match command {
            Command::OpenSigner => Destination::AccountAt(story::decode(&tx).signer?, tx.txhash),
            Command::Compare => Destination::Compare(self.context.marked.clone()?, tx),
            _ => Destination::Block(tx.height, None),
        })
    }

    /// Returns the URL of the selection in a web explorer.
    pub(super) fn web_page(&self) -> Option<String> {
        let (explorer, selection) = (&self.context.network.explorer, self.page().selection());
        let of_account = |address: &Address| Some(explorer.account.as_ref()?.replace("{}", &address.bech32()));
        let of_tx = || Some(explorer.tx.as_ref()?.replace("{}", &selection.tx.as_ref()?.txhash.to_string()));
        let of_block = || Some(explorer.block.as_ref()?.replace("{}", &selection.block.as_ref()?.height.to_string()));
        let of_subject = match &selection.web {
            Some(WebSubject::Url(url)) => Some(url.clone()),
            Some(WebSubject::Account(address)) => of_account(address),
            None => None,
        };
        of_subject.or_else(of_tx).or_else(of_block)
    }
}

/// Whether a command fails without a message, as a motion past the end of a list does.
fn is_quiet(command: Command) -> bool {
    let says_why =
        matches!(command, Command::NextPane | Command::PreviousPane | Command::FirstColumn | Command::LastColumn);
    let is_move = command.entry().topic == Topic::Moving && !says_why;
    is_move || command.entry().topic == Topic::Tabs
}

/// Whether a command moves the cursor.
fn is_motion(command: Command) -> bool {
    DOWNWARDS.contains(&command) || UPWARDS.contains(&command)
}

/// Returns what a command opens that shows a tab, or a side of one.
pub(super) fn tab_of(command: Command) -> Option<Destination> {
    let sides = Tab::ALL.into_iter().map(Destination::Tab).chain([Destination::Transfers]);
    sides.zip(TABS.into_iter().flatten()).find(|(_, known)| **known == command).map(|(side, _)| side)
}

fn is_hidden(command: Command) -> bool {
    let is_shown_motion = matches!(command, Command::NextPage | Command::Top);
    let is_second = HIDDEN.iter().any(|commands| commands.contains(&command)) || tab_of(command).is_some();
    is_second || is_motion(command) && !is_shown_motion
}

/// Whether rows exist above the cursor, and below it.
fn room(page: &dyn Page) -> (bool, bool) {
    page.cursor().map_or((false, false), Cursor::room)
}
