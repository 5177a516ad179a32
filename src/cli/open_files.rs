//! Limit of the files and connections that this process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::CommandError;

/// Limit of open files that every system allows that has no limit of its own.
const USUAL: u64 = 10_240;

/// Minimum limit with an index in a file: it has 29 files open at rest, 16 connections to a node, and some of readers.
pub(super) const LEAST_WITH_FILE: u64 = 64;

/// Raises the soft limit to the hard limit, and returns the limit.
pub(super) fn raise_limit() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let Some(soft) = current else { return u64::MAX };
    let wanted = [maximum.unwrap_or(USUAL), USUAL.min(maximum.unwrap_or(USUAL))];
    for limit in wanted.into_iter().filter(|limit| *limit > soft) {
        if setrlimit(Resource::Nofile, Rlimit { current: Some(limit), maximum }).is_ok() {
            return limit;
        }
    }
    soft
}

/// Fails if the limit is too low for an index in a file; without a file, it may be any.
pub(super) fn check_limit(has_file: bool) -> Result<(), CommandError> {
    let limit = if has_file { raise_limit() } else { u64::MAX };
    if limit >= LEAST_WITH_FILE {
        return Ok(());
    }
    let sentence =
        format!("--data needs {LEAST_WITH_FILE} open files, and the limit is {limit}; raise it with ulimit -n");
    Err(CommandError::Failed(sentence))
}
