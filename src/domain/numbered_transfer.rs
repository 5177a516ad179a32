/// Number by which a bridge names a transfer. The two directions are numbered apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberedTransfer {
    /// Withdrawal over OPinit, by the rollup's number.
    Withdrawal(u64),
    /// Deposit over OPinit, by the L1's number.
    Deposit(u64),
    /// IBC packet, sent or received, over any channel.
    Packet(u64),
}

impl NumberedTransfer {
    pub fn number(self) -> u64 {
        match self {
            Self::Withdrawal(number) | Self::Deposit(number) | Self::Packet(number) => number,
        }
    }
}
