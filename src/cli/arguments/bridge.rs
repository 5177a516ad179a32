//! Arguments of the bridge commands, from a quote to following a transfer.

use std::{path::PathBuf, str::FromStr};

use clap::{Args, Subcommand};

use super::OutputArguments;
use crate::{
    domain::{Address, Amount, BroadcastHash, ChainId, Coin, Denom, Slippage, TxHash, parse_coins},
    signing::account_of,
};

/// Commands that use the routing API.
#[derive(Clone, Debug, Subcommand)]
pub enum BridgeCommand {
    /// Quote the best route from one asset to another
    Route(RouteArguments),
    /// Get the hook to sign for a route that requires a hook
    OpHook(OpHookArguments),
    /// Get the messages of a route, to sign here or elsewhere
    Msgs(MsgsArguments),
    /// Sign a hook with the embedded rollup's demo wallet
    DemoSign(DemoSignArguments),
    /// Sign and send a transaction with the demo wallet
    DemoSend(DemoSendArguments),
    /// Show the state of optimistic withdrawals, or claim them on the L1 with your own wallet
    Claim(ClaimArguments),
    /// Claim an optimistic withdrawal on the L1 with the demo wallet
    DemoClaim(DemoClaimArguments),
    /// Fund an account from the embedded rollup's faucet, on the rollup, the L1 and further chains
    DemoFund(DemoFundArguments),
    /// Find a transaction that another program sent, by its messages
    FindSent(FindSentArguments),
    /// Ask the router to track a broadcast transaction
    Track(TrackArguments),
    /// Show the location of a transfer's funds
    Transfer(TransferArguments),
}

/// Asset on a chain, written `CHAIN:DENOM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetName {
    /// Chain of the asset.
    pub chain_id: ChainId,
    pub denom: Denom,
}

impl FromStr for AssetName {
    type Err = String;

    /// Splits at the first colon: chain ids contain no colon, but denoms may.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some((chain, denom)) if is_fit(chain) && Denom::is_fit(denom) => {
                Ok(Self { chain_id: ChainId::new(chain), denom: Denom::new(denom) })
            }
            _ => Err("write chain and denom with a colon between, such as interwoven-1:uinit".to_owned()),
        }
    }
}

/// Address on a chain, written `CHAIN=ADDRESS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressArgument {
    /// Chain of the address.
    pub chain_id: ChainId,
    /// Address in the chain's format.
    pub address: String,
}

impl FromStr for AddressArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((chain, address)) if is_fit(chain) && is_fit(address) => {
                Ok(Self { chain_id: ChainId::new(chain), address: address.to_owned() })
            }
            _ => Err("write chain and address with = between, such as interwoven-1=init1…".to_owned()),
        }
    }
}

/// Contract that the user trusts: `CHAIN:ADDRESS`, or `ADDRESS` if the chain is unambiguous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedContract {
    /// Chain of the contract; `None` if the user gave only the address.
    pub chain_id: Option<ChainId>,
    pub address: Address,
    /// Address as the user gave it.
    pub shown: String,
}

impl FromStr for TrustedContract {
    type Err = String;

    /// Splits at the first colon: chain ids and addresses contain no colon.
    fn from_str(text: &str) -> Result<Self, String> {
        let (chain, shown) = match text.split_once(':') {
            Some((chain, _)) if !is_fit(chain) => return Err("write a chain before the colon".to_owned()),
            Some((chain, shown)) => (Some(ChainId::new(chain)), shown),
            None => (None, text),
        };
        let none = || "not an address: write CHAIN:ADDRESS with a full 0x… or bech32 address";
        let address = account_of(shown).ok_or_else(none)?;
        Ok(Self { chain_id: chain, address, shown: shown.to_owned() })
    }
}

fn is_fit(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}

#[derive(Clone, Debug, Args)]
pub struct RouteArguments {
    /// Asset to send: chain id, a colon, denom
    #[arg(long, value_name = "CHAIN:DENOM")]
    pub from: AssetName,
    /// Asset to receive: chain id, a colon, denom
    #[arg(long, value_name = "CHAIN:DENOM")]
    pub to: AssetName,
    /// Amount to send: a whole number of smallest units
    #[arg(long, value_name = "N")]
    pub amount: Amount,
    /// Accept routes with a bad or unknown price, with a warning
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub allow_unsafe: bool,
    /// Use fast bridges, which cost more [default: the router decides]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    pub go_fast: Option<bool>,
    /// Accept routes of several transactions, each signed on its own chain [default: the router decides]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    pub allow_multi_tx: Option<bool>,
    /// Withdraw over the optimistic bridge: without loss, but in days
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", default_value_t = false,
        action = clap::ArgAction::Set)]
    pub op_withdraw: bool,
    /// Also print a link to Skip's web bridge with source and destination; on a terminal also its QR code
    #[arg(long)]
    pub link: bool,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Clone, Debug, Args)]
pub struct OpHookArguments {
    /// Output of `rollscope route`; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub route: PathBuf,
    /// Sender
    #[arg(long, value_name = "ADDRESS")]
    pub from_address: String,
    /// Recipient, who signs the hook: init1…
    #[arg(long, value_name = "ADDRESS")]
    pub to_address: String,
    /// Write files into this folder: hook.unsigned.json for the chain's command line, hook.signdoc.json for a wallet,
    /// and hook.HOWTO.txt with the commands; rollscope overwrites no file
    #[arg(long, value_name = "DIR")]
    pub unsigned: Option<PathBuf>,
    /// Trust this contract; repeatable. An address without a chain is on the hook's chain
    #[arg(long, value_name = "CHAIN:ADDRESS")]
    pub trust: Vec<TrustedContract>,
    /// Sign the hook with your browser wallet, and print it for `msgs --signed-op-hook`
    #[arg(long)]
    pub sign: bool,
    /// Accept a part that only the router tells, by its name in the refusal; repeatable
    #[arg(long = "accept", value_name = "WHAT", requires = "sign")]
    pub accepted: Vec<String>,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Clone, Debug, Args)]
pub struct MsgsArguments {
    /// Output of `rollscope route`; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub route: PathBuf,
    /// Address on one of the route's required chains; repeatable, in any order. The order only counts for two addresses
    /// on one chain
    #[arg(long = "address", value_name = "CHAIN=ADDRESS", required = true)]
    pub addresses: Vec<AddressArgument>,
    /// Maximum slippage, in percent
    #[arg(long, value_name = "PERCENT", default_value_t)]
    pub slippage: Slippage,
    /// Signed hook of a route that requires one: an object with signer and hook, or the hook alone; - reads standard
    /// input
    #[arg(long, value_name = "FILE")]
    pub signed_op_hook: Option<PathBuf>,
    /// Write unsigned transactions for the chains' command lines into this folder, and HOWTO.txt with the commands;
    /// rollscope overwrites no file
    #[arg(long, value_name = "DIR")]
    pub unsigned: Option<PathBuf>,
    /// Sign with your browser wallet on a local page. rollscope compares each transaction with the route, then saves,
    /// broadcasts and tracks it, and prints chain and hash
    #[arg(long, conflicts_with = "unsigned")]
    pub sign: bool,
    /// Sign only this transaction, counted from 0
    #[arg(long, value_name = "N", requires = "sign")]
    pub tx: Option<u32>,
    /// Trust this contract on its chain; repeatable. Without a terminal, an unknown contract needs this option, unless
    /// you accepted its present code before. Omit the chain if all transactions are on one chain
    #[arg(long, value_name = "CHAIN:ADDRESS")]
    pub trust: Vec<TrustedContract>,
    /// Accept a bridge or channel whose other end only the router tells, such as interwoven-1:channel-99; repeatable
    #[arg(long = "accept-connection", value_name = "CHAIN:CHANNEL|CHAIN:bridge-N", requires = "sign")]
    pub accepted_connections: Vec<String>,
    /// Accept another part that only the router tells, by its name in the refusal, such as arrives:celestia:utia;
    /// repeatable
    #[arg(long = "accept", value_name = "WHAT", requires = "sign")]
    pub accepted: Vec<String>,
    /// Accept that the funds of an optimistic withdrawal wait for days, and for a claim with a second signature
    #[arg(long, requires = "sign")]
    pub accept_wait: bool,
    /// Accept a fee of up to this coin, such as 7500uinit, also if it is unusual; repeatable, once per denom
    #[arg(long = "accept-fee", value_name = "COIN", value_parser = parse_coin, requires = "sign")]
    pub accepted_fees: Vec<Coin>,
    /// Also print a link to Skip's web bridge with source and destination; on a terminal also its QR code
    #[arg(long)]
    pub link: bool,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Clone, Debug, Args)]
pub struct DemoSignArguments {
    /// Output of `rollscope op-hook`; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub hook: PathBuf,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Clone, Debug, Args)]
pub struct DemoSendArguments {
    /// Output of `rollscope msgs`; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub msgs: PathBuf,
    /// Index of the transaction, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub tx: u32,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Clone, Debug, Args)]
#[command(after_help = CLAIM_HELP)]
pub struct ClaimArguments {
    /// Source rollup
    #[arg(value_name = "CHAIN", value_parser = parse_chain)]
    pub chain: ChainId,
    /// Transactions that started the withdrawals, or the withdrawals' numbers on the bridge; several are claimed in one
    /// transaction
    #[arg(value_name = "HASH|NUMBER", required_unless_present = "all")]
    pub withdrawals: Vec<WithdrawalName>,
    /// All unclaimed withdrawals to this L1 account, from the executor
    #[arg(long, value_name = "ADDRESS", conflicts_with = "withdrawals")]
    pub all: Option<Address>,
    /// Sign the claim with your browser wallet, and send it
    #[arg(long, conflicts_with = "unsigned")]
    pub sign: bool,
    /// Write the claim for the L1's command line into this folder
    #[arg(long, value_name = "DIR")]
    pub unsigned: Option<PathBuf>,
    /// Signer of the claim, who pays the fee, as an L1 address [default: the recipient]
    #[arg(long, value_name = "ADDRESS")]
    pub signer: Option<String>,
    /// Accept a fee of up to this coin, such as 7500uinit, also if it is unusual
    #[arg(long = "accept-fee", value_name = "COIN", value_parser = parse_coin, requires = "sign")]
    pub accepted_fees: Vec<Coin>,
    /// URL of the bridge executor's API [default: the network's]
    #[arg(long, value_name = "URL")]
    pub executor: Option<String>,
    /// REST URL of an L1 node [default: the network's, else the router's]
    #[arg(long, value_name = "URL")]
    pub l1_rest: Option<String>,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Withdrawal, given by its transaction or by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WithdrawalName {
    /// Transaction on the rollup that started the withdrawal.
    Tx(TxHash),
    /// Number of the withdrawal on the bridge.
    Number(u64),
}

impl FromStr for WithdrawalName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().map(Self::Number);
        let name = number.or_else(|| text.parse().ok().map(Self::Tx));
        name.ok_or_else(|| "not a transaction hash or a withdrawal number".to_owned())
    }
}

const CLAIM_HELP: &str = "Output and challenge period come from the L1. rollscope follows the executor's proof \
 from the withdrawal to the output root on the L1 before it signs or writes anything, and never claims with a \
 proof that does not lead there. Anyone may claim: the recipient gets the funds, the signer pays the fee.";

#[derive(Clone, Debug, Args)]
pub struct DemoClaimArguments {
    /// Source rollup
    #[arg(value_name = "CHAIN", value_parser = parse_chain)]
    pub chain: ChainId,
    /// Transaction that started the withdrawal
    #[arg(value_name = "HASH")]
    pub hash: BroadcastHash,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Clone, Debug, Args)]
pub struct DemoFundArguments {
    /// Account: init1… or 0x… on the rollup, the L1 and the EVM chain; another bech32 address, such as celestia1…, on
    /// its own chain
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Clone, Debug, Args)]
pub struct FindSentArguments {
    /// Folder that `rollscope msgs --unsigned` wrote
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Index of the transaction, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub tx: u32,
    /// Keep searching for this many seconds; without this option, search once
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    pub wait: u64,
    /// JSON-RPC URL of a node of the EVM chain [default: the router's]
    #[arg(long, value_name = "URL")]
    pub evm_node: Option<String>,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Clone, Debug, Args)]
pub struct TrackArguments {
    #[command(flatten)]
    pub tx: TxArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Transaction that was broadcast.
#[derive(Clone, Debug, Args)]
pub struct TxArguments {
    /// Chain of the transaction, such as interwoven-1; for an EVM chain, its number
    #[arg(value_name = "CHAIN", value_parser = parse_chain)]
    pub chain: ChainId,
    /// Transaction hash in any form
    #[arg(value_name = "HASH")]
    pub hash: BroadcastHash,
    /// Maximum attempts to register the transaction, one per second: the router may see a transaction seconds late
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub tries: u32,
}

fn parse_coin(text: &str) -> Result<Coin, String> {
    let coins = parse_coins(text).map_err(|_| "not a coin such as 7500uinit".to_owned())?;
    <[Coin; 1]>::try_from(coins).map(|[coin]| coin).map_err(|_| "write one coin, such as 7500uinit".to_owned())
}

fn parse_chain(text: &str) -> Result<ChainId, String> {
    if is_fit(text) { Ok(ChainId::new(text)) } else { Err("not a chain id".to_owned()) }
}

#[derive(Clone, Debug, Args)]
#[command(after_help = TRANSFER_HELP)]
pub struct TransferArguments {
    /// Chain of the first transaction, such as interwoven-1; for an EVM chain, its number; - reads a list from standard
    /// input with a chain and a hash per line
    #[arg(value_name = "CHAIN", value_parser = parse_chain)]
    pub chain: ChainId,
    /// Transaction hash in any form; several hashes make a table; - reads hashes from standard input
    #[arg(value_name = "HASH")]
    pub hashes: Vec<HashArgument>,
    /// Maximum attempts to register the transaction, one per second: the router may see a transaction seconds late
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub tries: u32,
    /// Ask the router to track the transfer, and follow it to its end; several transfers are followed until the last
    /// ends
    #[arg(long)]
    pub watch: bool,
    /// Output of `rollscope route` for this transfer, for planned amounts and times; - reads standard input. Only for
    /// one transfer
    #[arg(long, value_name = "FILE")]
    pub route: Option<PathBuf>,
    /// Write all known data into a new file for a support ticket: facts, route, each status, and the responses of
    /// router and indexer. For several transfers, write a folder with one file each
    #[arg(long, value_name = "FILE|DIR")]
    pub bundle: Option<PathBuf>,
    /// Output of `rollscope msgs` to include in the bundle
    #[arg(long, value_name = "FILE", requires = "bundle")]
    pub msgs: Option<PathBuf>,
    /// Replace each address in the bundle with a number; equal addresses get equal numbers
    #[arg(long, requires = "bundle")]
    pub mask: bool,
    /// Write a calendar file (.ics) with the time from which the withdrawal can be claimed: from executor and L1 if
    /// they report it, else an estimate from the route, marked as estimate; - writes to standard output
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    pub ics: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Transaction hash, or standard input as the source of hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HashArgument {
    /// Hash of one transaction.
    Hash(BroadcastHash),
    /// Standard input.
    StandardInput,
}

impl FromStr for HashArgument {
    type Err = crate::domain::BroadcastHashError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "-" { Ok(Self::StandardInput) } else { text.parse().map(Self::Hash) }
    }
}

const TRANSFER_HELP: &str = "rollscope --help lists the exit statuses; 0 also means in progress without --watch, \
 and “completed” if the router reports no more: the headline has the details. JSON holds the headline with its \
 source and age, the phase, the funds' location, evidence from the index, times, and the router's answer under \
 status. With --watch and --format json or jsonl, each change is one line. --mask hides addresses in bech32 and \
 hex. rollscope sorts several transfers by urgency: your action, failed, late, unknown, moving, done. --watch \
 follows all of them; each line names its transfer, and an error in one does not end the others. Their exit \
 status is 4 if any failed, else 1 if the status of any could not be read, else 5, 6 or 3.";

impl BridgeCommand {
    /// Returns the output options.
    pub fn output(&self) -> OutputArguments {
        match self {
            Self::Route(arguments) => arguments.output,
            Self::OpHook(arguments) => arguments.output,
            Self::Msgs(arguments) => arguments.output,
            Self::DemoSign(arguments) => arguments.output,
            Self::DemoSend(arguments) => arguments.output,
            Self::Claim(arguments) => arguments.output,
            Self::DemoClaim(arguments) => arguments.output,
            Self::DemoFund(arguments) => arguments.output,
            Self::FindSent(arguments) => arguments.output,
            Self::Track(arguments) => arguments.output,
            Self::Transfer(arguments) => arguments.output,
        }
    }

    /// Returns the error for a missing argument that clap cannot detect; `None` if complete.
    pub fn lack(&self) -> Option<&'static str> {
        match self {
            Self::Transfer(arguments) if arguments.hashes.is_empty() && arguments.chain.as_str() != "-" => {
                Some("<HASH> is missing: give the hash of the first transaction, or - to read a list")
            }
            _ => None,
        }
    }

    /// Whether the command works without a routing API.
    pub fn needs_no_router(&self) -> bool {
        matches!(self, Self::Claim(_))
    }

    /// Whether the command needs data of an earlier command, so that the server must outlive this command.
    pub fn needs_memory(&self) -> bool {
        match self {
            Self::FindSent(_)
            | Self::DemoSend(_)
            | Self::Claim(_)
            | Self::DemoClaim(_)
            | Self::DemoFund(_)
            | Self::Track(_)
            | Self::Transfer(_) => true,
            Self::Msgs(arguments) => arguments.sign,
            Self::Route(_) | Self::OpHook(_) | Self::DemoSign(_) => false,
        }
    }
}
