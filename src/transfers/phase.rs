//! Phases of a transfer and of its hops.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Unknown to the router, or not requested from it yet.
    #[default]
    NotKnown,
    /// Accepted earlier, but now unknown to the router.
    Forgotten,
    /// Known to the router, not seen on the source chain yet.
    Waiting,
    Moving,
    /// A hop failed, and the refund is on its way; not final.
    Failing,
    /// Optimistic withdrawal that waits for its finalization or claim.
    Finalizing,
    /// Received: success, a release on the destination, or evidence there.
    Arrived,
    /// "Completed" without a statement about the funds.
    EndedUnstated,
    /// The source transaction failed, by chain or router: the account lost only the fee.
    FailedAtSource,
    /// Failed, with a release of the funds somewhere.
    FailedReleased,
    /// Failed, without a known release.
    FailedHeld,
    /// Abandoned by the tracker; the position of the funds is unknown.
    Abandoned,
    /// Unknown state.
    Strange,
}

impl Phase {
    /// Whether frequent polling is pointless. A failed transfer without a release may still get one.
    pub fn is_over(&self) -> bool {
        matches!(
            self,
            Self::Arrived | Self::EndedUnstated | Self::FailedAtSource | Self::FailedReleased | Self::Abandoned
        )
    }

    /// Whether the router apparently does not track the transfer, so that it can be registered again.
    pub fn is_unwatched(&self) -> bool {
        matches!(self, Self::Abandoned | Self::NotKnown | Self::Forgotten | Self::Strange | Self::FailedAtSource)
    }

    pub fn is_failure(&self) -> bool {
        matches!(self, Self::FailedAtSource | Self::FailedReleased | Self::FailedHeld)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum HopPhase {
    /// Not known to have begun.
    Waiting,
    Active,
    Done,
    Failed,
    /// Unreachable: an earlier hop failed for good.
    #[strum(serialize = "not_reached")]
    Unreached,
    Unknown,
}
