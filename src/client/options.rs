use std::{sync::Arc, time::Duration};

use crate::wire::{ApiError, Exchange};

/// How patient a client is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// For one try, from the connection to the last byte.
    pub timeout: Duration,
    /// For the connection alone, where it gets less than a try.
    pub connect_timeout: Option<Duration>,
    /// Tries at the most, the first one included; 1 never repeats.
    pub tries: u32,
    /// No try starts, and no repeated try runs, beyond this time after the first one began.
    pub budget: Duration,
    /// Roughly how long to wait before the second try; it grows from there, and is jittered.
    pub first_wait: Duration,
    /// A body over this many bytes is refused.
    pub body_cap: u64,
    /// Whether the proxy that the system or the environment names is used; a loopback server never is asked over one.
    pub system_proxy: bool,
    /// Where `ipfs:` addresses are asked for: the path under which `CID/path` lies, such as `https://ipfs.io/ipfs`, which
    /// is also what `None` means.
    pub ipfs_gateway: Option<String>,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            connect_timeout: None,
            tries: 3,
            budget: Duration::from_secs(10),
            first_wait: Duration::from_millis(250),
            body_cap: 32 << 20,
            system_proxy: true,
            ipfs_gateway: None,
        }
    }
}

/// Told of every try. Called on the runtime's threads, also from a destructor: it must neither block nor panic.
pub trait Observer: Send + Sync {
    /// A try is over: answered, failed, or cancelled because nobody waited any more.
    fn exchange(&self, exchange: &Arc<Exchange>);

    /// Try number `attempt`, from 1, failed; the next one comes after `wait`.
    fn retrying(&self, attempt: u32, wait: Duration, error: &ApiError);
}
