use std::{sync::Arc, time::Duration};

use crate::wire::{ApiError, Exchange};

/// Timeouts and retries of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// Timeout of one attempt, from the connection to the last byte.
    pub timeout: Duration,
    /// Separate timeout of the connection.
    pub connect_timeout: Option<Duration>,
    /// Maximum attempts, including the first; 1 never retries.
    pub tries: u32,
    /// Total time after which no attempt starts and no retry continues.
    pub budget: Duration,
    /// Approximate wait before the second attempt; grows afterwards, with jitter.
    pub first_wait: Duration,
    /// Maximum bytes of a body.
    pub body_cap: u64,
    /// Whether to use the proxy of the system or environment; never for a loopback server.
    pub system_proxy: bool,
    /// Gateway for `ipfs:` URLs: the base of `CID/path`; `None` is `https://ipfs.io/ipfs`.
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

/// Observer of every attempt. Called on the runtime's threads, also from a destructor: it must neither block nor panic.
pub trait Observer: Send + Sync {
    /// Called when an attempt ends: answered, failed, or cancelled.
    fn exchange(&self, exchange: &Arc<Exchange>);

    /// Called when attempt number `attempt`, from 1, failed and the next follows after `wait`.
    fn retrying(&self, attempt: u32, wait: Duration, error: &ApiError);
}
