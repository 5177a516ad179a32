//! The tokio side: runs requests, polls, and cancels what nobody waits for any more.
