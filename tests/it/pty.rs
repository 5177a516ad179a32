//! pty.
