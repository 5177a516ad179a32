//! What the rich list knows: the holders of a denom, and which denoms there are to choose from.

use super::concentration::Concentration;
use crate::{
    app::{format::AddressForm, known_denom::KnownDenom, page::Export, prompt::CopyChoice},
    domain::{Denom, text},
    msg::{PageRequest, Request, Total},
    panes::rows::HolderRow,
    widgets::{
        layout::{Pane, Regions},
        list::{ListWindow, PAGE, Prefetch},
    },
    wire::{ApiError, ErrorKind},
};

/// Holders that the list keeps at the most.
const HOLDER_CAPACITY: usize = 2000;
/// Holders of a denom up to which all are loaded at once.
const WHOLE: usize = 5000;

/// What is done with the denoms that a search finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DenomSearch {
    /// They are kept.
    Keep,
    /// One of them is chosen by hand.
    Choose,
    /// So many further from the shown one is shown.
    Step(isize),
}

#[derive(Debug)]
pub(crate) struct HoldersPage {
    /// Of which denom; `None` until one is known.
    pub(crate) denom: Option<Denom>,
    /// The denom's symbol, where the network file has one.
    pub(super) symbol: Option<String>,
    /// The holders, the largest first.
    pub(crate) list: ListWindow<HolderRow>,
    /// The holders or the figures, where the screen has no room for both.
    pub(crate) focus: Pane,
    /// What the holders come to that were loaded so far, also of rows that are not held any more.
    pub(crate) concentration: Box<Concentration>,
    /// The height that the server's list had reached when its first page came.
    pub(crate) height: Option<u64>,
    /// Denoms to choose from, as of the last look; the most seen first.
    pub(super) known: Vec<KnownDenom>,
    /// Denoms that were typed, the last one first.
    pub(super) typed: Vec<Denom>,
    /// What known denoms are looked for again for.
    pub(super) search: Option<DenomSearch>,
    /// Whether a denom lies before the shown one and after it, at a glance: while few were looked for.
    pub(super) glanced: [bool; 2],
    /// Account of the last holder that was counted.
    last_counted: Option<String>,
}

impl HoldersPage {
    /// Nothing chosen yet.
    pub(crate) fn new() -> Self {
        Self {
            denom: None,
            symbol: None,
            list: ListWindow::new(HOLDER_CAPACITY),
            focus: Pane::First,
            concentration: Box::default(),
            height: None,
            known: Vec::new(),
            typed: Vec::new(),
            search: None,
            glanced: [false; 2],
            last_counted: None,
        }
    }

    /// Whether the figures are over all holders that the server counts.
    pub(crate) fn is_whole(&self) -> bool {
        match self.list.total {
            Total::Exact(total) => total == self.concentration.counted(),
            Total::About(_) | Total::Unknown => self.list.has_ended() && !self.list.has_rows_above(),
        }
    }

    /// Gives the holders the room they have on the screen, and says how far they are loaded ahead.
    pub(super) fn make_room(&mut self, regions: &Regions) {
        // The figures of a list of moderate length are over all of it without being asked for.
        let is_moderate = matches!(self.list.total, Total::Exact(total) if total <= WHOLE as u64);
        self.list.prefetch =
            if is_moderate && self.list.rows().len() <= WHOLE { Prefetch::All } else { Prefetch::Near };
        let (holders, _) = regions.rich_list(self.focus);
        self.list.set_viewport(usize::from(regions.list_rows(holders).height));
    }

    /// Shows the holders of this denom, whose symbol the network file may have.
    pub(super) fn show(&mut self, denom: Denom, symbol: Option<String>) {
        if self.denom.as_ref() == Some(&denom) {
            return;
        }
        (self.denom, self.symbol) = (Some(denom), symbol);
        self.list.clear();
        self.count_anew();
    }

    /// Counts the rows held that were not counted yet. A row that was dropped and came again is known by its rank;
    /// where ranks moved meanwhile, the last row that was counted says where to go on.
    pub(super) fn count(&mut self) {
        let counted = self.concentration.counted();
        let is_last = |row: &HolderRow| {
            Some(&row.holder.account) == self.last_counted.as_ref()
                && row.rank.get().abs_diff(counted) <= u64::from(PAGE)
        };
        let rows: Vec<&HolderRow> = self.list.rows().iter().collect();
        let start = match rows.iter().rposition(|row| is_last(row)) {
            Some(place) => place + 1,
            None => rows.iter().position(|row| row.rank.get() > counted).unwrap_or(rows.len()),
        };
        for row in &rows[start..] {
            self.concentration.add(row.holder.amount);
        }
        if start < rows.len() {
            self.last_counted = rows.last().map(|row| row.holder.account.clone());
        }
    }

    /// Forgets what was counted.
    pub(super) fn count_anew(&mut self) {
        *self.concentration = Concentration::default();
        self.last_counted = None;
        self.height = None;
    }

    /// Whether a failed first page is asked for again only by hand: asking for a denom that an EVM rollup does not know
    /// keeps its server busy for most of a minute, and again with each try (`docs/apis/indexer.md` §1.4, §7).
    pub(super) fn is_refused(&self) -> bool {
        let refused = |error: &ApiError| {
            !error.is_transient() || matches!(error.kind, ErrorKind::Timeout(_) | ErrorKind::Server { .. })
        };
        self.list.state.error().is_some_and(refused)
    }

    /// The holders held as JSON lines, with the height that the server's list had reached and the time when its first page
    /// came; the file's name says which ranks they have.
    pub(super) fn exported(&self) -> Option<Export> {
        let rows = self.list.rows();
        let (first, last) = (rows.iter().next()?.rank, rows.iter().next_back()?.rank);
        let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '.');
        let denom: String = self.denom.as_ref()?.as_str().chars().take(80).collect();
        let denom = denom.replace(|character| !is_plain(character), "-");
        let at = self.list.state.at().map(|at| at.to_string());
        let line = |row: &HolderRow| {
            let record = serde_json::json!({
                "rank": row.rank, "account": row.holder.account, "amount": row.holder.amount.to_string(),
                "height": self.height, "time": at,
            });
            record.to_string() + "\n"
        };
        let name = format!("holders-{denom}-{first}-to-{last}.jsonl");
        let export = Export { name, contents: rows.iter().map(line).collect(), note: self.export_note() };
        Some(export.lacking(rows.unreadable()))
    }

    /// How many holders an export has, and how to get all.
    fn export_note(&self) -> Option<String> {
        let held = self.list.rows().iter().count() as u64;
        let denom = text::clip(self.denom.as_ref()?.as_str(), 80);
        let holders = if held == 1 { "1 holder".to_owned() } else { format!("{} holders", text::group(held)) };
        let is_all = self.list.has_ended() && !self.list.has_rows_above();
        let note = format!("{holders} held here; `rollscope holders {denom} --all` gives all");
        Some(if is_all { format!("all {holders}") } else { note })
    }

    /// What can be copied of the selected holder.
    pub(super) fn copied(&self, form: AddressForm) -> Vec<CopyChoice> {
        let choice = CopyChoice::value;
        let mut choices = Vec::new();
        if let Some(row) = self.list.selected() {
            let holder = &row.holder;
            if let Some(address) = holder.address() {
                choices.push(choice('v', "account", form.write(address)));
                choices.push(choice('x', "account, other form", form.flipped().write(address)));
            } else {
                choices.push(choice('v', "account, as the server has it", text::clean(&holder.account).into_owned()));
            }
            choices.push(choice('m', "amount, smallest unit", holder.amount.to_string()));
            choices.push(CopyChoice::document(
                'j',
                "row as JSON",
                serde_json::to_string(&**holder).unwrap_or_default(),
            ));
        }
        choices.extend(self.denom.as_ref().map(|denom| choice('d', "denom", denom.to_string())));
        choices
    }

    /// What brings the list's first page.
    pub(super) fn request(&self) -> Option<Request> {
        Some(Request::Holders(self.denom.clone()?, PageRequest::newest(PAGE)))
    }
}
