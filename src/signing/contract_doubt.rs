//! What is known of a contract that rollscope does not know: its present code, and the user's earlier yes.

use super::{ContractPart, ContractUse, ContractVerdict, OfferLine, OfferLineKind};
use crate::domain::{
    AcceptedContract, Address, ChainId, CodeAdmin, ContractCode, Timestamp,
    text::{clean, clip},
};

/// Width of a hash or a reason of a failure, in terminal columns.
const HASH: usize = 14;
const REASON: usize = 120;

/// Unknown contract, once for all its roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractDoubt {
    pub chain_id: ChainId,
    pub address: Address,
    /// Address in the chain's format; may be a router's text.
    pub shown: String,
    pub parts: Vec<ContractPart>,
    pub code: CodeReading,
    /// The user's yes of an earlier time.
    pub accepted: Option<AcceptedContract>,
}

/// Code of a contract, by a node that no router named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeReading {
    Read {
        code: ContractCode,
        /// Host and port of the node.
        host: String,
        /// Whether it runs code that no known place names, so that its own code does not show what it does.
        is_open: bool,
    },
    /// The code cannot be read, for this reason.
    Unread(String),
}

impl ContractDoubt {
    /// Collects the unknown contracts, each once, in order; their codes are still unread.
    pub fn all(contracts: &[ContractUse]) -> Vec<Self> {
        let mut doubts: Vec<Self> = Vec::new();
        for contract in contracts.iter().filter(|contract| contract.verdict == ContractVerdict::Unknown) {
            let ContractUse { chain_id, address, shown, part, .. } = contract;
            let is_it = |doubt: &&mut Self| (&doubt.chain_id, doubt.address) == (chain_id, *address);
            match doubts.iter_mut().find(is_it) {
                Some(doubt) => doubt.parts.push(*part),
                None => doubts.push(Self {
                    chain_id: chain_id.clone(),
                    address: *address,
                    shown: shown.clone(),
                    parts: vec![*part],
                    code: CodeReading::Unread("not read yet".to_owned()),
                    accepted: None,
                }),
            }
        }
        doubts
    }

    /// Takes what a node tells now, and the user's stored answers.
    pub fn learn(&mut self, code: CodeReading, accepted: &[AcceptedContract]) {
        let is_it = |one: &&AcceptedContract| (&one.chain_id, one.address) == (&self.chain_id, self.address);
        self.accepted = accepted.iter().find(is_it).cloned();
        self.code = code;
    }

    /// Whether the user accepted the contract, and a node tells that it is still the same.
    pub fn is_settled(&self) -> bool {
        let CodeReading::Read { code, is_open: false, .. } = &self.code else { return false };
        self.accepted.as_ref().is_some_and(|accepted| code.change_from(&accepted.code).is_none())
    }

    /// Returns what to store after the user's yes; `None` if the yes counts only once.
    pub fn answer(&self, at: Timestamp) -> Option<AcceptedContract> {
        let CodeReading::Read { code, is_open: false, .. } = &self.code else { return None };
        let (chain_id, address) = (self.chain_id.clone(), self.address);
        Some(AcceptedContract { chain_id, address, code: code.clone(), at })
    }

    /// Names the contract, its roles, its code, and why an earlier yes does not count.
    pub fn words(&self) -> String {
        let does: Vec<&str> = self.parts.iter().map(|part| part.consequence()).collect();
        let (shown, chain) = (clean(&self.shown), clean(self.chain_id.as_str()));
        let mut words =
            vec![format!("{shown} on {chain} {}, and rollscope does not know this contract", does.join(" and "))];
        words.extend(self.earlier_words());
        match &self.code {
            CodeReading::Read { code, host, is_open } => {
                words.push(code_words(code, host));
                words.extend(is_open.then(|| "it runs other code (DELEGATECALL), which can change".to_owned()));
            }
            CodeReading::Unread(why) => words.push(clip(why, REASON)),
        }
        words.join("; ")
    }

    /// How long the user's yes counts.
    pub const fn reach(&self) -> &'static str {
        match self.code {
            CodeReading::Read { is_open: false, .. } => "rollscope keeps your yes until the code changes",
            CodeReading::Read { .. } | CodeReading::Unread(_) => "your yes counts for this signature only",
        }
    }

    /// Line of a settled contract.
    pub fn settled_line(&self) -> Option<OfferLine> {
        let (CodeReading::Read { code, host, .. }, Some(accepted)) = (&self.code, &self.accepted) else { return None };
        let text = format!(
            "{} by you on {}, and its code is unchanged: {}",
            self.shown,
            day(accepted.at),
            code_words(code, host)
        );
        self.is_settled().then(|| OfferLine::new("Accepted", OfferLineKind::Plain, &text))
    }

    fn earlier_words(&self) -> Option<String> {
        let accepted = self.accepted.as_ref()?;
        let at = day(accepted.at);
        Some(match &self.code {
            CodeReading::Read { code, .. } => {
                format!("its {} changed since you accepted it on {at}", code.change_from(&accepted.code)?)
            }
            CodeReading::Unread(_) => format!("you accepted it on {at}, but nothing shows that it is unchanged"),
        })
    }
}

fn day(at: Timestamp) -> String {
    format!("{} UTC", at.day_and_clock())
}

fn code_words(code: &ContractCode, host: &str) -> String {
    let hash = |hash: &str| clip(hash, HASH);
    let mut words = vec![format!("code {}", hash(&code.hash))];
    let runs = code.implementations.iter();
    words.extend(runs.map(|one| format!("runs the code {} of {}", hash(&one.hash), clean(&one.address))));
    words.extend(code.admin.as_ref().map(|admin| match admin {
        CodeAdmin::Account(admin) => format!("can be replaced by {}", clip(admin, 90)),
        CodeAdmin::Unknown => "can be replaced, by whom is unknown".to_owned(),
    }));
    format!("{}, per {host}", words.join(", "))
}
