use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::wire::Exchange;

/// The last exchanges, oldest first; bounded in number and in the bytes of the kept bodies.
#[derive(Debug, Default)]
pub struct ExchangeLog(Mutex<Ring>);

#[derive(Debug, Default)]
struct Ring {
    exchanges: VecDeque<Arc<Exchange>>,
    bytes: usize,
}

impl ExchangeLog {
    /// Exchanges kept at the most.
    pub const CAPACITY: usize = 500;

    /// Bytes of kept bodies at the most.
    pub const BYTE_CAPACITY: usize = 8 << 20;

    /// The exchanges kept now, oldest first.
    pub fn snapshot(&self) -> Vec<Arc<Exchange>> {
        self.ring().exchanges.iter().cloned().collect()
    }

    /// Adds one at the end; the oldest ones make room.
    pub fn push(&self, exchange: Arc<Exchange>) {
        let mut ring = self.ring();
        ring.bytes += weight(&exchange);
        ring.exchanges.push_back(exchange);
        while ring.exchanges.len() > Self::CAPACITY || ring.bytes > Self::BYTE_CAPACITY {
            let Some(oldest) = ring.exchanges.pop_front() else { break };
            ring.bytes -= weight(&oldest);
        }
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        // Nothing here can panic halfway, so a poisoned ring is still whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn weight(exchange: &Exchange) -> usize {
    exchange.body.len() + exchange.sent.len()
}
