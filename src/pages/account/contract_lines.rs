//! Words and lines about the contract of an account, each with its source.

use super::contract::AccountContract;
use crate::{
    config::Meaning,
    domain::{
        Address, ChainId, Target,
        text::{clip, count, count_of, group, quoted_within},
    },
    story::Glossary,
    widgets::document::Line,
    wire::{
        ApiError,
        node::{ContractToken, ContractTokenKind, NodeCode, NodeContract},
    },
};

/// Maximum columns of a name, and of a symbol, that a contract chose.
const NAME: usize = 40;
const SYMBOL: usize = 18;

/// Maximum functions to name.
const FUNCTIONS: usize = 8;

const BY_CONTRACT: &str = "the contract's word";
const BY_STATE: &str = "the node's state";

/// Names what the account is, for its title; `None` without proof that it is a contract.
pub(super) fn headline(contract: &AccountContract, glossary: &Glossary, chain: Option<&ChainId>) -> Option<String> {
    if !contract.is_proven(chain) {
        return None;
    }
    let token = contract.of_chain(chain).and_then(|found| found.token.as_ref());
    Some(match token {
        Some(token) => format!("contract · {}", TokenWords::new(token, glossary).whole()),
        None => "contract".to_owned(),
    })
}

/// What a contract says about itself, in words; the glossary's names come first.
struct TokenWords<'a> {
    token: &'a ContractToken,
    symbol: String,
    /// Decimals of the unit that the symbol names; `None` for a collection.
    decimals: Option<u8>,
}

impl<'a> TokenWords<'a> {
    fn new(token: &'a ContractToken, glossary: &Glossary) -> Self {
        let own = || quoted_within(&token.symbol, SYMBOL);
        let (symbol, decimals) = match &token.kind {
            ContractTokenKind::Collection => (own(), None),
            ContractTokenKind::Fungible { denom, decimals } => match glossary.token(denom) {
                Some(known) => (clip(&known.symbol, SYMBOL), Some(known.decimals)),
                None => (own(), Some(*decimals)),
            },
        };
        Self { token, symbol, decimals }
    }

    /// Formats kind, name, symbol and decimals: `token “Rollup Dollar” (“RUSD”, 6 decimals)`.
    fn whole(&self) -> String {
        let kind = if self.decimals.is_some() { "token" } else { "collection" };
        let name = Some(&self.token.name).filter(|name| !name.is_empty());
        let name = name.map_or_else(String::new, |name| format!(" {}", quoted_within(name, NAME)));
        let decimals = self.decimals.map(|decimals| count(usize::from(decimals), "decimal"));
        let symbol = Some(&self.symbol).filter(|_| !self.token.symbol.is_empty());
        let unit: Vec<&str> = symbol.into_iter().chain(&decimals).map(String::as_str).collect();
        let unit = if unit.is_empty() { String::new() } else { format!(" ({})", unit.join(", ")) };
        format!("{kind}{name}{unit}")
    }
}

/// Returns a line per fact with its source, and for what was not asked or not found a line that says so.
pub(super) fn lines(
    contract: &AccountContract,
    account: Address,
    glossary: &Glossary,
    chain: Option<&ChainId>,
) -> Vec<Line> {
    let mut lines = match contract.of_chain(chain) {
        Some(found) => node_lines(found, account, glossary),
        None => vec![fact("kind", not_asked(contract, chain), ""), fact("code", "not looked up", "")],
    };
    lines.push(deployment_line(contract, glossary));
    lines.push(calls_line(contract));
    lines
}

fn fact(name: &str, value: impl AsRef<str>, source: &str) -> Line {
    let source = if source.is_empty() { String::new() } else { format!("  {source}") };
    Line::at(0).with(Meaning::Key, format!("{name:<11}")).with(Meaning::Text, value).with(Meaning::Muted, source)
}

/// Says why the node's answer is missing.
fn not_asked(contract: &AccountContract, chain: Option<&ChainId>) -> String {
    let why = match (&contract.facts.error(), contract.facts.value(), chain) {
        (Some(error), _, _) => format!("the node: {}; {}", ApiError::brief(error), error.advice()),
        (None, Some(facts), Some(chain)) if facts.chain_id != chain.as_str() => {
            format!("the node serves {}", clip(&facts.chain_id, 40))
        }
        (None, Some(_), _) => "the node has no code at this address".to_owned(),
        (None, None, _) if contract.facts.is_loading() => "asking the rollup's node…".to_owned(),
        (None, None, _) => "no node was asked".to_owned(),
    };
    format!("not looked up: {why}")
}

fn node_lines(found: &NodeContract, account: Address, glossary: &Glossary) -> Vec<Line> {
    let mut lines = match &found.token {
        Some(token) => token_lines(token, account, glossary),
        None => vec![fact("kind", "the contract answers neither as a token nor as a collection", "")],
    };
    match &found.code {
        NodeCode::Evm { size } => lines.push(fact("code", count(*size, "byte"), BY_STATE)),
        NodeCode::Wasm { code_id, label, creator, admin, created } => {
            let code = format!("{} · label {}", clip(code_id, 20), quoted_within(label, NAME));
            lines.push(fact("code", code, BY_STATE));
            let admin = match admin {
                Some(admin) => account_fact("admin", *admin, " can replace the code", glossary),
                None => fact("admin", "none: nobody can replace the code", ""),
            };
            lines.push(admin.with(Meaning::Muted, format!("  {BY_STATE}")));
            let at = created.map_or_else(String::new, |height| format!(", in block {}", group(height.get())));
            let creator = creator.map(|creator| account_fact("creator", creator, &at, glossary));
            lines.extend(creator.map(|line| line.with(Meaning::Muted, format!("  {BY_STATE}"))));
        }
    }
    lines
}

/// Returns a line that names an account and leads to it.
fn account_fact(name: &str, account: Address, rest: &str, glossary: &Glossary) -> Line {
    let label = glossary.label(account).map(|label| clip(label, NAME));
    let shown = label.map_or_else(|| account.bech32(), |label| format!("{label} ({})", account.short()));
    let line = fact(name, format!("{shown}{rest}"), "");
    line.leading_to(Some(Target::Account(account))).copying(account.bech32())
}

fn token_lines(token: &ContractToken, account: Address, glossary: &Glossary) -> Vec<Line> {
    let words = TokenWords::new(token, glossary);
    let mut lines = vec![fact("kind", words.whole(), BY_CONTRACT)];
    if let (ContractTokenKind::Fungible { denom, .. }, Some(decimals)) = (&token.kind, words.decimals) {
        let supply = match token.supply {
            Some(supply) => {
                let shown = format!("{} {}", supply.shown(decimals), words.symbol);
                fact("supply", shown, BY_CONTRACT).copying(supply.to_string())
            }
            None => fact("supply", "the contract does not tell it", ""),
        };
        let holders = fact("holders", format!("the rich list of {} (Enter)", denom.short()), "");
        lines.extend([supply, holders.leading_to(Some(Target::Denom(denom.clone())))]);
    } else {
        let supply = token.supply.map(|supply| format!("{} NFTs", supply.display(0)));
        let supply = supply.unwrap_or_else(|| "the contract does not tell how many NFTs it has".to_owned());
        let line = fact("supply", format!("{supply} (Enter opens the collection)"), BY_CONTRACT);
        lines.push(line.leading_to(Some(Target::Collection(account))));
    }
    lines
}

/// Says which transaction deployed the contract, by the index.
fn deployment_line(contract: &AccountContract, glossary: &Glossary) -> Line {
    if let Some(found) = &contract.deployment {
        let by = match found.by {
            Some(by) => glossary.label(by).map_or_else(|| by.bech32(), |label| clip(label, NAME)),
            None => "another contract or a module".to_owned(),
        };
        let text = format!("by {by} in block {} (Enter)", group(found.height.get()));
        return fact("deployed", text, &found.tx.short())
            .leading_to(Some(Target::Tx(found.tx)))
            .copying(found.tx.to_string());
    }
    let text = match (contract.oldest.error(), contract.oldest.value()) {
        (Some(error), _) => format!("not looked up: {}", error.brief()),
        (None, Some(seen)) => {
            let oldest = count_of(*seen, "oldest transaction", "oldest transactions");
            format!("not by one of its {oldest} in the index")
        }
        (None, None) if contract.oldest.is_loading() => "asking the index…".to_owned(),
        (None, None) => "not looked up".to_owned(),
    };
    fact("deployed", text, "")
}

/// Counts the calls of the loaded transactions by function.
fn calls_line(contract: &AccountContract) -> Line {
    let source = format!("messages of its {} loaded here", count(contract.looked_at.len(), "newest transaction"));
    let mut calls: Vec<(&String, usize)> = contract.calls.iter().map(|(function, count)| (function, *count)).collect();
    if calls.is_empty() {
        return fact("calls", "none", &source);
    }
    calls.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let more = calls.len().saturating_sub(FUNCTIONS);
    let named = calls.iter().take(FUNCTIONS).map(|(function, count)| format!("{} {}", clip(function, 32), count));
    let mut named: Vec<String> = named.collect();
    named.extend((more > 0).then(|| count(more, "more function")));
    fact("calls", named.join(" · "), &source)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        domain::{Amount, Denom, Height, Timestamp, TxHash},
        msg::Remote,
        story::ContractDeployment,
        wire::{ErrorKind, node::ContractFacts},
    };

    const ACCOUNT: Address = Address::Long([7; 32]);

    fn told(contract: Option<NodeContract>) -> AccountContract {
        let mut told = AccountContract::default();
        let facts = ContractFacts { chain_id: "a-1".to_owned(), contract };
        told.take(Ok(Arc::new(facts)), Timestamp::EPOCH);
        told
    }

    fn token(kind: ContractTokenKind) -> NodeContract {
        let supply = Some(Amount::from(1_000_000));
        let token = ContractToken { kind, name: "Rollup “Dollar”".to_owned(), symbol: "RUSD".to_owned(), supply };
        NodeContract { code: NodeCode::Evm { size: 3412 }, token: Some(token) }
    }

    fn shown(contract: &AccountContract, chain: &str) -> (Option<String>, String) {
        let (glossary, chain) = (Glossary::default(), ChainId::new(chain));
        let lines = lines(contract, ACCOUNT, &glossary, Some(&chain));
        let text: Vec<String> = lines.iter().map(Line::text).collect();
        (headline(contract, &glossary, Some(&chain)), text.join("\n"))
    }

    #[test]
    fn a_token_has_its_unit_supply_and_holders_with_their_sources() {
        let fungible = ContractTokenKind::Fungible { denom: Denom::new("evm/AB"), decimals: 6 };
        let (title, text) = shown(&told(Some(token(fungible))), "a-1");
        let unit = "token “Rollup \"Dollar\"” (“RUSD”, 6 decimals)";
        assert_eq!(title, Some(format!("contract · {unit}")));
        assert!(text.contains(&format!("kind       {unit}  the contract's word")), "{text}");
        assert!(text.contains("supply     1 “RUSD”  the contract's word"), "{text}");
        assert!(text.contains("rich list of evm/AB") && text.contains("3,412 bytes  the node's state"), "{text}");
        assert!(text.contains("deployed   not looked up") && text.contains("calls      none"), "{text}");
        let (title, text) = shown(&told(Some(token(ContractTokenKind::Collection))), "a-1");
        assert_eq!(title.as_deref(), Some("contract · collection “Rollup \"Dollar\"” (“RUSD”)"));
        assert!(text.contains("1,000,000 NFTs") && !text.contains("rich list"), "{text}");
    }

    #[test]
    fn code_of_wasm_has_label_admin_and_creator() {
        let code = |admin| NodeCode::Wasm {
            code_id: "2".to_owned(),
            label: "escrow".to_owned(),
            creator: Some(Address::Short([1; 20])),
            admin,
            created: Height::new(473),
        };
        let (title, text) = shown(&told(Some(NodeContract { code: code(None), token: None })), "a-1");
        assert_eq!(title.as_deref(), Some("contract"));
        assert!(text.contains("neither as a token nor as a collection"), "{text}");
        assert!(text.contains("2 · label “escrow”") && text.contains("nobody can replace the code"), "{text}");
        assert!(text.contains(&format!("{}, in block 473  the node's state", Address::Short([1; 20]).bech32())));
        let admin = Address::Short([2; 20]);
        let (_, text) = shown(&told(Some(NodeContract { code: code(Some(admin)), token: None })), "a-1");
        assert!(text.contains(&format!("{} can replace the code", admin.bech32())), "{text}");
    }

    #[test]
    fn what_is_not_proven_is_no_contract_and_what_is_not_asked_says_so() {
        let fungible = || ContractTokenKind::Fungible { denom: Denom::new("evm/AB"), decimals: 6 };
        assert_eq!(shown(&told(None), "a-1").0, None, "no code");
        assert_eq!(shown(&told(Some(token(fungible()))), "b-2").0, None, "another chain's node");
        assert_eq!(shown(&AccountContract::default(), "a-1").0, None, "nobody was asked");
        let mut called = AccountContract::default();
        called.calls.insert("transfer()".to_owned(), 3);
        assert_eq!(shown(&called, "a-1").0, None, "anybody can be called");
        let deployment = ContractDeployment { tx: TxHash::new([9; 32]), height: Height::FIRST, by: None };
        for (mut contract, why) in
            [(AccountContract::default(), "no node was asked"), (told(None), "the node has no code at this address")]
        {
            contract.deployment = Some(deployment.clone());
            let (title, text) = shown(&contract, "a-1");
            assert_eq!(title.as_deref(), Some("contract"));
            assert!(text.contains(&format!("kind       not looked up: {why}")), "{text}");
            assert!(text.contains("deployed   by another contract or a module in block 1 (Enter)"), "{text}");
        }
        let mut foreign = told(Some(token(fungible())));
        foreign.deployment = Some(deployment);
        assert!(shown(&foreign, "b-2").1.contains("not looked up: the node serves a-1"));
        let error = ApiError { kind: ErrorKind::Node("it is away".to_owned()), url: "".into(), body: None };
        foreign.facts = Remote::Failed { error };
        assert!(shown(&foreign, "b-2").1.contains("not looked up: the node: "), "{:?}", shown(&foreign, "b-2"));
    }

    #[test]
    fn calls_are_counted_by_function_and_the_rest_is_counted_too() {
        let mut contract = told(Some(NodeContract { code: NodeCode::Evm { size: 1 }, token: None }));
        contract.calls.extend((0..10).map(|number| (format!("f{number}()"), number + 1)));
        let text = shown(&contract, "a-1").1;
        assert!(
            text.contains("calls      f9() 10 · f8() 9 · ") && text.contains("f2() 3 · 2 more functions"),
            "{text}"
        );
        assert!(text.contains("code       1 byte"), "{text}");
    }
}
