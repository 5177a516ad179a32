//! Runs the program in a home of its own, away from the user's settings and environment.

use std::{fs, process::Output};

use assert_cmd::Command;
use tempfile::TempDir;

/// A home folder with nothing in it but what the test puts there.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    pub(crate) fn with_config(text: &str) -> Self {
        let home = Self::empty();
        let folder = home.0.path().join("config").join("rollscope");
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join("config.toml"), text).expect("a file can be written");
        home
    }

    /// The program, with these arguments separated by spaces.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rollscope"));
        command.env_clear();
        command.env("HOME", self.0.path());
        command.env("XDG_CONFIG_HOME", self.0.path().join("config"));
        command.env("XDG_STATE_HOME", self.0.path().join("state"));
        command.env("COLUMNS", "100");
        // Known networks have addresses: no test may reach them. Servers of this machine need no proxy.
        command.env("ALL_PROXY", "http://127.0.0.1:1");
        command.timeout(std::time::Duration::from_secs(180));
        command.args(arguments.split_whitespace());
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Ran {
        Ran::of(&self.command(arguments).output().expect("the program can be started"))
    }

    pub(crate) fn path(&self) -> &std::path::Path {
        self.0.path()
    }
}

/// How the program ended and what it wrote.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is text");
        Self {
            status: output.status.code().expect("the program ended by itself"),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// The output, of a program that ended well and had nothing to complain of.
    #[track_caller]
    pub(crate) fn good(self) -> String {
        assert_eq!((self.status, self.err.as_str()), (0, ""), "{self:?}");
        self.out
    }

    /// The sentence of a program that ended with this status and no output.
    #[track_caller]
    pub(crate) fn bad(self, status: i32) -> String {
        assert_eq!((self.status, self.out.as_str()), (status, ""), "{self:?}");
        assert_eq!(self.err.lines().count(), 1, "one sentence is expected: {self:?}");
        let sentence = self.err.trim_end().strip_prefix("rollscope: ").expect("it says who speaks");
        sentence.to_owned()
    }
}

/// Runs the program in an empty home.
pub(crate) fn run(arguments: &str) -> Ran {
    Home::empty().run(arguments)
}
