//! Checks that a node makes before it accepts a transaction, in the node's order.

use super::{PostedMessage, PostedTx, TxRefusal};
use crate::domain::{Address, Amount, Coin, Denom, PublicKey};

/// Maximum characters of a memo.
const LONGEST_MEMO: usize = 512;

/// Rules of a chain that every transaction must satisfy.
#[derive(Clone, Debug)]
pub struct AnteRules<'a> {
    /// Chain ID that the signature must cover.
    pub chain_id: &'a str,
    /// Bech32 prefix of the chain.
    pub prefix: &'a str,
    pub height: u64,
    /// Minimum fee for the transaction's gas limit.
    pub least_fee: Coin,
    /// Whether this is a simulation, which checks neither fee nor signature.
    pub is_trial: bool,
}

/// Account that must sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnteAccount {
    pub number: u64,
    pub sequence: u64,
    /// Public key; `None` before the first signature.
    pub key: Option<PublicKey>,
}

impl PostedTx {
    /// Checks a transaction and returns the key that signed it. `held` returns the account's balance of a denom.
    pub fn check(
        &self,
        rules: &AnteRules<'_>,
        account: Option<&AnteAccount>,
        held: impl Fn(&Denom) -> Amount,
    ) -> Result<Option<PublicKey>, TxRefusal> {
        let signer = self.signer();
        if self.timeout_height > 0 && rules.height > self.timeout_height {
            let (height, timeout) = (rules.height, self.timeout_height);
            return Err(TxRefusal::sdk(30, format!("block height: {height}, timeout height: {timeout}")));
        }
        if self.memo.len() > LONGEST_MEMO {
            let sentence = format!("maximum number of characters is {LONGEST_MEMO} but received {}", self.memo.len());
            return Err(TxRefusal::sdk(12, sentence));
        }
        if self.is_ethereum() {
            self.check_payload(rules, account, &held)?;
        }
        let unknown = || TxRefusal::sdk(9, format!("fee payer address: {signer} does not exist"));
        let account = account.ok_or_else(unknown)?;
        self.check_fee(rules, held)?;
        if self.messages.iter().map(PostedMessage::signer).any(|one| one != signer) {
            return Err(TxRefusal::sdk(4, "wrong number of signers; expected 1, got more"));
        }
        let key = self.key.clone().or_else(|| account.key.clone());
        if let Some(key) = key.as_ref().filter(|_| !rules.is_trial)
            && key.address().map(|address| address.bech32_as(rules.prefix)).as_deref() != Some(signer)
        {
            return Err(TxRefusal::sdk(
                8,
                format!("pubKey does not match signer address {signer} with signer index: 0"),
            ));
        }
        if self.sequence != account.sequence {
            let (expected, got) = (account.sequence, self.sequence);
            return Err(TxRefusal::sdk(32, format!("account sequence mismatch, expected {expected}, got {got}")));
        }
        if rules.is_trial {
            return Ok(key);
        }
        let key = key.ok_or_else(|| TxRefusal::sdk(8, "pubkey on account is not set"))?;
        if !self.is_signed_by(&key, rules.chain_id, account.number)? {
            return Err(TxRefusal::sdk(
                4,
                format!(
                    "signature verification failed; please verify account number ({}), sequence ({}) and chain-id ({})",
                    account.number, account.sequence, rules.chain_id
                ),
            ));
        }
        Ok(Some(key))
    }

    /// Checks an Ethereum payload. Errors are in the words of Ethereum nodes, since clients match them.
    fn check_payload(
        &self,
        rules: &AnteRules<'_>,
        account: Option<&AnteAccount>,
        held: &impl Fn(&Denom) -> Amount,
    ) -> Result<(), TxRefusal> {
        let refused = |code, log: String| Err(TxRefusal::worded(code, log));
        let (next, nonce) = (account.map_or(0, |account| account.sequence), self.sequence);
        if nonce < next {
            return refused(32, format!("nonce too low: next nonce {next}, tx nonce {nonce}"));
        }
        if nonce > next {
            let why = "this simulated node queues no transactions";
            return refused(32, format!("nonce too high: next nonce {next}, tx nonce {nonce}; {why}"));
        }
        let address = self.signer().parse::<Address>().map_or_else(|_| String::new(), |address| address.checksummed());
        let Coin { denom, amount: least } = &rules.least_fee;
        let value = self.messages.iter().filter_map(PostedMessage::value).fold(Amount::ZERO, add);
        let fee = if rules.is_trial { Amount::ZERO } else { self.fee_in(denom) };
        if !rules.is_trial && fee < *least {
            return refused(
                13,
                format!("max fee per gas less than block base fee: address {address}, fee {fee} of {least}"),
            );
        }
        let (has, needed) = (held(denom), add(fee, value));
        if account.is_none() || has < needed {
            let why = "insufficient funds for gas * price + value";
            return refused(5, format!("{why}: address {address} have {has} want {needed}"));
        }
        Ok(())
    }

    /// Checks only the signature, for the account's next sequence number. For a hook, which pays no fee.
    pub fn check_signer(&self, chain_id: &str, prefix: &str, account: &AnteAccount) -> Result<(), TxRefusal> {
        let least_fee = Coin { denom: Denom::new("none"), amount: Amount::ZERO };
        let rules = AnteRules { chain_id, prefix, height: 0, least_fee, is_trial: false };
        self.check(&rules, Some(account), |_| Amount::ZERO).map(|_| ())
    }

    /// Checks that the fee is high enough and that the account can pay it.
    fn check_fee(&self, rules: &AnteRules<'_>, held: impl Fn(&Denom) -> Amount) -> Result<(), TxRefusal> {
        if rules.is_trial {
            return Ok(());
        }
        let Coin { denom, amount } = &rules.least_fee;
        let offered = self.fee.iter().find(|coin| coin.denom == *denom).map_or(Amount::ZERO, |coin| coin.amount);
        if offered < *amount {
            let got: Vec<String> = self.fee.iter().map(ToString::to_string).collect();
            let sentence = format!("insufficient fees; got: {} required: {}", got.join(","), rules.least_fee);
            return Err(TxRefusal::sdk(13, sentence));
        }
        if let Some(other) = self.fee.iter().find(|coin| coin.denom != *denom && !coin.amount.is_zero()) {
            return Err(TxRefusal::sdk(37, format!("fees are paid in {denom} here, not in {}", other.denom)));
        }
        let has = held(denom);
        if has < offered {
            return Err(TxRefusal::sdk(5, format!("spendable balance {has}{denom} is smaller than {offered}{denom}")));
        }
        Ok(())
    }

    pub fn fee_in(&self, denom: &Denom) -> Amount {
        self.fee.iter().find(|coin| coin.denom == *denom).map_or(Amount::ZERO, |coin| coin.amount)
    }
}

fn add(one: Amount, other: Amount) -> Amount {
    Amount::new(one.get().saturating_add(other.get()))
}
