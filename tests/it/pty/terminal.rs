//! A program in a pseudo-terminal: its screen as a terminal shows it, and every byte that it wrote.

use std::{
    collections::BTreeSet,
    io::{Read, Write},
    num::NonZeroU16,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, SlavePty, native_pty_system};
use rollscope::config::{Key, KeyCode};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(30);

/// What came out of the terminal so far.
pub(crate) struct Output {
    parser: vt100::Parser,
    /// Every byte, from the start.
    pub(crate) bytes: Vec<u8>,
    /// How many bytes there were after each arrival, and when.
    arrivals: Vec<(usize, Instant)>,
    /// Nothing more will come.
    is_complete: bool,
    exit: Option<Exit>,
}

/// How a program ended, and how it left the terminal.
#[derive(Clone, Debug)]
struct Exit {
    status: ExitStatus,
    settings: String,
}

impl Output {
    /// The screen as text.
    pub(crate) fn screen(&self) -> String {
        self.parser.screen().contents()
    }

    /// The terminal's state.
    pub(crate) fn terminal(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// When the byte at this place came; `None` while it has not.
    pub(crate) fn arrival(&self, place: usize) -> Option<Instant> {
        let index = self.arrivals.partition_point(|(count, _)| *count <= place);
        self.arrivals.get(index).map(|(_, time)| *time)
    }

    /// The private modes (`CSI ? n h`) that are on after all the bytes. The cursor's (25) is on from the start.
    pub(crate) fn modes(&self) -> BTreeSet<u16> {
        let text = String::from_utf8_lossy(&self.bytes);
        let mut modes = BTreeSet::from([25]);
        for sequence in text.split("\x1b[?").skip(1) {
            let end = sequence.find(|character: char| !matches!(character, '0'..='9' | ';')).unwrap_or(0);
            let (numbers, rest) = sequence.split_at(end);
            for number in numbers.split(';').filter_map(|number| number.parse().ok()) {
                match rest.chars().next() {
                    Some('h') => modes.insert(number),
                    Some('l') => modes.remove(&number),
                    _ => false,
                };
            }
        }
        modes
    }
}

type Master = Arc<Mutex<Box<dyn MasterPty + Send>>>;

#[derive(Clone)]
struct Shared(Arc<(Mutex<Output>, Condvar)>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Output> {
        lock(&self.0.0)
    }

    fn change(&self, change: impl FnOnce(&mut Output)) {
        change(&mut self.lock());
        self.0.1.notify_all();
    }

    /// Waits for the condition; panics with the screen when it does not come true, or no longer can.
    fn wait(&self, what: &str, is_reached: impl Fn(&Output) -> bool) {
        let is_over = |output: &Output| is_reached(output) || output.is_complete;
        let (output, _) = self
            .0
            .1
            .wait_timeout_while(self.lock(), PATIENCE, |output| !is_over(output))
            .unwrap_or_else(PoisonError::into_inner);
        if !is_reached(&output) {
            let (screen, exit) = (output.screen(), output.exit.as_ref().map(|exit| exit.status.clone()));
            drop(output);
            panic!("waiting for {what} in vain (exit status {exit:?}); the screen:\n{screen}");
        }
    }
}

/// A program that runs in a pseudo-terminal of its own, with a home of its own. Killed when dropped.
pub(crate) struct Pty {
    master: Master,
    writer: Box<dyn Write + Send>,
    pid: Pid,
    shared: Shared,
    settings_before: String,
    home: Arc<TempDir>,
    variables: Vec<(String, String)>,
}

fn pty_size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// The emulator knows no empty screen.
fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap_or(NonZeroU16::MIN)
}

impl Pty {
    /// Starts a program with these arguments and these variables besides the few that every program gets.
    pub(crate) fn spawn(program: &str, arguments: &[&str], variables: &[(&str, &str)], size: (u16, u16)) -> Self {
        let home = Arc::new(tempfile::tempdir().expect("a folder for the program's files"));
        Self::spawn_at(home, program, arguments, variables, size)
    }

    /// Starts a program in a home that is made ready first.
    pub(crate) fn spawn_in(
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
        size: (u16, u16),
        prepare: impl FnOnce(&std::path::Path) -> std::io::Result<()>,
    ) -> Self {
        let home = Arc::new(tempfile::tempdir().expect("a folder for the program's files"));
        prepare(home.path()).expect("the home can be made ready");
        Self::spawn_at(home, program, arguments, variables, size)
    }

    /// Starts a program in the home of this one, with its variables and a terminal of the same size.
    pub(crate) fn spawn_beside(&self, program: &str, arguments: &[&str]) -> Self {
        let (rows, columns) = self.read(|output| output.terminal().size());
        let variables: Vec<(&str, &str)> = self.variables.iter().map(|(name, value)| (&**name, &**value)).collect();
        Self::spawn_at(Arc::clone(&self.home), program, arguments, &variables, (columns.get(), rows.get()))
    }

    /// The folder that is the program's home.
    pub(crate) fn home(&self) -> &std::path::Path {
        self.home.path()
    }

    fn spawn_at(
        home: Arc<TempDir>,
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
        size: (u16, u16),
    ) -> Self {
        let (columns, rows) = size;
        let pair = native_pty_system().openpty(pty_size(columns, rows)).expect("a pseudo-terminal");
        let settings_before = settings(&*pair.master);
        let output = Output {
            parser: vt100::Parser::new(cells(rows), cells(columns), 0),
            bytes: Vec::new(),
            arrivals: Vec::new(),
            is_complete: false,
            exit: None,
        };
        let shared = Shared(Arc::new((Mutex::new(output), Condvar::new())));
        read_all(pair.master.try_clone_reader().expect("the terminal's output"), shared.clone());
        let child =
            pair.slave.spawn_command(command(program, arguments, variables, &home)).expect("the program starts");
        let pid = child.process_id().and_then(|id| Pid::from_raw(id.try_into().ok()?)).expect("a process id");
        let writer = pair.master.take_writer().expect("the terminal's input");
        let master = Arc::new(Mutex::new(pair.master));
        watch_exit(child, pair.slave, Arc::clone(&master), shared.clone());
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self { master, writer, pid, shared, settings_before, home, variables }
    }

    /// Presses keys: their names as keymap files write them, with spaces between.
    pub(crate) fn keys(&mut self, names: &str) -> &mut Self {
        let bytes: Vec<u8> =
            names.split_whitespace().flat_map(|name| key_bytes(name.parse().expect("a key"))).collect();
        self.send(&bytes)
    }

    /// Sends bytes as they are.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> &mut Self {
        self.writer.write_all(bytes).and_then(|()| self.writer.flush()).expect("the terminal takes input");
        self
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) -> &mut Self {
        // First here, so that what is drawn for the new size is read with it.
        self.shared.change(|output| output.parser.set_size(cells(rows), cells(columns)));
        lock(&self.master).resize(pty_size(columns, rows)).expect("the terminal takes a size");
        self
    }

    /// Sends a signal to the program.
    pub(crate) fn signal(&mut self, signal: Signal) -> &mut Self {
        kill_process(self.pid(), signal).expect("the program is there");
        self
    }

    /// Waits until the screen shows the text.
    pub(crate) fn wait_for(&mut self, text: &str) -> &mut Self {
        self.wait_until(&format!("“{text}”"), |output| output.screen().contains(text))
    }

    /// Waits for something else about the output.
    pub(crate) fn wait_until(&mut self, what: &str, is_reached: impl Fn(&Output) -> bool) -> &mut Self {
        self.shared.wait(what, is_reached);
        self
    }

    /// Looks at the output so far.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Output) -> T) -> T {
        read(&self.shared.lock())
    }

    /// Whether the system has stopped the program; no byte tells that.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_stopped(&self) -> bool {
        let path = format!("/proc/{}/stat", self.pid().as_raw_pid());
        std::fs::read_to_string(path).expect("a running program has a state").contains(") T ")
    }

    /// The program's process id.
    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// The terminal's settings before the program started: what `stty` shows.
    pub(crate) fn settings_before(&self) -> &str {
        &self.settings_before
    }

    /// The terminal's settings: now, or as the program left them.
    pub(crate) fn settings(&self) -> String {
        let left = self.read(|output| output.exit.as_ref().map(|exit| exit.settings.clone()));
        left.unwrap_or_else(|| settings(&**lock(&self.master)))
    }

    /// Waits for the program's end and for the last byte of its output; its exit status.
    pub(crate) fn wait_exit(&mut self) -> u32 {
        self.shared.wait("the program's end", |output| output.exit.is_some() && output.is_complete);
        self.read(|output| output.exit.as_ref().map(|exit| exit.status.exit_code())).expect("waited for it")
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if self.read(|output| output.exit.is_none()) {
            let _ = kill_process(self.pid, Signal::KILL);
        }
    }
}

fn command(program: &str, arguments: &[&str], variables: &[(&str, &str)], home: &TempDir) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    command.args(arguments);
    command.env_clear();
    command.cwd(home.path());
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
        command.env(name, home.path());
    }
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    for (name, value) in variables {
        command.env(name, value);
    }
    command
}

/// Feeds the emulator until the terminal is closed on the other side.
fn read_all(mut reader: Box<dyn Read + Send>, shared: Shared) {
    thread::spawn(move || {
        let mut piece = vec![0; 1 << 16];
        while let Ok(count @ 1..) = reader.read(&mut piece) {
            let now = Instant::now();
            shared.change(|output| {
                let bytes = piece.get(..count).unwrap_or_default();
                output.parser.process(bytes);
                output.bytes.extend_from_slice(bytes);
                output.arrivals.push((output.bytes.len(), now));
            });
        }
        shared.change(|output| output.is_complete = true);
    });
}

/// Waits for the program's end beside the test. The program's side of the terminal is kept open until its settings
/// were read; then it is closed, and the output ends.
fn watch_exit(
    mut child: Box<dyn Child + Send + Sync>,
    slave: Box<dyn SlavePty + Send>,
    master: Master,
    shared: Shared,
) {
    thread::spawn(move || {
        let status = child.wait().expect("a child can be waited for");
        let settings = settings(&**lock(&master));
        shared.change(|output| output.exit = Some(Exit { status, settings }));
        drop(slave);
    });
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn settings(master: &(dyn MasterPty + Send)) -> String {
    format!("{:?}", master.get_termios().expect("a terminal has settings"))
}

/// What a terminal sends for a key.
fn key_bytes(key: Key) -> Vec<u8> {
    let mut bytes = match key.code {
        KeyCode::Char(character) if key.ctrl => vec![u8::try_from(character).expect("an ASCII letter") & 0x1f],
        KeyCode::Char(character) => character.to_string().into_bytes(),
        KeyCode::Enter => b"\r".to_vec(),
        KeyCode::Esc => b"\x1b".to_vec(),
        KeyCode::Backspace => b"\x7f".to_vec(),
        KeyCode::Tab => b"\t".to_vec(),
        KeyCode::BackTab => b"\x1b[Z".to_vec(),
        KeyCode::Up => b"\x1b[A".to_vec(),
        KeyCode::Down => b"\x1b[B".to_vec(),
        KeyCode::Right => b"\x1b[C".to_vec(),
        KeyCode::Left => b"\x1b[D".to_vec(),
        KeyCode::Home => b"\x1b[H".to_vec(),
        KeyCode::End => b"\x1b[F".to_vec(),
        KeyCode::Delete => b"\x1b[3~".to_vec(),
        KeyCode::PageUp => b"\x1b[5~".to_vec(),
        KeyCode::PageDown => b"\x1b[6~".to_vec(),
        KeyCode::F(number @ 1..=4) => vec![0x1b, b'O', b'O' + number],
        KeyCode::F(number @ 5) => format!("\x1b[{}~", 10 + number).into_bytes(),
        KeyCode::F(number @ 6..=10) => format!("\x1b[{}~", 11 + number).into_bytes(),
        KeyCode::F(number) => format!("\x1b[{}~", 12 + number).into_bytes(),
    };
    if key.alt {
        bytes.insert(0, 0x1b);
    }
    bytes
}
