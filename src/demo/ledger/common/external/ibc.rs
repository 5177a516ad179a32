use super::{AdmittedTx, ExternalContext};
use crate::{
    demo::ledger::{
        ExternalError, PacketOutcome,
        common::{
            Flavour,
            apply::is_voucher,
            plan::{PlannedTx, ibc},
            record::{MemoKind, Msg, Packet, PacketArrival, PacketTexts, SignMode, TokenId},
            world::PartyRole,
        },
    },
    domain::{Address, Amount, Denom, Timestamp},
};

/// Maximum bytes of an address in the IBC transfer module.
const LONGEST_ADDRESS: usize = 2_048;
/// Maximum bytes of a memo.
const LONGEST_MEMO: usize = 32_768;
/// Maximum number of open packets.
const OPEN: usize = 1_000;
/// Time left until an incoming packet times out, in seconds.
const INCOMING_SECONDS: u64 = 600;

impl<F: Flavour> ExternalContext<'_, F> {
    /// Plans an outgoing transfer. The texts are receiver, memo and channel.
    pub(super) fn send(
        &mut self,
        sender: Address,
        [receiver, memo, channel]: [&str; 3],
        coin: (&Denom, Amount),
        seconds: u32,
    ) -> Result<AdmittedTx<F>, ExternalError> {
        let words = self.words("receiver", receiver, memo, u64::from(seconds))?;
        if seconds == 0 {
            return Err(ExternalError::NoTime);
        }
        if self.state.open.len() >= OPEN {
            return Err(ExternalError::TooManyPackets(OPEN));
        }
        let leaving = self.leaving(sender, coin, 187_000)?;
        let channel = self.channel(channel, leaving.token)?;
        let (sequence, expires) = (ibc::next(&self.state.outgoing, channel), words.timeout);
        let (local, token, amount) = (leaving.sender, leaving.token, leaving.amount);
        let (sent, memo, words) = (self.height, MemoKind::Empty, Some(Box::new(words)));
        let packet = Packet { channel, sequence, local, token, amount, sent, patience: None, memo, words };
        let mut messages = leaving.unwrap;
        messages.push(Msg::Transfer(Box::new(packet)));
        let planned = PlannedTx::of(local, SignMode::Personal, leaving.gas, messages);
        Ok(AdmittedTx { packet: Some((channel, sequence)), expires: Some(expires), ..AdmittedTx::of(planned) })
    }

    /// Plans an incoming transfer. The texts are sender, memo and channel.
    pub(super) fn receive(
        &mut self,
        receiver: Address,
        [sender, memo, channel]: [&str; 3],
        (denom, amount): (&Denom, Amount),
        accepted: bool,
    ) -> Result<AdmittedTx<F>, ExternalError> {
        let words = self.words("sender", sender, memo, INCOMING_SECONDS)?;
        let (token, amount) = self.coin(denom, amount)?;
        let channel = self.channel(channel, token)?;
        if is_voucher(self.world, token) {
            self.mint(token, amount)?;
        } else {
            let escrowed = self.state.balance(token, self.world.role(PartyRole::Escrow));
            let free = escrowed.saturating_sub(self.state.promised(token));
            self.reserve(token, free, amount, "the channel's escrow")?;
        }
        let (local, signer) = (self.receiver(receiver)?, self.world.role(PartyRole::Relayer));
        let sequence = ibc::next(&self.state.incoming, channel);
        let (sent, memo, words) = (self.height, MemoKind::Empty, Some(Box::new(words)));
        let packet = Box::new(Packet { channel, sequence, local, token, amount, sent, patience: None, memo, words });
        let arrival = if accepted { PacketArrival::Accepted } else { PacketArrival::Refused };
        let message = Msg::Receive { signer, packet, arrival };
        let planned = ibc::brought(signer, self.height, channel, self.gas(412_000), message);
        Ok(AdmittedTx { packet: Some((channel, sequence)), ..AdmittedTx::of(planned) })
    }

    /// Plans the acknowledgement or timeout of a packet that the rollup sent.
    pub(super) fn answer(
        &mut self,
        channel: &str,
        sequence: u64,
        answer: PacketOutcome,
    ) -> Result<AdmittedTx<F>, ExternalError> {
        let name = |packet: &Packet| self.world.catalogue.channel(packet.channel).id;
        let found = self.state.open.iter().find(|packet| name(packet) == channel && packet.sequence == sequence);
        let unknown = || ExternalError::UnknownPacket { channel: channel.to_owned(), sequence };
        let packet = Box::new(found.cloned().ok_or_else(unknown)?);
        let place = packet.channel;
        let signer = self.world.role(PartyRole::Relayer);
        let message = match answer {
            PacketOutcome::Accepted => Msg::Acknowledge { signer, packet, accepted: true },
            PacketOutcome::Refused => Msg::Acknowledge { signer, packet, accepted: false },
            PacketOutcome::Expired => {
                let until = packet.words.as_ref().map_or(0, |words| words.timeout);
                if self.clock.nanos_after(self.height, 0) <= until {
                    return Err(ExternalError::NotExpired(Timestamp::from_nanos(i128::from(until))));
                }
                Msg::Timeout { signer, packet }
            }
        };
        let planned = ibc::brought(signer, self.height, place, self.gas(336_000), message);
        Ok(AdmittedTx { packet: Some((place, sequence)), ..AdmittedTx::of(planned) })
    }

    /// Checks the texts of a packet; `name` is the field with the account on the other chain.
    fn words(&self, name: &'static str, there: &str, memo: &str, seconds: u64) -> Result<PacketTexts, ExternalError> {
        if !(1..=LONGEST_ADDRESS).contains(&there.len()) {
            return Err(ExternalError::Length { name, least: 1, most: LONGEST_ADDRESS });
        }
        if memo.len() > LONGEST_MEMO {
            return Err(ExternalError::Length { name: "memo", least: 0, most: LONGEST_MEMO });
        }
        let timeout = self.clock.nanos_after(self.height, seconds);
        Ok(PacketTexts { there: there.into(), memo: memo.into(), timeout })
    }

    /// Returns the channel with this name, if it is the token's channel.
    fn channel(&self, name: &str, token: TokenId) -> Result<u8, ExternalError> {
        let catalogue = self.world.catalogue;
        if !catalogue.channels.iter().any(|channel| channel.port == "transfer" && channel.id == name) {
            return Err(ExternalError::UnknownChannel(name.to_owned()));
        }
        let place = ibc::channel(catalogue, token);
        let channel = catalogue.channel(place).id;
        if channel == name {
            return Ok(place);
        }
        Err(ExternalError::OtherChannel { denom: self.world.token(token).denom.clone(), channel })
    }
}
