//! Phases of transfers and of hops.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// The router does not know the transaction, or has not answered yet.
    #[default]
    NotKnown,
    /// The router accepted the transaction but lost the transfer.
    Forgotten,
    /// The router knows the transaction but has not seen it on the source chain.
    Waiting,
    Moving,
    /// A hop failed and the refund is on its way. Not final.
    Failing,
    /// An optimistic withdrawal waits for its challenge period or its claim.
    Finalizing,
    /// The funds arrived: by a success, a release on the destination, or evidence there.
    Arrived,
    /// The router says completed but not where the funds are.
    EndedUnstated,
    /// The source transaction failed, according to chain or router, and the account lost only the fee; or it expired
    /// without one.
    FailedAtSource,
    /// Failed; the funds are released on some chain.
    FailedReleased,
    /// Failed; no release of the funds is known.
    FailedHeld,
    /// The router abandoned the transfer. Where the funds are is unknown.
    Abandoned,
    /// The router reports a state that rollscope does not know.
    Strange,
    /// Two statements of the router's answer exclude each other, or it is about another transaction.
    Contradictory,
}

impl Phase {
    /// Whether to stop frequent polls. A failed transfer without a release may still get one, so it is not over.
    pub fn is_over(&self) -> bool {
        matches!(
            self,
            Self::Arrived | Self::EndedUnstated | Self::FailedAtSource | Self::FailedReleased | Self::Abandoned
        )
    }

    /// Whether the router seems not to track the transfer, so that it can be registered again.
    pub fn is_unwatched(&self) -> bool {
        matches!(
            self,
            Self::Abandoned
                | Self::NotKnown
                | Self::Forgotten
                | Self::Strange
                | Self::Contradictory
                | Self::FailedAtSource
        )
    }

    pub fn is_failure(&self) -> bool {
        matches!(self, Self::FailedAtSource | Self::FailedReleased | Self::FailedHeld)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum HopPhase {
    /// No server reports that the hop has begun.
    Waiting,
    Active,
    Done,
    Failed,
    /// An earlier hop failed finally, so this hop never begins.
    #[strum(serialize = "not_reached")]
    Unreached,
    Unknown,
}
