//! pty.
fn main() {}
