//! Frame of every screen: header with the chain's health, tabs, and footer with the available keys.

use std::time::Duration;

use crate::panes::hints::spinner;
use ratatui::layout::Rect;
use strum::IntoEnumIterator as _;
use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::{
        App,
        format::{TimeForm, age, age_at},
        hint::Hint,
        modal::{ExportState, Modal},
        page::{Shows, Tab, Unseen},
        prompt::Prompt,
    },
    config::{Command, Key, KeyCode, Meaning, shown_url},
    domain::text,
    widgets::{
        Hit,
        canvas::{Canvas, Part, row, width_of},
        layout::{Regions, Tier},
    },
    wire::ServerInterface,
};

/// Returns the configured key of a command on this screen.
pub(super) fn shown(app: &App, command: Command) -> String {
    app.context.keymap.shown(app.screen().layers(), command).unwrap_or_default()
}

/// Draws the header (network, chain, connection, height with its age, block time, distance from the tip) and the tabs.
/// Maximum age of the latest status of a live server; a session that is asked for nothing else asks every few seconds.
const LIVE: Duration = Duration::from_secs(30);

pub(super) fn draw_header(canvas: &mut Canvas<'_>, app: &App, regions: &Regions) {
    let area = regions.header;
    let left = header_parts(app, regions.tier, area.width);
    let used = width_of(&left).min(area.width);
    canvas.parts(area, left);
    let keys = [Command::Inspector, Command::Help].map(|command| {
        let parts = [(Meaning::Muted, format!("  {} ", command.label())), (Meaning::Shortcut, shown(app, command))];
        (command, width_of(&parts), parts)
    });
    let width = keys.iter().map(|(_, width, _)| width).sum::<u16>() + 1;
    if used + width <= area.width {
        let mut x = area.right() - width;
        for (command, width, parts) in keys {
            let cell = Rect { x, width, ..area };
            canvas.parts(cell, parts);
            canvas.hit(cell, Hit::Key(command));
            x += width;
        }
    }
    draw_tabs(canvas, app, regions.tabs);
}

/// Rank from which a part of the header says something without the parts before it.
const ALONE_FROM: u8 = 6;

/// Returns the parts of the header that fit. Drops the least important parts first.
fn header_parts(app: &App, tier: Tier, room: u16) -> Vec<Part> {
    let chain_id = app.context.chain.status.value().map(|status| status.chain_id.as_str()).or(app
        .context
        .network
        .chain_id
        .as_deref());
    // A header without tabs names the current page.
    let page = app.navigation.current();
    let place = match tier {
        Tier::Tiny | Tier::Compact if page.place().denom.is_some() => format!(" {} · ", text::clip(&page.title(), 24)),
        Tier::Tiny | Tier::Compact => format!(" {} · ", page.place().tab),
        Tier::Normal | Tier::Wide => " rollscope  ".to_owned(),
    };
    let servers = server_segments(app);
    let who = vec![
        (Meaning::Heading, place),
        (Meaning::Heading, text::clip(chain_id.unwrap_or(&app.context.network.name), 24)),
        (Meaning::Text, " ".to_owned()),
        connection(app, !servers.is_empty()),
    ];
    let mut segments = vec![(0, who)];
    segments.extend(servers);
    if let Some(url) = app.context.next_node_in_use() {
        segments.push((5, vec![(Meaning::Warning, format!("   node {}", text::clip(shown_url(url), 32)))]));
    }
    if let [first, others @ ..] = app.context.directory.faults() {
        let more = if others.is_empty() { String::new() } else { format!(" +{}", others.len()) };
        segments.push((1, vec![(Meaning::Warning, format!("  ! fault {}{more}", text::clip(first, 20)))]));
    }
    if let Some(height) = app.context.chain.height() {
        let number = text::group(height.get());
        segments.push((2, vec![(Meaning::Muted, "   height ".to_owned()), (Meaning::Number, number)]));
        if let Some(block) = app.context.chain.newest_block.as_ref().filter(|block| block.height == height) {
            let when = match app.context.shown_time_form() {
                TimeForm::Age => age_at(block.timestamp, app.context.now),
                form => form.write(block.timestamp, app.context.now, &app.context.zone),
            };
            let meaning =
                if app.context.chain.silence(app.context.now).is_some() { Meaning::Warning } else { Meaning::Muted };
            segments.push((3, vec![(Meaning::Muted, " · ".to_owned()), (meaning, when)]));
            let wait = app.context.chain.next_block_in(app.context.now).filter(|_| app.context.has_ages());
            if let Some(seconds) = wait.map(|wait| wait.as_secs()).filter(|seconds| *seconds > 1) {
                segments.push((9, vec![(Meaning::Muted, format!(", next in ≈ {seconds} s"))]));
            }
        }
    }
    if tier > Tier::Compact {
        if let Some(seconds) = app.context.chain.average.value().filter(|seconds| **seconds > 0.0) {
            let span = (Meaning::Number, format!("{seconds:.2} s"));
            let seen = app
                .context
                .chain
                .rhythm
                .conflict()
                .map(|conflict| format!(", seen {:.2} s", conflict.seen.as_secs_f64()));
            let seen = (Meaning::Warning, seen.unwrap_or_default());
            segments.push((7, vec![(Meaning::Muted, "   block ".to_owned()), span, seen]));
        }
        if let Some(lag) = app.context.chain.lag(app.context.now) {
            let meaning = if lag.blocks > 3 { Meaning::Warning } else { Meaning::Muted };
            // Without a lag the block time says more.
            let rank = if lag.blocks > 0 { 4 } else { 8 };
            segments.push((rank, vec![(meaning, format!("   {lag}"))]));
        }
    }
    if app.context.lacks_units() {
        segments.push((6, vec![(Meaning::Warning, "  units unknown: --node".to_owned())]));
    }
    let (mut left, mut kept) = (room, Vec::new());
    for rank in 0..=9 {
        let width = segments.iter().filter(|(of, _)| *of == rank).map(|(_, parts)| width_of(parts)).sum::<u16>();
        match left.checked_sub(width) {
            Some(rest) => left = rest,
            None if rank == 0 => left = 0,
            // The last ones stand alone: a shorter one may have the room that one lacks.
            None if rank >= ALONE_FROM => continue,
            None => break,
        }
        kept.push(rank);
    }
    segments.retain(|(rank, _)| kept.contains(rank));
    segments.into_iter().flat_map(|(_, parts)| parts).collect()
}

/// Returns a segment for each server beside the indexer, with its rank, if the servers do not all work.
fn server_segments(app: &App) -> Vec<(u8, Vec<Part>)> {
    let context = &app.context;
    let others = || context.servers.proven(context.now).filter(|state| state.server != ServerInterface::Indexer);
    if context.chain.failures == 0 && others().all(|state| state.failure.is_none()) {
        return Vec::new();
    }
    let segments = others().flat_map(|state| {
        let (name, age) = (state.server.name(), state.age(context.now).filter(|_| context.has_ages()));
        let (rank, sign) = match state.failure {
            Some(failure) => (1, (Meaning::Bad, format!("  ○ {name} {failure}"))),
            None => (8, (Meaning::Good, format!("  ● {name}"))),
        };
        let age = age.map(|age| (rank.max(5), vec![(Meaning::Muted, format!(" {age}"))]));
        [Some((rank, vec![sign])), age].into_iter().flatten()
    });
    segments.collect()
}

/// Returns the state of the indexer and its chain. With the states of other servers beside it, it names the indexer.
fn connection(app: &App, is_named: bool) -> Part {
    let name = if is_named { "indexer " } else { "" };
    let status = &app.context.chain.status;
    if app.context.chain.named_else.is_some() {
        (Meaning::Bad, "✗ wrong chain".to_owned())
    } else if app.context.frozen {
        (Meaning::Warning, "■ frozen".to_owned())
    } else if app.context.chain.failures > 0 {
        let word = match status.error() {
            _ if status.value().is_some() => "stale",
            Some(_) if app.context.chain.extent.is_empty() => "no block yet",
            Some(error) if error.has_answer() => "failing",
            _ => "offline",
        };
        match app
            .context
            .chain
            .retry_in(app.context.now)
            .map(|wait| wait.as_secs_f64().ceil())
            .filter(|seconds| *seconds >= 1.0)
        {
            Some(seconds) => (Meaning::Bad, format!("○ {name}{word}, retry in {seconds:.0} s")),
            None => (Meaning::Bad, format!("○ {name}{word}, retrying")),
        }
    } else if let Some(at) = status.at().filter(|at| app.context.now.since(*at) >= LIVE) {
        (Meaning::Warning, format!("◌ {name}last answer {} ago", age_at(at, app.context.now)))
    } else if let Some(node) = status.value().and_then(|status| status.node.as_ref())
        && (node.trouble.is_some() || node.is_catching_up)
    {
        match &node.trouble {
            Some(_) => (Meaning::Bad, "○ node failing".to_owned()),
            None => (Meaning::Warning, "◌ node catching up".to_owned()),
        }
    } else if let Some(silence) = app.context.chain.silence(app.context.now) {
        let silence = age(silence);
        if app.context.chain.is_at_node(app.context.now) {
            (Meaning::Warning, format!("○ the chain made no block for {silence}"))
        } else {
            (Meaning::Bad, format!("○ no block for {silence}"))
        }
    } else if let Some(shift) = app.context.chain.clock_shift {
        (Meaning::Warning, format!("○ clock {shift}"))
    } else if status.value().is_some() {
        (Meaning::Good, format!("● {}", if is_named { "indexer" } else { "live" }))
    } else {
        (Meaning::Muted, format!("{} connecting", spinner(&app.context)))
    }
}

fn draw_tabs(canvas: &mut Canvas<'_>, app: &App, area: Rect) {
    if area.height == 0 {
        return;
    }
    let current = app.navigation.current().place().tab;
    let mut x = area.x;
    for (place, tab) in Tab::iter().enumerate() {
        // The mark is on the last tab, so that no other tab moves when the number changes.
        let live = match app.context.transfers.live() {
            live if live > 0 && tab == Tab::Bridge => format!(" •{live}"),
            _ => String::new(),
        };
        let (meaning, label) = if tab == current {
            (Meaning::ActiveTab, format!("[{} {tab}{live}]", place + 1))
        } else {
            (Meaning::Text, format!(" {} {tab}{live} ", place + 1))
        };
        let width = u16::try_from(label.width()).unwrap_or(u16::MAX);
        if x + width > area.right() {
            break;
        }
        let cell = Rect::new(x, area.y, width, 1);
        canvas.text(cell, meaning, &label);
        canvas.hit(cell, Hit::Tab(place));
        x += width;
    }
    if !app.navigation.is_at_root() {
        let room = usize::from(area.right() - x).saturating_sub(2);
        let crumbs = format!("{} ", crumbs(&app.navigation.crumbs(), room));
        canvas.parts_right(Rect { x, width: area.right() - x, ..area }, vec![(Meaning::Muted, crumbs)]);
    }
}

/// Joins the titles of the previous pages that fit, nearest last.
fn crumbs(way: &[String], room: usize) -> String {
    let whole = (0..way.len()).map(|start| way.iter().skip(start).cloned().collect::<Vec<_>>().join(" › "));
    // A shortened hash already contains an ellipsis.
    let shortest = way.last().map(|last| text::clip(last, room).replace("……", "…")).unwrap_or_default();
    whole.into_iter().find(|crumbs| crumbs.width() <= room).unwrap_or(shortest)
}

/// Minimum columns at which the palette's key is always last in the footer.
const ROOM_FOR_PALETTE: u16 = 60;

/// Draws a message or the available keys, most useful first. The right end shows how many rows arrived above.
pub(super) fn draw_footer(canvas: &mut Canvas<'_>, app: &App, regions: &Regions) {
    let area = row(regions.footer, 0);
    let banner = banner(app);
    let used = canvas.parts_right(area, banner.clone());
    if let Some(arrived) = banner.last().filter(|_| used > 0 && app.navigation.current().place().unseen.is_some()) {
        let width = width_of(std::slice::from_ref(arrived));
        canvas.hit(Rect { x: area.right() - width, width, ..area }, Hit::Key(Command::Top));
    }
    let mut room = Rect { width: area.width.saturating_sub(used + 1), ..area };
    if let Some(toast) = app.toasts.shown().filter(|_| app.pending_keys.is_empty()) {
        let (meaning, sign) = toast.kind.sign();
        let line = format!(" {sign} {} ", toast.text);
        canvas.text(room, meaning, &line);
        if !toast.kind.is_done() {
            return;
        }
        // A success leaves the keys for which there is room.
        let width = u16::try_from(text::columns(&line)).unwrap_or(u16::MAX).min(room.width);
        room = Rect { x: room.x + width, width: room.width - width, ..room };
    }
    let has_palette = room.width >= ROOM_FOR_PALETTE;
    // The palette and the key that leaves always stay visible.
    let is_last = |key: &FooterKey| match key.hit {
        Some(Hit::Key(Command::Help)) => true,
        Some(Hit::Key(Command::Palette)) => has_palette,
        _ => false,
    };
    let (last, others): (Vec<FooterKey>, Vec<FooterKey>) = footer_keys(app).into_iter().partition(is_last);
    let kept = last.iter().chain(others.iter().filter(|key| key.leads_out()));
    let mut left = usize::from(room.width).saturating_sub(kept.map(FooterKey::width).sum());
    let fitting = others.into_iter().filter(|key| {
        let rest = left.checked_sub(key.width()).filter(|_| !key.leads_out());
        left = rest.unwrap_or(left);
        rest.is_some() || key.leads_out()
    });
    let mut parts: Vec<Part> = Vec::new();
    for footer_key in fitting.collect::<Vec<_>>().into_iter().chain(last) {
        let (x, width) = (room.x + width_of(&parts), u16::try_from(footer_key.width()).unwrap_or(u16::MAX));
        let FooterKey { key, label, hit } = footer_key;
        if let Some(hit) = hit {
            canvas.hit(Rect { x, width, ..room }.intersection(room), hit);
        }
        parts.push((Meaning::Shortcut, format!(" {key}")));
        parts.push((Meaning::Muted, format!(" {label} ")));
    }
    canvas.parts(room, parts);
}

struct FooterKey {
    key: String,
    label: &'static str,
    /// What a click does; `None` for a key that no click types.
    hit: Option<Hit>,
}

impl FooterKey {
    fn width(&self) -> usize {
        text::columns(&self.key) + text::columns(self.label) + 3
    }

    /// Whether the key closes an overlay or leads back.
    fn leads_out(&self) -> bool {
        matches!(self.hit, Some(Hit::Key(Command::Back) | Hit::Press(Key { code: KeyCode::Esc, .. })))
    }
}

/// Returns the keys of the footer: those that continue a typed prefix, those of an overlay, or those of the screen.
fn footer_keys(app: &App) -> Vec<FooterKey> {
    if !app.pending_keys.is_empty() {
        // A click types a letter that completes the sequence.
        let typed = |key: &str| key.parse().ok().filter(|_| key.len() == 1).map(Hit::Press);
        let follow = app.screen().continuations(&app.pending_keys, app.modal.is_some());
        return follow.into_iter().map(|(key, label)| FooterKey { hit: typed(&key), key, label }).collect();
    }
    let fixed: &[(&str, &'static str)] = match &app.modal {
        None | Some(Modal::Prompt(Prompt::Find(_) | Prompt::Search(..))) => {
            let hints =
                app.screen().hints().into_iter().filter(|hint| hint.is_available() && !hint.is_hidden_in_footer);
            let key = |hint: Hint| {
                let key = shown(app, hint.command);
                (!key.is_empty()).then(|| FooterKey {
                    key,
                    label: hint.shown_label(),
                    hit: Some(Hit::Key(hint.command)),
                })
            };
            return hints.filter_map(key).collect();
        }
        Some(Modal::GoTo(go_to)) if go_to.marked_bookmark().is_some() => {
            &[("enter", "go"), ("del", "drop bookmark"), ("down", "choose"), ("esc", "close")]
        }
        Some(Modal::GoTo(_)) => &[("enter", "go"), ("down", "choose"), ("esc", "close")],
        Some(Modal::Palette(_)) => &[("enter", "run"), ("down", "choose"), ("esc", "close")],
        Some(Modal::Prompt(Prompt::Types(_))) => {
            &[("space", "mark"), ("enter", "apply"), ("down", "choose"), ("esc", "leave")]
        }
        Some(Modal::Prompt(Prompt::Entry(_))) => &[("enter", "apply"), ("esc", "leave")],
        Some(Modal::Prompt(Prompt::Denoms(_) | Prompt::Pick(_))) => {
            &[("enter", "choose"), ("down", "move"), ("esc", "leave")]
        }
        Some(Modal::Columns(_)) => &[
            ("space", "show"),
            ("J", "move down"),
            ("K", "move up"),
            ("r", "default"),
            ("enter", "keep"),
            ("esc", "discard"),
        ],
        Some(Modal::Copy(_)) => &[("esc", "close")],
        Some(Modal::Export(_)) => &[("enter", "write"), ("m", "mask addresses"), ("esc", "leave")],
        Some(Modal::Help(_)) => &[("down", "down"), ("up", "up"), ("esc", "close")],
        Some(Modal::Inspector(inspector)) if inspector.detail.is_some() => &[("y", "copy the line"), ("esc", "back")],
        Some(Modal::Inspector(inspector)) if inspector.figures.is_some() => &[("tab", "next order"), ("esc", "close")],
        Some(Modal::ExportRows(dialog)) => match dialog.state {
            ExportState::Writing(..) => &[("esc", "cancel")],
            ExportState::Done(_) => &[("esc", "close")],
            _ => &[("enter", "write"), ("down", "move"), ("right", "change"), ("esc", "close")],
        },
        Some(Modal::Inspector(_)) => {
            &[("enter", "open"), ("y", "copy as curl"), ("tab", "by endpoint"), ("esc", "close")]
        }
    };
    let typed = |key: Key, label| FooterKey { key: key.symbol(), label, hit: Some(Hit::Press(key)) };
    fixed.iter().filter_map(|(key, label)| Some(typed(key.parse().ok()?, label))).collect()
}

fn banner(app: &App) -> Vec<Part> {
    let mut parts = Vec::new();
    if !app.pending_keys.is_empty() {
        let keys: String = app.pending_keys.iter().map(|key| key.symbol()).collect();
        parts.push((Meaning::Shortcut, format!("{keys}… ")));
    }
    let place = app.navigation.current().place();
    if let (Some(marked), false) = (app.context.marked_hash(), place.shows(Shows::Marked)) {
        parts.push((Meaning::Match, format!("◆ {}", marked.short())));
        parts.push((Meaning::Text, " ".to_owned()));
    }
    parts.extend(place.unseen.map(|unseen| arrived(app, unseen)));
    parts
}

/// Returns the number of rows that arrived above, and the key that restarts the list if it must restart.
fn arrived(app: &App, unseen: Unseen) -> Part {
    let plus = if unseen.is_least { "+" } else { "" };
    let way = match app.context.keymap.shown(app.screen().layers(), Command::Top).filter(|_| unseen.is_far) {
        Some(key) => format!(", {key} shows the newest"),
        None => String::new(),
    };
    (Meaning::Warning, format!("▲ {}{plus} new{way} ", text::group(unseen.rows as u64)))
}
