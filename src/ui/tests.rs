//! Smallest page, which the session does not know. It shows what a screen requires.

use std::cell::Cell;

use ratatui::{Terminal, backend::TestBackend};

use crate::{
    app::{
        App, AppOptions, Context, Event, Pages,
        hint::Hint,
        page::{Destination, Drawing, Focus, FocusMut, Handled, Page, PageCx, PageEvent, Place, Tab},
    },
    columns::Columns,
    config::{Announcements, Command, Key, KeyScope, Keymap, Meaning, Network, Styles, ThemeName},
    domain::{LocalZone, Timestamp},
    story::AbiRegistry,
    widgets::{
        canvas::Canvas,
        document::{self, Document, Line},
    },
};

/// Notes in lines; Enter removes one.
#[derive(Debug)]
struct NotesPage {
    document: Document,
    taken: usize,
    /// Number of hints that the session built.
    hints: Cell<usize>,
}

impl NotesPage {
    fn new() -> Self {
        let lines = ["first note", "second note"].map(|note| Line::at(0).with(Meaning::Text, note));
        Self { document: Document::new(lines.into()), taken: 0, hints: Cell::new(0) }
    }
}

impl Page for NotesPage {
    fn title(&self) -> String {
        format!("Notes · {} taken", self.taken)
    }

    fn place(&self) -> Place {
        Place::new(Tab::Overview, KeyScope::List)
    }

    fn update(&mut self, cx: &mut PageCx<'_>) {
        self.document.fit(cx.regions.inner(cx.regions.body));
    }

    fn draw(&self, canvas: &mut Canvas<'_>, cx: &Drawing<'_>) {
        let regions = cx.regions;
        canvas.frame(regions.body, regions.tier, true, vec![(Meaning::Heading, self.title())], Vec::new());
        document::draw::draw(canvas, regions.inner(regions.body), &self.document, true, 0);
    }

    fn commands(&self, _cx: &Context) -> Vec<Command> {
        vec![Command::Open, Command::Mark]
    }

    fn hint(&self, hint: Hint, _cx: &Context) -> Hint {
        self.hints.set(self.hints.get() + 1);
        match hint.command {
            Command::Open => hint.label("take it down"),
            Command::Mark => Hint::new(Command::Mark).enabled_if(self.taken > 0, "no note is taken yet"),
            _ => hint,
        }
    }

    fn on(&mut self, _event: PageEvent<'_>, _cx: &mut PageCx<'_>) {}

    fn focus(&self) -> Option<Focus<'_>> {
        Some(Focus::Cursor(&self.document))
    }

    fn focus_mut(&mut self) -> Option<FocusMut<'_>> {
        Some(FocusMut::Cursor(&mut self.document))
    }

    fn act(&mut self, command: Command, _cx: &mut PageCx<'_>) -> Handled {
        match command {
            Command::Open => self.taken += 1,
            _ => return Handled::Pass,
        }
        Handled::Done
    }
}

/// Opens the page; the list of pages requires this signature.
fn open(_destination: Destination, _cx: &Context) -> Box<dyn Page> {
    Box::new(NotesPage::new())
}

/// Session whose only page is the notes page, with its terminal.
struct Bench {
    app: App,
    terminal: Terminal<TestBackend>,
}

impl Bench {
    fn new(size: (u16, u16)) -> Self {
        let options = AppOptions {
            network: Network { name: "test".to_owned(), ..Network::default() },
            networks: crate::config::Networks::default(),
            kept: Vec::new(),
            abi: AbiRegistry::default(),
            keymap: Keymap::built_in(),
            warnings: Vec::new(),
            log_file: None,
            folder: "/exports".into(),
            announcements: Announcements::default(),
            zone: LocalZone::default(),
            columns: Columns::default(),
            pages: Pages { open },
            path_of: |_| None,
        };
        let (app, _) = App::new(options, size, Timestamp::EPOCH);
        let Ok(terminal) = Terminal::new(TestBackend::new(size.0, size.1));
        Self { app, terminal }
    }

    /// Presses keys and returns the lines of the screen.
    fn keys(&mut self, keys: &str) -> Vec<String> {
        for key in keys.split_whitespace() {
            self.app.update(Event::Key(key.parse::<Key>().expect("a key")), Timestamp::EPOCH);
        }
        let (app, styles) = (&self.app, Styles::new(ThemeName::Mono));
        let Ok(frame) = self.terminal.draw(|frame| drop(super::draw(frame, app, &styles)));
        let cells = frame.buffer.content.chunks(usize::from(frame.area.width));
        let line = |row: &[ratatui::buffer::Cell]| row.iter().map(ratatui::buffer::Cell::symbol).collect::<String>();
        cells.map(|row| line(row).trim_end().to_owned()).collect()
    }

    /// Returns the number of hints built since the last call.
    fn hints(&self) -> usize {
        self.app.navigation.current().as_page::<NotesPage>().expect("it is open").hints.take()
    }

    fn press(&mut self, key: &str) -> usize {
        self.hints();
        self.app.update(Event::Key(key.parse::<Key>().expect("a key")), Timestamp::EPOCH);
        self.hints()
    }

    fn cursor(&self) -> (bool, bool) {
        self.app.navigation.current().cursor().expect("it has lines").room()
    }
}

#[test]
fn a_page_of_a_few_lines_has_keys_footer_help_and_palette() {
    let mut bench = Bench::new((80, 24));
    let screen = bench.keys("").join("\n");
    for text in ["[1 Overview]", "┌ Notes · 0 taken ", "first note", "second note", " ↵ take it down "] {
        assert!(screen.contains(text), "“{text}” is not in\n{screen}");
    }
    assert_eq!(bench.cursor(), (false, true));
    let screen = bench.keys("j enter enter");
    assert_eq!(bench.cursor(), (true, false), "j moves in it");
    assert!(screen.iter().any(|line| line.contains("Notes · 2 taken")), "{screen:#?}");
    let help = bench.keys("?").join("\n");
    assert!(help.contains("▾ Here") && help.contains("Open the selected row"), "{help}");
    let palette = bench.keys("esc : o p e n").join("\n");
    assert!(palette.contains("Commands") && palette.contains("Open the selected row"), "{palette}");
    let ran = bench.keys("enter").join("\n");
    assert!(ran.contains("Notes · 3 taken"), "{ran}");
}

#[test]
fn what_the_page_cannot_do_now_is_not_in_the_footer_and_is_refused_with_its_reason() {
    let mut bench = Bench::new((80, 24));
    let footer = bench.keys("").pop().unwrap_or_default();
    assert!(!footer.contains("mark"), "{footer}");
    let refused = bench.keys(": m a r k").join("\n");
    assert!(refused.contains("no note is taken yet"), "{refused}");
}

#[test]
fn a_key_builds_one_hint_at_most_and_a_frame_each_of_the_footer_once() {
    let mut bench = Bench::new((80, 24));
    let one = ["enter", "m", "c", "r", "R", "b", "f", "z", "a", "u", "U", "y", "x", "esc", "[", "]", "tab", "T"];
    let built: Vec<(&str, usize)> = one.map(|key| (key, bench.press(key))).into();
    assert!(built.iter().all(|(_, hints)| *hints <= 1), "{built:?}");
    assert!(built.iter().map(|(_, hints)| hints).sum::<usize>() >= 6, "these keys run commands: {built:?}");
    for key in ["j", "k", "g", "G", "1", "2"] {
        assert_eq!(bench.press(key), 0, "{key} is never refused");
    }
    assert!(bench.press("?") > 1, "help builds one for each command, and they are counted");
    bench.keys("esc 1");
    bench.hints();
    bench.keys("");
    assert_eq!(bench.hints(), bench.app.screen().commands().len(), "one frame");
}

#[test]
fn footers_have_the_available_commands_in_order_and_what_shows_the_rest_last() {
    for width in [20, 40, 59, 60, 61, 80, 120, 200, 400] {
        let mut bench = Bench::new((width, 24));
        let footer = bench.keys("").pop().unwrap_or_default();
        let hints =
            bench.app.screen().hints().into_iter().filter(|hint| hint.is_available() && !hint.is_hidden_in_footer);
        let layers = bench.app.screen().layers();
        let key = |hint: &Hint| bench.app.context.keymap.shown(layers, hint.command).map(|key| (hint.command, key));
        let all: Vec<String> = hints
            .filter_map(|hint| key(&hint).map(|(command, key)| (command, format!(" {key} {} ", hint.shown_label()))))
            .filter(|(command, _)| !matches!(command, Command::Help | Command::Palette))
            .map(|(_, item)| item)
            .collect();
        let room = usize::from(width) - 1;
        let last = if room < 60 { " ? help " } else { " : commands  ? help " };
        let mut line = String::new();
        for item in all {
            if line.chars().count() + item.chars().count() + last.len() <= room {
                line += &item;
            }
        }
        assert_eq!(footer.trim(), (line + last).trim(), "{width}");
    }
}

#[test]
fn the_smallest_page_is_small() {
    let source = include_str!("tests.rs");
    let start = source.find("\nstruct NotesPage").expect("its beginning");
    let end = source.find("\nstruct Bench").expect("what follows it");
    let lines = source[start..end].lines().count();
    assert!(lines <= 80, "it has {lines} lines");
}
