//! Faults that test a client's error handling.

use std::{fmt, str::FromStr, time::Duration};

use crate::domain::text;

/// Simulated fault; `--fault` and `PUT /demo/v1/faults` use this syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// `latency=MS`: every response comes this much later.
    Latency(Duration),
    /// `error500`: every response is `500 Internal Server Error`.
    Error500,
    /// `timeout`: no response arrives.
    Timeout,
    /// `truncated`: the connection closes in the middle of the body.
    Truncated,
    /// `malformed`: the body is complete but not JSON.
    Malformed,
    /// `stall-index`: the chain makes blocks, but the index does not follow.
    StallIndex,
    /// `orphan-token=ID`: the collection of NFTs with this ID is missing. Pages with such an NFT are `500 Internal
    /// Server Error`, as on the real server (`docs/apis/indexer.md` §6.2).
    OrphanToken(u64),
    /// `unknown-proposer=HEIGHT`: the proposer of this block is no longer a validator, so it has no name. With quirks,
    /// every response with this block is `500 Internal Server Error` (`docs/apis/indexer.md` §4).
    UnknownProposer(u64),
    /// `slow-node`: a failing node request takes 48 s, like the real server's retries (`docs/apis/indexer.md` §1.4).
    SlowNode,
    /// `stuck-hop`: transfers make no progress.
    StuckHop,
    /// `refund` or `refund=timeout`: the next arriving hop fails and returns the funds. A deposit arrives, but its hook
    /// does not run. Withdrawals and burns cannot fail.
    Refund(Refusing),
    /// `abandoned`: the router abandons its transfers until a client asks it to track them again.
    Abandoned,
    /// `source-fails`: broadcasts fail on every chain except the rollup.
    SourceFails,
}

impl Fault {
    /// Faults that need no choice of a record, with their effects.
    pub const COMMON: [(Self, &str); 12] = [
        (Self::Latency(Duration::from_secs(1)), "every response comes a second later"),
        (Self::Error500, "every response is 500 Internal Server Error"),
        (Self::Timeout, "no response arrives"),
        (Self::Truncated, "the connection closes in the middle of the body"),
        (Self::Malformed, "the body is not JSON"),
        (Self::StallIndex, "the chain makes blocks, but the index does not follow"),
        (Self::SlowNode, "a failing node request takes 48 s"),
        (Self::StuckHop, "transfers make no progress"),
        (Self::Refund(Refusing::Refused), "the next arriving hop fails, and its funds return"),
        (Self::Refund(Refusing::Expired), "the next arriving hop times out, and its funds return"),
        (Self::Abandoned, "the router abandons its transfers"),
        (Self::SourceFails, "broadcasts fail on every chain except the rollup"),
    ];
}

/// How a hop fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusing {
    /// The destination rejects the packet; the error acknowledgement returns the funds as far as possible.
    Refused,
    /// The packet times out, and the source chain refunds the funds.
    Expired,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    /// `latency` without a number of milliseconds.
    #[error("“{0}” needs a number of milliseconds: latency=250")]
    Latency(String),
    /// `orphan-token` without a number.
    #[error("“{0}” needs an NFT number: orphan-token=7")]
    OrphanToken(String),
    /// `unknown-proposer` without a height.
    #[error("“{0}” needs a block height: unknown-proposer=7")]
    UnknownProposer(String),
    #[error(
        "unknown fault “{0}”: use latency=MS, error500, timeout, truncated, malformed, stall-index, \
         orphan-token=ID, unknown-proposer=HEIGHT, slow-node, stuck-hop, refund, refund=timeout, abandoned or \
         source-fails"
    )]
    Unknown(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latency(by) => write!(formatter, "latency={}", by.as_millis()),
            Self::Error500 => formatter.write_str("error500"),
            Self::Timeout => formatter.write_str("timeout"),
            Self::Truncated => formatter.write_str("truncated"),
            Self::Malformed => formatter.write_str("malformed"),
            Self::StallIndex => formatter.write_str("stall-index"),
            Self::OrphanToken(id) => write!(formatter, "orphan-token={id}"),
            Self::UnknownProposer(height) => write!(formatter, "unknown-proposer={height}"),
            Self::SlowNode => formatter.write_str("slow-node"),
            Self::StuckHop => formatter.write_str("stuck-hop"),
            Self::Refund(Refusing::Refused) => formatter.write_str("refund"),
            Self::Refund(Refusing::Expired) => formatter.write_str("refund=timeout"),
            Self::Abandoned => formatter.write_str("abandoned"),
            Self::SourceFails => formatter.write_str("source-fails"),
        }
    }
}

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(word: &str) -> Result<Self, FaultError> {
        let word = word.trim();
        let shown = || text::clip(word, 40);
        match word.split_once('=') {
            Some(("latency", millis)) => millis
                .parse()
                .map(|millis| Self::Latency(Duration::from_millis(millis)))
                .map_err(|_| FaultError::Latency(shown())),
            Some(("orphan-token", id)) => {
                id.parse().map(Self::OrphanToken).map_err(|_| FaultError::OrphanToken(shown()))
            }
            Some(("unknown-proposer", height)) => {
                height.parse().map(Self::UnknownProposer).map_err(|_| FaultError::UnknownProposer(shown()))
            }
            Some(("refund", "timeout")) => Ok(Self::Refund(Refusing::Expired)),
            Some(_) => Err(FaultError::Unknown(shown())),
            None => match word {
                "error500" => Ok(Self::Error500),
                "timeout" => Ok(Self::Timeout),
                "truncated" => Ok(Self::Truncated),
                "malformed" => Ok(Self::Malformed),
                "stall-index" => Ok(Self::StallIndex),
                "latency" => Err(FaultError::Latency(shown())),
                "orphan-token" => Err(FaultError::OrphanToken(shown())),
                "unknown-proposer" => Err(FaultError::UnknownProposer(shown())),
                "slow-node" => Ok(Self::SlowNode),
                "stuck-hop" => Ok(Self::StuckHop),
                "refund" => Ok(Self::Refund(Refusing::Refused)),
                "abandoned" => Ok(Self::Abandoned),
                "source-fails" => Ok(Self::SourceFails),
                _ => Err(FaultError::Unknown(shown())),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_read_as_it_is_written() {
        for fault in [
            Fault::Latency(Duration::from_millis(250)),
            Fault::Error500,
            Fault::Timeout,
            Fault::Truncated,
            Fault::Malformed,
            Fault::StallIndex,
            Fault::OrphanToken(7),
            Fault::UnknownProposer(7),
            Fault::SlowNode,
            Fault::StuckHop,
            Fault::Refund(Refusing::Refused),
            Fault::Refund(Refusing::Expired),
            Fault::Abandoned,
            Fault::SourceFails,
        ] {
            assert_eq!(fault.to_string().parse(), Ok(fault));
        }
    }

    #[test]
    fn what_is_no_fault_is_named() {
        for (word, part) in [
            ("refund=later", "unknown fault"),
            ("latency", "milliseconds"),
            ("latency=x", "milliseconds"),
            ("orphan-token", "number"),
            ("orphan-token=x", "number"),
            ("unknown-proposer", "height"),
            ("unknown-proposer=x", "height"),
            ("slow", "unknown fault"),
        ] {
            let error = word.parse::<Fault>().unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(word), "{error}");
        }
    }
}
