use std::{sync::Arc, time::Duration};

use crate::wire::{ApiError, Exchange};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// Timeout of one attempt, from the connection to the last byte.
    pub timeout: Duration,
    /// Timeout of connecting; `None` leaves only the attempt's timeout.
    pub connect_timeout: Option<Duration>,
    /// Maximum attempts, including the first; 1 never retries.
    pub tries: u32,
    /// Total time after which the client starts no attempt.
    pub budget: Duration,
    /// Approximate wait before the second attempt; grows afterwards, with jitter.
    pub first_wait: Duration,
    /// Maximum bytes of a body.
    pub body_cap: u64,
    /// Whether to use the proxy of the system or environment. A loopback server never uses it.
    pub system_proxy: bool,
    /// Gateway for `ipfs:` URLs: the base of `CID/path`. `None` means `https://ipfs.io/ipfs`.
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

/// Observer of every attempt. Runtime threads call it, also from a destructor: it must neither block nor panic.
pub trait Observer: Send + Sync {
    /// Reports the end of an attempt: answered, failed, or cancelled.
    fn exchange(&self, exchange: &Arc<Exchange>);

    /// Reports that attempt number `attempt`, counted from 1, failed and that the next attempt follows after `wait`.
    fn retrying(&self, attempt: u32, wait: Duration, error: &ApiError);

    /// Reports which of the rollup's nodes answered, by its configured URL.
    fn node_answered(&self, _url: &str) {}
}
