//! Trust in unknown contracts: a router could name its own contract, and all other fields would match the quote.

use std::{
    collections::BTreeSet,
    io::{self, IsTerminal as _, Write as _},
    time::Duration,
};

use super::{
    super::{CommandError, TrustedContract, node},
    Router,
};
use crate::{
    app::{Authority, OwnNetwork},
    client::{NodeAddresses, NodeClient},
    config::{KnownTokens, Network, Networks, NodeLocation},
    domain::{Address, ChainId, Denom, Timestamp, Vm, text::clean},
    signing::{ChainTrust, ClaimWait, ContractDoubt, ContractSource, KnownContracts, RouteDoubt},
    story::{Names, ReportedUnits, claim_lines},
    wire::{
        node::EvmContractAnswer,
        router::{ChainInfo, Route},
    },
};

/// Concurrent requests to the node.
const AT_ONCE: usize = 4;
/// REST path at which a rollup names its own wrapper.
const WRAPPER: &str = "/minievm/evm/v1/contracts/erc20_wrapper";

/// Network that the user chose, with its chain and its node's interfaces as far as they answer. A node named by the
/// router proves nothing.
pub(super) struct ChosenNetwork<'a> {
    networks: &'a Networks,
    network: Option<Network>,
    node: Option<NodeClient>,
}

impl<'a> ChosenNetwork<'a> {
    pub(super) async fn find(router: &'a Router) -> Self {
        let networks = &router.networks;
        let Some(mut network) = router.network.clone() else { return Self { networks, network: None, node: None } };
        let node = chosen_node(&network, router).await;
        if let Some(node) = &node {
            let NodeAddresses { node: rpc, rest, json_rpc } = node.addresses();
            network.node = Some(NodeLocation { node: rpc, rest, json_rpc, others: Vec::new() });
            network.chain_id = Some(node.chain_id().to_owned());
        } else if network.chain_id.is_none()
            && let Some(indexer) = &router.indexer
        {
            network.chain_id = indexer.status().await.ok().map(|status| status.chain_id);
        }
        Self { networks, network: Some(network), node }
    }

    fn chain(&self) -> Option<ChainId> {
        Some(ChainId::new(self.network.as_ref()?.chain_id.as_deref()?))
    }

    /// Returns what is known about a chain without the router.
    pub(super) fn trust(&self, chain: &ChainId, listed: Option<&ChainInfo>, is_simulated: bool) -> ChainTrust {
        self.judge(self.chain().as_ref(), is_simulated).trust(chain, listed)
    }

    /// Returns the judge of statements about chains; `own` is the chain of the user's network.
    fn judge<'b>(&'b self, own: Option<&'b ChainId>, is_simulated: bool) -> Authority<'b> {
        let own = self.network.as_ref().map(|network| OwnNetwork { network, chain: own });
        Authority { networks: self.networks, own, is_simulated }
    }

    /// Returns a rollup's L1 and its bridge's id there: by the settings, by the registry, or by the rollup's own node.
    pub(super) async fn settlement(&self, chain: &ChainId) -> (Option<ChainId>, Option<u64>) {
        let (l1, bridge_id) = self.judge(self.chain().as_ref(), false).settlement(chain);
        if l1.is_some() && bridge_id.is_some() {
            return (l1, bridge_id);
        }
        let node = self.node.as_ref().filter(|node| node.chain_id() == chain.as_str());
        let Some(Ok(Some(bridge))) = (match node {
            Some(node) => Some(node.bridge_info().await),
            None => None,
        }) else {
            return (l1, bridge_id);
        };
        (l1.or(Some(ChainId::new(bridge.l1_chain_id))), bridge_id.or(bridge.bridge_id.parse().ok()))
    }

    /// Returns the challenge period of a rollup's bridge, from the rollup's own node.
    pub(super) async fn challenge_period(&self, chain: &ChainId) -> Option<Duration> {
        let node = self.node.as_ref().filter(|node| node.chain_id() == chain.as_str())?;
        node.bridge_info().await.ok()??.bridge_config?.challenge_period()
    }

    /// Requests the units of the route's tokens on the node's chain that neither settings nor registry know.
    pub(super) async fn reported_units(&self, route: &Route, known: &KnownContracts) -> ReportedUnits {
        let (Some(node), Some(network)) = (&self.node, &self.network) else { return ReportedUnits::default() };
        let ends = [
            (&route.source_asset_chain_id, &route.source_asset_denom),
            (&route.dest_asset_chain_id, &route.dest_asset_denom),
        ];
        let is_open = |(chain, denom): &(&ChainId, &Denom)| {
            chain.as_str() == node.chain_id() && known.decimals_of(chain, denom).is_none()
        };
        let denoms: Vec<Denom> = ends.into_iter().filter(is_open).map(|(_, denom)| denom.clone()).collect();
        if denoms.is_empty() {
            return ReportedUnits::default();
        }
        let Ok(facts) = node.denom_facts(&denoms).await else { return ReportedUnits::default() };
        let (bridge, tokens) =
            (node.bridge_info().await.ok().flatten(), KnownTokens::new(self.networks, Some(network)));
        let l1 = bridge.as_ref().map(|bridge| ChainId::new(bridge.l1_chain_id.as_str()));
        let l1_unit =
            |denom: &Denom| tokens.token(l1.as_ref()?, denom).map(|token| (token.symbol.clone(), token.decimals));
        ReportedUnits::new(&facts, bridge.as_ref().and_then(|bridge| bridge.bridge_id.parse().ok()), l1_unit)
    }

    /// Collects known contracts from the registry, the network and its node, and the user. A trusted address without a
    /// chain belongs to the only chain of `chains`.
    pub(super) async fn known_contracts(
        &self,
        trusted: &[TrustedContract],
        chains: &[ChainId],
    ) -> Result<KnownContracts, CommandError> {
        let trusted = with_chains(trusted, chains)?;
        let mut known = self.judge(self.chain().as_ref(), false).known_contracts();
        let Some(node) = &self.node else { return Ok(known.trusting(trusted)) };
        let chain = ChainId::new(node.chain_id());
        let bridge = node.bridge_info().await.ok().flatten().and_then(|bridge| bridge.bridge_id.parse().ok());
        if let Some(bridge_id) = bridge {
            known = known.with_bridge(chain.clone(), bridge_id);
        }
        if let Some(wrapper) = wrapper_of_node(node).await {
            known = known.with(chain, wrapper, "the chain's ERC20 wrapper", ContractSource::Chain);
        }
        Ok(known.trusting(trusted))
    }
}

/// Assigns a chain to each contract. With several chains, an address without a chain is ambiguous: each chain may have
/// other code at it.
fn with_chains(trusted: &[TrustedContract], chains: &[ChainId]) -> Result<Vec<(ChainId, Address)>, CommandError> {
    let of = |contract: &TrustedContract| {
        let chain = match (&contract.chain_id, chains) {
            (Some(chain), _) => chain,
            (None, [only, others @ ..]) if others.iter().all(|other| other == only) => only,
            (None, _) => {
                let chains: BTreeSet<String> = chains.iter().map(|chain| clean(chain.as_str()).into_owned()).collect();
                let named = if chains.is_empty() {
                    "the signing chain is unknown".to_owned()
                } else {
                    format!("the signed content is for {}", chains.into_iter().collect::<Vec<_>>().join(" and "))
                };
                let shown = clean(&contract.shown);
                return Err(CommandError::Usage(format!(
                    "--trust {shown} names no chain, and {named}: write --trust CHAIN:{shown}"
                )));
            }
        };
        Ok((chain.clone(), contract.address))
    };
    trusted.iter().map(of).collect()
}

async fn chosen_node(network: &Network, router: &Router) -> Option<NodeClient> {
    let location = network.node.clone()?;
    let node = NodeClient::find(&node::addresses(location), router.options.clone(), AT_ONCE).await.ok()?;
    // An indexer that is away says nothing against the node.
    if let Some(indexer) = &router.indexer
        && let Ok(status) = indexer.status().await
    {
        node.refuse_other_chain(indexer, status).await.ok()?;
    }
    Some(node)
}

async fn wrapper_of_node(node: &NodeClient) -> Option<Address> {
    if node.vm() != Vm::Evm {
        return None;
    }
    let answer: EvmContractAnswer = node.rest(WRAPPER, None).await.ok()?;
    answer.address.parse().ok()
}

/// Asks the user to confirm each contract; fails without a terminal.
pub(super) fn confirm_contracts<'a>(doubts: impl Iterator<Item = &'a ContractDoubt>) -> Result<(), CommandError> {
    for doubt in doubts {
        let (shown, words) = (clean(&doubt.shown), doubt.words());
        if !is_terminal() {
            let chain = clean(doubt.chain_id.as_str());
            return Err(CommandError::Failed(format!(
                "nothing signed: {words}; to trust it, add --trust {chain}:{shown}"
            )));
        }
        eprintln!("UNKNOWN: {words}. The router may have chosen this contract; all other fields match the quote.");
        eprintln!("If you confirm, {}.", doubt.reach());
        eprint!("Type the address's last 4 characters to continue, other text to stop: ");
        let mut typed = String::new();
        io::stderr().flush().and_then(|()| io::stdin().read_line(&mut typed)).map_err(CommandError::failed)?;
        if !is_yes(&shown, &typed) {
            return Err(CommandError::Failed("nothing signed: you did not confirm".to_owned()));
        }
    }
    Ok(())
}

/// Asks the user to accept the wait of an optimistic withdrawal; fails without a terminal.
pub(super) fn accept_wait(wait: &ClaimWait, now: Timestamp, names: &dyn Names) -> Result<(), CommandError> {
    let [length, claim] = claim_lines(wait, now, names);
    let why = format!("the funds wait {}; then {}", length.text, claim.text);
    confirm(&why, "--accept-wait")
}

/// Asks the user to accept each part that only the router tells, once; fails without a terminal.
pub(super) fn accept_doubts<'a>(
    doubts: impl Iterator<Item = &'a RouteDoubt>,
    accepted: &mut Vec<String>,
) -> Result<(), CommandError> {
    for doubt in doubts {
        let key = doubt.key();
        if !accepted.contains(&key) {
            confirm(&clean(&doubt.to_string()), &format!("{} {}", doubt.option(), clean(&key)))?;
            accepted.push(key);
        }
    }
    Ok(())
}

/// Asks a question on the terminal; without one, fails with the option that answers it.
fn confirm(why: &str, option: &str) -> Result<(), CommandError> {
    if !is_terminal() {
        return Err(CommandError::Failed(format!("nothing signed: {why}; to accept this, add {option}")));
    }
    eprintln!("{why}: type yes to continue");
    let mut typed = String::new();
    io::stdin().read_line(&mut typed).map_err(CommandError::failed)?;
    let is_yes = typed.trim() == "yes";
    if is_yes { Ok(()) } else { Err(CommandError::Failed("nothing signed: you did not confirm".to_owned())) }
}

fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether the user typed the end of the address.
fn is_yes(shown: &str, typed: &str) -> bool {
    let typed = typed.trim();
    typed.len() == 4
        && shown.len() > 4
        && shown.get(shown.len() - 4..).is_some_and(|end| end.eq_ignore_ascii_case(typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_alone_is_of_the_one_chain_that_is_signed_on() {
        let address = "0x3333333333333333333333333333333333333333";
        let [one, other] = ["1", "8453"].map(ChainId::new);
        let given = |texts: &[String]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<TrustedContract>>();
        let bare = given(&[address.to_owned()]);
        let found = with_chains(&bare, &[one.clone(), one.clone()]).unwrap();
        assert_eq!(found, [(one.clone(), address.parse().unwrap())]);
        let whole = given(&[format!("8453:{address}")]);
        assert_eq!(
            with_chains(&whole, std::slice::from_ref(&one)).unwrap(),
            [(other.clone(), address.parse().unwrap())]
        );
        let words = with_chains(&bare, &[one.clone(), other.clone()]).unwrap_err().to_string();
        assert!(words.contains("the signed content is for 1 and 8453: write --trust CHAIN:0x3333"), "{words}");
        assert!(with_chains(&bare, &[]).is_err() && with_chains(&[], &[one, other]).unwrap().is_empty());
        for bad in [":0x33", "1:", "1:nonsense", "nonsense", ""] {
            assert!(bad.parse::<TrustedContract>().is_err(), "{bad}");
        }
    }

    #[test]
    fn only_the_end_of_the_address_is_a_yes() {
        let shown = "0x3333333333333333333333333333333333aBcD12";
        assert!(is_yes(shown, "cd12\n") && is_yes(shown, " CD12 "));
        assert!(!["yes", "y", "", "12", "d12\n", "0000"].iter().any(|typed| is_yes(shown, typed)));
    }
}
