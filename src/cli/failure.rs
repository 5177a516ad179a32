use std::{fmt, io, process::ExitCode};

use crate::{
    config::SettingsError,
    wire::{ApiError, ErrorKind, curl},
};

/// The program's exit statuses; scripts rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// What was asked for was done, or nobody read it to the end.
    Done = 0,
    /// Something failed.
    Failed = 1,
    /// The command line or the environment asks for something impossible.
    Usage = 2,
    /// The server has no such block, transaction or route, or the router does not know the transfer.
    NotFound = 3,
    /// The transfer that was asked about ended in failure.
    TransferFailed = 4,
    /// The router gave up on the transfer, which says nothing of the funds.
    Abandoned = 5,
    /// The router names a state that says nothing of where the funds are: unknown, or none that this version knows.
    Unstated = 6,
    /// Ended by Ctrl-C.
    Interrupted = 130,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

/// Why a command ended early; shown as one sentence on standard error.
#[derive(Debug, PartialEq, Eq)]
pub enum CommandError {
    /// A mistake in how the program was called.
    Usage(String),
    /// The server has no such thing.
    NotFound(String),
    /// The transfer that was asked about ended in failure: where the funds are.
    TransferFailed(String),
    /// The router gave up on the transfer: where the funds are, as far as is known.
    Abandoned(String),
    /// The router names a state that says nothing of where the funds are.
    Unstated(String),
    /// Anything else.
    Failed(String),
    /// Ctrl-C.
    Interrupted,
    /// The reader of the output went away: nothing to say.
    BrokenPipe,
}

impl CommandError {
    /// What the process ends with.
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

    /// What a failed request for this means.
    pub(super) fn about(subject: &str, error: ApiError) -> Self {
        match Self::from(error) {
            Self::NotFound(sentence) => Self::NotFound(format!("{subject}: {sentence}")),
            Self::Failed(sentence) => Self::Failed(format!("{subject}: {sentence}")),
            other => other,
        }
    }

    /// The same of a page of a list.
    pub(super) fn of_list(subject: &str, error: ApiError) -> Self {
        match &error.kind {
            ErrorKind::TooLarge(_) => Self::Failed(format!("{subject}: {error}; ask for smaller pages with --limit")),
            _ => Self::about(subject, error),
        }
    }

    /// A failure with the words of another error.
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
            Self::BrokenPipe => formatter.write_str("nobody reads the output any more"),
        }
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::Failed(format!("the output cannot be written: {error}")),
        }
    }
}

impl From<SettingsError> for CommandError {
    fn from(error: SettingsError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<ApiError> for CommandError {
    /// The error with its next step, where `F12` means nothing and `curl` does.
    fn from(error: ApiError) -> Self {
        let sentence = match &error.kind {
            ErrorKind::BadShape { .. } | ErrorKind::NotJson { .. } => {
                format!("{error}; check the address, {} shows the answer", curl(&error.url))
            }
            // Nothing is asked again when a command has ended.
            ErrorKind::RateLimited(_) => format!("{error}; try again later"),
            _ => format!("{error}; {}", error.advice()),
        };
        if error.is_not_found() { Self::NotFound(sentence) } else { Self::Failed(sentence) }
    }
}
