//! Arguments and the non-interactive commands.
