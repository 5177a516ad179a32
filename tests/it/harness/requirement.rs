//! What some tests need beyond a Rust toolchain.
//!
//! Where it is absent such a test skips with a line on standard error that libtest does not capture and `.ci/run`
//! counts. `ROLLSCOPE_REQUIRE` names, with commas between, what must not be absent: then the test fails.

use std::{
    env,
    io::{self, Write as _},
    path::PathBuf,
    thread,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Requirement {
    /// The folder of records that may not be copied into the repository.
    Shared,
    /// Chromium, which opens the signing page.
    Browser,
    /// The server of PostgreSQL, and the feature that connects to it.
    Postgres,
    /// tmux, in which terminal programs often run.
    Tmux,
}

impl Requirement {
    const ALL: [Self; 4] = [Self::Shared, Self::Browser, Self::Postgres, Self::Tmux];

    /// As `ROLLSCOPE_REQUIRE` names it.
    const fn name(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Browser => "browser",
            Self::Postgres => "postgres",
            Self::Tmux => "tmux",
        }
    }

    const fn remedy(self) -> &'static str {
        match self {
            Self::Shared => "ROLLSCOPE_SHARED names its folder",
            Self::Browser => "install Chromium",
            Self::Postgres => "install PostgreSQL 15 or newer, and build with --features postgres",
            Self::Tmux => "install tmux 3.2 or newer",
        }
    }

    /// Passes on what was found; without it the test that asks is skipped, or fails where it is required.
    pub(crate) fn or_skip<T>(self, found: Option<T>) -> Option<T> {
        let found = self.or_less(found);
        if found.is_none() {
            let test = thread::current().name().unwrap_or("a test").to_owned();
            let line = format!("skipped {test}: requires {} ({})\n", self.name(), self.remedy());
            // Unlike eprintln!, whose text libtest keeps of a test that passes.
            let _ = io::stderr().write_all(line.as_bytes());
        }
        found
    }

    /// As [`or_skip`](Self::or_skip), for a test that has something to do without it.
    pub(crate) fn or_less<T>(self, found: Option<T>) -> Option<T> {
        self.checked(found, &env::var("ROLLSCOPE_REQUIRE").unwrap_or_default())
    }

    fn checked<T>(self, found: Option<T>, required: &str) -> Option<T> {
        let is_required = names(required).any(|name| name == self.name());
        assert!(found.is_some() || !is_required, "ROLLSCOPE_REQUIRE names {}: {}", self.name(), self.remedy());
        found
    }
}

fn names(required: &str) -> impl Iterator<Item = &str> {
    required.split(',').map(str::trim).filter(|name| !name.is_empty())
}

fn shared_folder() -> Option<PathBuf> {
    env::var_os("ROLLSCOPE_SHARED").map(PathBuf::from).filter(|folder| folder.is_dir())
}

/// The folder of records that may not be copied; without it the test is skipped.
pub(crate) fn recorded_folder() -> Option<PathBuf> {
    Requirement::Shared.or_skip(shared_folder())
}

/// The folder of records that may not be copied, for a test that reads fixtures as well.
pub(crate) fn more_records() -> Option<PathBuf> {
    Requirement::Shared.or_less(shared_folder())
}

#[test]
fn what_is_required_may_not_be_absent() {
    for requirement in Requirement::ALL {
        let all = Requirement::ALL.map(Requirement::name).join(", ");
        assert_eq!(requirement.checked(Some(1), &all), Some(1));
        assert_eq!(requirement.checked(None::<u8>, ""), None);
        let others = Requirement::ALL.into_iter().filter(|other| *other != requirement).map(Requirement::name);
        assert_eq!(requirement.checked(None::<u8>, &others.collect::<Vec<_>>().join(",")), None);
        assert!(std::panic::catch_unwind(|| requirement.checked(None::<u8>, &all)).is_err());
    }
}

#[test]
fn what_is_required_is_known() {
    let required = env::var("ROLLSCOPE_REQUIRE").unwrap_or_default();
    let known = Requirement::ALL.map(Requirement::name);
    let unknown: Vec<&str> = names(&required).filter(|name| !known.contains(name)).collect();
    assert!(unknown.is_empty(), "ROLLSCOPE_REQUIRE names {unknown:?}; known are {known:?}");
}
