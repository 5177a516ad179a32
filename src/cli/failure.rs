use std::{fmt, io, process::ExitCode};

use strum::EnumIter;

use crate::{
    config::SettingsError,
    listing::WalkError,
    wire::{ApiError, ErrorKind, curl},
};

/// Exit status of the program; scripts rely on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub enum ExitStatus {
    /// Success, also if the reader of the output ended early.
    Done = 0,
    Failed = 1,
    /// Invalid command line or environment.
    Usage = 2,
    /// Unknown block, transaction or route, or transfer unknown to the router.
    NotFound = 3,
    TransferFailed = 4,
    /// The router abandoned the transfer; the location of the funds is unknown.
    Abandoned = 5,
    /// The router reports an unknown state, so the location of the funds is unknown.
    Unstated = 6,
    Interrupted = 130,
}

impl ExitStatus {
    /// Returns the explanation for `--help`, the manual page and `docs/scripts.md`.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "success, also if the reader closes the pipe",
            Self::Failed => "failure: server or network error, failed check, or wrong chain",
            Self::Usage => "usage error: invalid option, value or name, or no terminal for the explorer",
            Self::NotFound => "not found: a record, a route, an EVM on this chain, or a transaction at the router",
            Self::TransferFailed => "the transfer failed",
            Self::Abandoned => "the router abandoned the transfer; the location of the funds is unknown",
            Self::Unstated => "the router reports an unknown state, or one that it or another server contradicts",
            Self::Interrupted => "interrupted",
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

/// Reason why a command ended early, printed as one sentence on standard error.
#[derive(Debug, PartialEq, Eq)]
pub enum CommandError {
    Usage(String),
    NotFound(String),
    /// The transfer failed; the sentence states where the funds are.
    TransferFailed(String),
    /// The router abandoned the transfer; the sentence states where the funds are, if known.
    Abandoned(String),
    /// The router reports an unknown state.
    Unstated(String),
    Failed(String),
    Interrupted,
    /// The reader of the output ended; rollscope prints no error.
    BrokenPipe,
}

impl CommandError {
    pub fn status(&self) -> ExitStatus {
        match self {
            Self::Usage(_) => ExitStatus::Usage,
            Self::NotFound(_) => ExitStatus::NotFound,
            Self::TransferFailed(_) => ExitStatus::TransferFailed,
            Self::Abandoned(_) => ExitStatus::Abandoned,
            Self::Unstated(_) => ExitStatus::Unstated,
            Self::Failed(_) => ExitStatus::Failed,
            Self::Interrupted => ExitStatus::Interrupted,
            Self::BrokenPipe => ExitStatus::Done,
        }
    }

    /// Converts a failed request; `subject` names the requested record.
    pub(super) fn about(subject: &str, error: ApiError) -> Self {
        match Self::from(error) {
            Self::NotFound(sentence) => Self::NotFound(format!("{subject}: {sentence}")),
            Self::Failed(sentence) => Self::Failed(format!("{subject}: {sentence}")),
            other => other,
        }
    }

    /// Converts a failed request for a page of a list.
    fn of_list(subject: &str, error: ApiError) -> Self {
        match &error.kind {
            ErrorKind::TooLarge(_) => Self::Failed(format!("{subject}: {error}; request smaller pages with --limit")),
            _ => Self::about(subject, error),
        }
    }

    /// Creates an error with another error's message.
    pub(super) fn failed(error: impl fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(sentence)
            | Self::NotFound(sentence)
            | Self::TransferFailed(sentence)
            | Self::Abandoned(sentence)
            | Self::Unstated(sentence)
            | Self::Failed(sentence) => formatter.write_str(sentence),
            Self::Interrupted => formatter.write_str("interrupted"),
            Self::BrokenPipe => formatter.write_str("the reader closed the output"),
        }
    }
}

impl From<WalkError> for CommandError {
    fn from(error: WalkError) -> Self {
        match error {
            WalkError::Stopped(sentence) => Self::Failed(sentence),
            WalkError::Request { name, error } => Self::of_list(&name, error),
        }
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::Failed(format!("cannot write the output: {error}")),
        }
    }
}

impl From<SettingsError> for CommandError {
    fn from(error: SettingsError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<ApiError> for CommandError {
    /// Appends a next step for the command line, which has `curl` but no `F12`.
    fn from(error: ApiError) -> Self {
        let sentence = match &error.kind {
            ErrorKind::BadShape { .. } | ErrorKind::NotJson { .. } => {
                format!("{error}; check the URL: {} shows the response", curl(&error.url))
            }
            // A command has ended, so it does not retry.
            ErrorKind::RateLimited(_) => format!("{error}; try again later"),
            _ => format!("{error}; {}", error.advice()),
        };
        if error.is_not_found() { Self::NotFound(sentence) } else { Self::Failed(sentence) }
    }
}
