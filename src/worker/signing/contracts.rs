use futures_util::future::join_all;
use tokio::time::timeout;

use super::{
    super::signing_page::SigningPage,
    SigningFailure, SigningTerminal,
    simulation::{PATIENCE, host_of},
};
use crate::{
    client::{BaseUrlError, ClientOptions, EvmClient, SendingClient},
    domain::{AcceptedContract, Address, ChainId, CodeAdmin, ContractCode, ProxyImplementation, Timestamp},
    signing::{
        ADMIN_SLOT, BEACON_SLOT, ChainTrust, CodeReading, ContractDoubt, ContractUse, IMPLEMENTATION_CALL,
        IMPLEMENTATION_SLOT, NamedCode, OfferLine, SigningQuestion, address_in_word, code_hash, delegates,
    },
};

/// Asks the user about the contracts that rollscope does not know, unless the user accepted their present code before.
/// Returns a line for each of the latter.
pub(super) async fn accept_contracts<T: SigningTerminal>(
    page: &SigningPage,
    contracts: &[ContractUse],
    own: (&ChainId, &ChainTrust),
    options: &ClientOptions,
    terminal: &mut T,
) -> Result<Vec<OfferLine>, SigningFailure> {
    if ContractDoubt::all(contracts).is_empty() {
        return Ok(Vec::new());
    }
    let doubts = contract_doubts(contracts, own, options, &terminal.accepted().await).await;
    let (settled, open): (Vec<ContractDoubt>, Vec<_>) = doubts.into_iter().partition(ContractDoubt::is_settled);
    let settled = settled.iter().filter_map(ContractDoubt::settled_line).collect();
    let Some(first) = open.first() else { return Ok(settled) };
    page.tell("An unknown contract is involved: confirm it in the terminal first.");
    let words: Vec<String> = open.iter().map(|doubt| format!("{}; {}", doubt.words(), doubt.reach())).collect();
    let question = SigningQuestion::Contract { why: format!("UNKNOWN: {}", words.join("; ")) };
    if !terminal.allow(&question).await {
        let (chain_id, shown) = (first.chain_id.clone(), first.shown.clone());
        return Err(SigningFailure::UnknownContract { chain_id, shown });
    }
    for accepted in open.iter().filter_map(|doubt| doubt.answer(Timestamp::now())) {
        terminal.accept(accepted).await;
    }
    Ok(settled)
}

/// Reads the present code of each unknown contract, and finds the user's earlier yes. `own` is the chain whose servers
/// may be asked.
pub async fn contract_doubts(
    contracts: &[ContractUse],
    (chain_id, trust): (&ChainId, &ChainTrust),
    options: &ClientOptions,
    accepted: &[AcceptedContract],
) -> Vec<ContractDoubt> {
    let mut doubts = ContractDoubt::all(contracts);
    let servers = |doubt: &ContractDoubt| Some(trust).filter(|_| doubt.chain_id == *chain_id);
    let read = join_all(doubts.iter().map(|doubt| read_code(doubt, servers(doubt), options))).await;
    for (doubt, code) in doubts.iter_mut().zip(read) {
        doubt.learn(code, accepted);
    }
    doubts
}

async fn read_code(doubt: &ContractDoubt, trust: Option<&ChainTrust>, options: &ClientOptions) -> CodeReading {
    let trust = trust.cloned().unwrap_or_default();
    let is_evm = doubt.shown.starts_with("0x");
    let Some(url) = trust.json_rpc.as_ref().filter(|_| is_evm).or(trust.rest.as_ref()) else {
        let chain = &doubt.chain_id;
        return CodeReading::Unread(format!("its code is unread, since only the router names servers of {chain}"));
    };
    let host = host_of(url);
    let read = async {
        let source = CodeSource::new(url, trust.json_rpc.as_ref() == Some(url), options);
        let source = source.map_err(|error| error.to_string())?;
        if is_evm { source.evm_contract(doubt.address).await } else { source.wasm_contract(&doubt.shown).await }
    };
    let late = || Err(format!("no answer within {} s", PATIENCE.as_secs()));
    let found = timeout(PATIENCE, read).await.unwrap_or_else(|_| late());
    match found {
        Ok((code, is_open)) => CodeReading::Read { code, host, is_open },
        Err(why) => CodeReading::Unread(format!("its code is unread, since {host}: {why}")),
    }
}

/// Server that tells the code of contracts.
enum CodeSource {
    JsonRpc(EvmClient),
    Rest(SendingClient),
}

impl CodeSource {
    fn new(url: &str, is_json_rpc: bool, options: &ClientOptions) -> Result<Self, BaseUrlError> {
        if is_json_rpc {
            return EvmClient::new(url, options.clone()).map(Self::JsonRpc);
        }
        SendingClient::new(url, options.clone()).map(Self::Rest)
    }

    async fn code(&self, address: Address) -> Result<Vec<u8>, String> {
        let code = match self {
            Self::JsonRpc(client) => client.code(address).await,
            Self::Rest(client) => client.evm_code(address).await,
        };
        code.map_err(|error| error.brief())
    }

    /// Returns the address in a storage slot; `None` if the slot is empty.
    async fn named(&self, address: Address, slot: [u8; 32]) -> Result<Option<Address>, String> {
        let word = match self {
            Self::JsonRpc(client) => client.storage(address, slot).await,
            Self::Rest(client) => client.evm_storage(address, slot).await,
        };
        word.map(address_in_word).map_err(|error| error.brief())
    }

    /// Returns the contract that a beacon names to its proxies now.
    async fn implementation(&self, beacon: Address) -> Result<Address, String> {
        let answer = match self {
            Self::JsonRpc(client) => client.read(beacon, &IMPLEMENTATION_CALL).await,
            Self::Rest(client) => client.evm_read(beacon, &IMPLEMENTATION_CALL).await,
        };
        let word = answer.map_err(|error| error.brief())?.try_into().ok().and_then(address_in_word);
        word.ok_or_else(|| "a beacon proxy, whose beacon names no contract".to_owned())
    }

    /// Returns the code of an EVM contract, and whether it runs code that no known place names.
    async fn evm_contract(&self, address: Address) -> Result<(ContractCode, bool), String> {
        let code = self.code(address).await?;
        if code.is_empty() {
            return Err("no code at this address".to_owned());
        }
        let stored = match self.named(address, BEACON_SLOT).await? {
            Some(beacon) => Some(self.implementation(beacon).await?),
            None => self.named(address, IMPLEMENTATION_SLOT).await?,
        };
        let admin = self.named(address, ADMIN_SLOT).await?;
        let (named, is_delegated) = match NamedCode::read(&code) {
            Some(NamedCode::Clone(named)) => (Some(named), false),
            Some(NamedCode::Delegation(named)) => (Some(named), true),
            None => (None, false),
        };
        let mut is_open = named.is_none() && stored.is_none() && delegates(&code);
        let mut implementations = Vec::new();
        for named in named.into_iter().chain(stored) {
            let run = self.code(named).await?;
            is_open |= delegates(&run);
            implementations.push(ProxyImplementation { address: named.checksummed(), hash: code_hash(&run) });
        }
        let admin = match admin {
            _ if is_delegated => Some(CodeAdmin::Account(address.checksummed())),
            Some(admin) => Some(CodeAdmin::Account(admin.checksummed())),
            None => stored.map(|_| CodeAdmin::Unknown),
        };
        Ok((ContractCode { hash: code_hash(&code), implementations, admin }, is_open))
    }

    async fn wasm_contract(&self, contract: &str) -> Result<(ContractCode, bool), String> {
        let Self::Rest(client) = self else { return Err("no REST URL".to_owned()) };
        let (hash, admin) = client.wasm_code(contract).await.map_err(|error| error.brief())?;
        Ok((ContractCode { hash, implementations: Vec::new(), admin: admin.map(CodeAdmin::Account) }, false))
    }
}
