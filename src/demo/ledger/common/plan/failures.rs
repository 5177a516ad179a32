//! Plans for failures that all flavours share.

use super::{PlannedTx, Planner};
use crate::demo::ledger::common::{
    Flavour,
    catalogue::FEE_TOKEN,
    record::{AdminAct, FeePayment, MemoKind, Msg, Packet, PartyId, Right, SignMode, TokenId, TxOutcome},
    world::PartyRole,
};

/// Plans a transaction that fails before the fee: a reused sequence number or a low fee.
pub(crate) fn before_fee<F: Flavour>(
    planner: &mut Planner<'_, F>,
    sender: PartyId,
    low_fee: bool,
) -> Option<PlannedTx<F>> {
    let amount = planner.world.catalogue.fee(1_000_000);
    let send = Msg::Send { from: sender, to: planner.other(sender), token: TokenId(FEE_TOKEN), amount };
    let tx = PlannedTx::new(sender, SignMode::Personal, 120_000, send);
    if low_fee {
        return Some(PlannedTx { fee: FeePayment::TooLittle, ..tx }.ending(TxOutcome::InsufficientFee));
    }
    let expected = planner.state.sequence(sender);
    let sequence = Some(expected.checked_sub(1)?);
    Some(PlannedTx { sequence, ..tx }.ending(TxOutcome::WrongSequence { expected }))
}

/// Plans the use, or the revocation, of a grant that does not exist.
pub(crate) fn no_authorization<F: Flavour>(planner: &mut Planner<'_, F>, sender: PartyId) -> PlannedTx<F> {
    let granter = planner.other(sender);
    if planner.rng.chance(1, 2) {
        let message = Msg::RevokeFees { granter: sender, grantee: planner.world.role(PartyRole::Vault) };
        return PlannedTx::new(sender, SignMode::Personal, 61_000, message).ending(TxOutcome::NoAllowance);
    }
    if planner.rng.chance(1, 2) {
        let message =
            Msg::Revoke { granter: sender, grantee: planner.world.role(PartyRole::Vault), right: Right::Call };
        return PlannedTx::new(sender, SignMode::Personal, 61_000, message).ending(TxOutcome::NoAuthorization);
    }
    let token = TokenId(planner.world.catalogue.bridged_token(2));
    let inner = Msg::Send { from: granter, to: sender, token, amount: 5_000_000 };
    let message = Msg::Exec { grantee: sender, inner: Box::new([inner]) };
    PlannedTx::new(sender, SignMode::Personal, 64_000, message).ending(TxOutcome::NoAuthorization)
}

/// Plans an action that only the executor or the admin may take, by another account.
pub(crate) fn not_permitted<F: Flavour>(
    planner: &mut Planner<'_, F>,
    sender: PartyId,
    as_executor: bool,
) -> PlannedTx<F> {
    if as_executor {
        let message = Msg::SetBridgeInfo { sender };
        return PlannedTx::new(sender, SignMode::Personal, 52_000, message).ending(TxOutcome::NotExecutor);
    }
    let act = AdminAct::SpendFeePool { recipient: sender, amount: planner.world.catalogue.whole_fee_token() };
    let _ = planner.rng.next();
    PlannedTx::new(sender, SignMode::Personal, 52_000, Msg::Execute { sender, act }).ending(TxOutcome::NotAdmin)
}

/// Plans a transfer over an unknown channel.
pub(crate) fn no_channel<F: Flavour>(planner: &mut Planner<'_, F>, sender: PartyId) -> PlannedTx<F> {
    let packet = Packet {
        channel: u8::MAX,
        sequence: 0,
        local: sender,
        token: TokenId(planner.world.catalogue.bridged_token(0)),
        amount: 1_000_000,
        sent: planner.height,
        patience: None,
        memo: MemoKind::Empty,
        words: None,
    };
    PlannedTx::new(sender, SignMode::Personal, 71_000, Msg::Transfer(Box::new(packet))).ending(TxOutcome::NoChannel)
}

/// Plans a relayer's message for a packet that is already settled, or with an expired light client.
pub(crate) fn relayer<F: Flavour>(planner: &Planner<'_, F>, sender: PartyId, has_expired: bool) -> PlannedTx<F> {
    let signer = planner.world.role(PartyRole::LateRelayer);
    if has_expired {
        let update = Msg::UpdateClient { signer, channel: 2, sent: planner.height };
        return PlannedTx::free(signer, FeePayment::Zero, 210_000, vec![update]).ending(TxOutcome::InactiveClient);
    }
    let is_open = |sequence| planner.state.open.iter().any(|packet| (packet.channel, packet.sequence) == (0, sequence));
    let mut sequence = planner.state.outgoing[0].saturating_sub(1).max(1);
    while is_open(sequence) {
        sequence -= 1;
    }
    let packet = Packet {
        channel: 0,
        sequence,
        local: sender,
        token: TokenId(planner.world.catalogue.first_voucher()),
        amount: 2_000_000,
        sent: planner.height.saturating_sub(400),
        patience: Some(100),
        memo: MemoKind::Empty,
        words: None,
    };
    let timeout = Msg::Timeout { signer, packet: Box::new(packet) };
    PlannedTx::free(signer, FeePayment::Zero, 190_000, vec![timeout]).ending(TxOutcome::NoCommitment)
}
