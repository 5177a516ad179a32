//! Faults that are switched on to see how a client takes them.

use std::{fmt, str::FromStr, time::Duration};

use crate::domain::text;

/// Something that goes wrong on purpose. Written as `--fault` and `PUT /demo/v1/faults` read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// `latency=MS`: every answer comes this much later.
    Latency(Duration),
    /// `error500`: every answer is `500 Internal Server Error`.
    Error500,
    /// `timeout`: no answer ever comes.
    Timeout,
    /// `truncated`: the connection breaks in the middle of the body.
    Truncated,
    /// `malformed`: the body is complete and is no JSON.
    Malformed,
    /// `stall-index`: the chain goes on, the index stands still.
    StallIndex,
    /// `orphan-token=ID`: the collection of NFTs with this number is lost, and pages of NFTs with one of them are
    /// `500 Internal Server Error`, as the real server answers (`docs/apis/indexer.md` §6.2).
    OrphanToken(u64),
    /// `unknown-proposer=HEIGHT`: whoever proposed this block is no validator any more. Its name is empty then, and with
    /// the real server's quirks every answer with this block is `500 Internal Server Error` (`docs/apis/indexer.md` §4).
    UnknownProposer(u64),
    /// `slow-node`: what the node is asked in vain takes the 48 s for which real servers try again
    /// (`docs/apis/indexer.md` §1.4).
    SlowNode,
    /// `stuck-hop`: transfers under way stand still; time passes.
    StuckHop,
    /// `refund` or `refund=timeout`: the next hop that would arrive does not, and the money goes back. A deposit
    /// arrives without its hook; withdrawals and burns arrive as ever, as nothing can refuse these.
    Refund(Refusing),
    /// `abandoned`: the router gives up on what it tracks until it is told to track it again.
    Abandoned,
    /// `source-fails`: what is broadcast on another chain than the rollup fails there.
    SourceFails,
}

/// How a hop fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusing {
    /// The other chain refuses it, and the refusal travels back as far as it can.
    Refused,
    /// It is not there in time, and is given back where it left.
    Expired,
}

/// Why a text is no fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    /// `latency` without a number of milliseconds.
    #[error("“{0}” needs a number of milliseconds: latency=250")]
    Latency(String),
    /// `orphan-token` without a number.
    #[error("“{0}” needs the number of an NFT: orphan-token=7")]
    OrphanToken(String),
    /// `unknown-proposer` without a height.
    #[error("“{0}” needs the height of a block: unknown-proposer=7")]
    UnknownProposer(String),
    /// None of them.
    #[error(
        "“{0}” is no fault: latency=MS, error500, timeout, truncated, malformed, stall-index, orphan-token=ID, \
         unknown-proposer=HEIGHT, slow-node, stuck-hop, refund, refund=timeout, abandoned or source-fails"
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
            ("refund=later", "no fault"),
            ("latency", "milliseconds"),
            ("latency=x", "milliseconds"),
            ("orphan-token", "number"),
            ("orphan-token=x", "number"),
            ("unknown-proposer", "height"),
            ("unknown-proposer=x", "height"),
            ("slow", "no fault"),
        ] {
            let error = word.parse::<Fault>().unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(word), "{error}");
        }
    }
}
