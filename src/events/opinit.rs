use super::{EventClass, EventRecord, keys};
use crate::domain::{Address, Amount, Coin, Denom};

/// Event of the OPinit bridge about tokens. A field is `None` if the event lacks the attribute or its text is
/// unreadable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BridgeTransfer<'e> {
    pub(crate) step: BridgeStep,
    /// Bridge id; only L1 events have a bridge id.
    pub(crate) bridge_id: Option<u64>,
    /// Sequence number: of the L1 for a deposit, of the rollup for a withdrawal.
    pub(crate) sequence: Option<u64>,
    pub(crate) from: Option<&'e str>,
    pub(crate) to: Option<&'e str>,
    /// Denom on this chain.
    pub(crate) denom: Option<&'e str>,
    /// Denom on the other chain.
    pub(crate) other_denom: Option<&'e str>,
    /// Amount as the chain writes it.
    pub(crate) amount: Option<&'e str>,
    /// L1 block of a finalized deposit.
    pub(crate) l1_height: Option<u64>,
    /// Whether a finalized deposit reports that it failed.
    pub(crate) is_failed: bool,
    /// Whether a finalized deposit reports that its hook failed.
    pub(crate) is_hook_failed: bool,
    /// Why a finalized deposit failed.
    pub(crate) reason: Option<&'e str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BridgeStep {
    /// Deposit began, on the L1.
    DepositInitiated,
    DepositFinalized,
    WithdrawalInitiated,
    /// Withdrawal was claimed, on the L1.
    WithdrawalFinalized,
}

impl BridgeStep {
    /// Whether the step is the first of two, so that its recipient is on the other chain.
    pub(crate) fn is_leaving(self) -> bool {
        matches!(self, Self::DepositInitiated | Self::WithdrawalInitiated)
    }
}

impl<'e> BridgeTransfer<'e> {
    pub(crate) fn of(event: &'e impl EventRecord) -> Option<Self> {
        let EventClass::Bridge(step) = *event.class() else { return None };
        let sequence = match step {
            BridgeStep::DepositInitiated | BridgeStep::DepositFinalized => keys::L1_SEQUENCE,
            BridgeStep::WithdrawalInitiated | BridgeStep::WithdrawalFinalized => keys::L2_SEQUENCE,
        };
        let is_here = matches!(step, BridgeStep::DepositFinalized | BridgeStep::WithdrawalInitiated);
        let (denom, other) = if is_here { (keys::DENOM, keys::BASE_DENOM) } else { (keys::L1_DENOM, keys::L2_DENOM) };
        let is_arrival = step == BridgeStep::DepositFinalized;
        let (from, to) = if is_arrival { (keys::SENDER, keys::RECIPIENT) } else { (keys::FROM, keys::TO) };
        Some(Self {
            step,
            bridge_id: event.get(keys::BRIDGE_ID),
            sequence: event.get(sequence),
            from: event.text(from),
            to: event.text(to),
            denom: event.text(denom),
            other_denom: event.text(other),
            amount: event.text(keys::AMOUNT),
            l1_height: event.get(keys::FINALIZE_HEIGHT),
            is_failed: event.get(keys::SUCCESS) == Some(false),
            is_hook_failed: event.get(keys::HOOK_SUCCESS) == Some(false),
            reason: event.text(keys::REASON),
        })
    }

    pub(crate) fn deposit(event: &'e impl EventRecord) -> Option<Self> {
        Self::of(event).filter(|transfer| transfer.step == BridgeStep::DepositFinalized)
    }

    pub(crate) fn withdrawal(event: &'e impl EventRecord) -> Option<Self> {
        Self::of(event).filter(|transfer| transfer.step == BridgeStep::WithdrawalInitiated)
    }

    pub(crate) fn number(&self) -> Option<Amount> {
        self.amount?.parse().ok()
    }

    /// Returns the tokens as on this chain.
    pub(crate) fn coin(&self) -> Option<Coin> {
        Some(Coin { denom: Denom::new(self.denom?), amount: self.number()? })
    }

    pub(crate) fn recipient(&self) -> Option<Address> {
        self.to?.parse().ok()
    }
}
