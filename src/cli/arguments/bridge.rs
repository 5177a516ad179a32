//! What the commands of the bridge accept: from a quote to watching a transfer.

use std::{path::PathBuf, str::FromStr};

use clap::{Args, Subcommand};

use super::OutputArguments;
use crate::{
    domain::{Address, Amount, BroadcastHash, ChainId, Denom, Slippage, TxHash},
    signing::account_of,
};

/// Commands that ask the routing API.
#[derive(Clone, Debug, Subcommand)]
pub enum BridgeCommand {
    /// Ask for the best route from one asset to another
    Route(RouteArguments),
    /// Ask what must be signed before the messages of a route that requires a hook
    OpHook(OpHookArguments),
    /// Ask for the messages of a route, to be signed and broadcast elsewhere
    Msgs(MsgsArguments),
    /// Have the embedded rollup's demo wallet sign a hook
    DemoSign(DemoSignArguments),
    /// Have the embedded rollup's demo wallet sign and send a transaction
    DemoSend(DemoSendArguments),
    /// Show where an optimistic withdrawal stands, and claim it on the L1 with your own wallet
    Claim(ClaimArguments),
    /// Have the embedded rollup's demo wallet claim an optimistic withdrawal on the L1
    DemoClaim(DemoClaimArguments),
    /// Have the embedded rollup's faucet give an account something on the rollup, the L1 and beyond
    DemoFund(DemoFundArguments),
    /// Find a transaction that another program signed and sent, by the messages that were made for it
    FindSent(FindSentArguments),
    /// Have the router watch a transaction that was broadcast
    Track(TrackArguments),
    /// Show where the funds of a transfer are
    Transfer(TransferArguments),
}

/// An asset on a chain, written `CHAIN:DENOM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetName {
    /// Where.
    pub chain_id: ChainId,
    /// What.
    pub denom: Denom,
}

impl FromStr for AssetName {
    type Err = String;

    /// Splits at the first colon: chain ids have none, denoms may.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some((chain, denom)) if is_fit(chain) && Denom::is_fit(denom) => {
                Ok(Self { chain_id: ChainId::new(chain), denom: Denom::new(denom) })
            }
            _ => Err("write chain and denom with a colon between, such as interwoven-1:uinit".to_owned()),
        }
    }
}

/// An address on a chain, written `CHAIN=ADDRESS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressArgument {
    /// Where.
    pub chain_id: ChainId,
    /// Whose, as that chain writes it.
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

/// A contract that the person knows, written `CHAIN:ADDRESS`, or `ADDRESS` where the chain goes without saying.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedContract {
    /// Where; `None` where only the address was given.
    pub chain_id: Option<ChainId>,
    /// Which.
    pub address: Address,
    /// The address as it was given.
    pub shown: String,
}

impl FromStr for TrustedContract {
    type Err = String;

    /// Splits at the first colon: neither chain ids nor addresses have one.
    fn from_str(text: &str) -> Result<Self, String> {
        let (chain, shown) = match text.split_once(':') {
            Some((chain, _)) if !is_fit(chain) => return Err("no chain stands before the colon".to_owned()),
            Some((chain, shown)) => (Some(ChainId::new(chain)), shown),
            None => (None, text),
        };
        let none = || "it is no address: write it whole, 0x… or in bech32, with its chain and a colon before it";
        let address = account_of(shown).ok_or_else(none)?;
        Ok(Self { chain_id: chain, address, shown: shown.to_owned() })
    }
}

fn is_fit(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}

/// A quote.
#[derive(Clone, Debug, Args)]
pub struct RouteArguments {
    /// What to send, as the chain writes it: the chain's id, a colon, the denom
    #[arg(long, value_name = "CHAIN:DENOM")]
    pub from: AssetName,
    /// What shall arrive, in the same form
    #[arg(long, value_name = "CHAIN:DENOM")]
    pub to: AssetName,
    /// How much to send: a whole number in the smallest unit
    #[arg(long, value_name = "N")]
    pub amount: Amount,
    /// Whether routes with a bad or unknown price count, with a warning
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub allow_unsafe: bool,
    /// Whether to take fast bridges, which cost more [default: the router decides]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    pub go_fast: Option<bool>,
    /// Whether routes of several transactions count, each to be signed on its own chain [default: the router decides]
    #[arg(long, value_name = "BOOL", action = clap::ArgAction::Set)]
    pub allow_multi_tx: Option<bool>,
    /// Withdraw over the optimistic bridge, which loses nothing and takes days
    #[arg(long)]
    pub op_withdraw: bool,
    /// Also say a link that opens Skip's web bridge with both ends filled in; at a terminal with a code of it for a
    /// telephone
    #[arg(long)]
    pub link: bool,
    /// How to write it.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// A hook to be signed.
#[derive(Clone, Debug, Args)]
pub struct OpHookArguments {
    /// The answer of `rollscope route`; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub route: PathBuf,
    /// Who sends
    #[arg(long, value_name = "ADDRESS")]
    pub from_address: String,
    /// Who receives, and signs the hook: init1…
    #[arg(long, value_name = "ADDRESS")]
    pub to_address: String,
    /// Write files into this folder: hook.unsigned.json for the chain's own command line, hook.signdoc.json for a wallet,
    /// and hook.HOWTO.txt with the commands in order; no file is overwritten
    #[arg(long, value_name = "DIR")]
    pub unsigned: Option<PathBuf>,
    /// A contract that you know yourself; once for each. An address alone is one on the chain of the hook
    #[arg(long, value_name = "CHAIN:ADDRESS")]
    pub trust: Vec<TrustedContract>,
    /// Have it signed by the wallet in your browser, and print it as `msgs --signed-op-hook` takes it
    #[arg(long)]
    pub sign: bool,
    /// How to write it.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Messages to be signed.
#[derive(Clone, Debug, Args)]
pub struct MsgsArguments {
    /// The answer of `rollscope route`; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub route: PathBuf,
    /// An address for one of the route's required chains; once for each, in any order. Two for the same chain are taken
    /// in the order given
    #[arg(long = "address", value_name = "CHAIN=ADDRESS", required = true)]
    pub addresses: Vec<AddressArgument>,
    /// How much less than quoted a swap may bring, in percent
    #[arg(long, value_name = "PERCENT", default_value_t)]
    pub slippage: Slippage,
    /// The signed hook of a route that requires one: an object with signer and hook, or the hook alone; - reads standard
    /// input
    #[arg(long, value_name = "FILE")]
    pub signed_op_hook: Option<PathBuf>,
    /// Write files into this folder that the chains' own command lines sign, and HOWTO.txt with the commands in order; no
    /// file is overwritten
    #[arg(long, value_name = "DIR")]
    pub unsigned: Option<PathBuf>,
    /// Have them signed by the wallet in your browser: on a page of this machine, whose address is said. Each transaction
    /// is compared with the route, kept, sent and watched, one after the other when its turn comes; chain and hash are
    /// printed
    #[arg(long, conflicts_with = "unsigned")]
    pub sign: bool,
    /// Only this transaction is signed, counted from 0
    #[arg(long, value_name = "N", requires = "sign")]
    pub tx: Option<u32>,
    /// A contract that you know yourself, on its chain; once for each. One that nobody knows needs it where nobody can be
    /// asked; at a terminal it is asked for instead. An address alone will do where all that is signed is of one chain
    #[arg(long, value_name = "CHAIN:ADDRESS")]
    pub trust: Vec<TrustedContract>,
    /// Also say a link that opens Skip's web bridge with both ends filled in; at a terminal with a code of it for a
    /// telephone
    #[arg(long)]
    pub link: bool,
    /// How to write them.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// A hook for the demo wallet.
#[derive(Clone, Debug, Args)]
pub struct DemoSignArguments {
    /// The answer of `rollscope op-hook`; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub hook: PathBuf,
    /// How to write the signed hook.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// A transaction for the demo wallet.
#[derive(Clone, Debug, Args)]
pub struct DemoSendArguments {
    /// The answer of `rollscope msgs`; - reads standard input
    #[arg(long, value_name = "FILE")]
    pub msgs: PathBuf,
    /// Which of its transactions, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub tx: u32,
    /// How to write chain and hash.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// A withdrawal over the optimistic bridge.
#[derive(Clone, Debug, Args)]
#[command(after_help = CLAIM_HELP)]
pub struct ClaimArguments {
    /// The rollup that it leaves
    #[arg(value_name = "CHAIN", value_parser = parse_chain)]
    pub chain: ChainId,
    /// The transaction that started it, or the withdrawal's number on the bridge
    #[arg(value_name = "HASH|NUMBER")]
    pub withdrawal: WithdrawalName,
    /// Have the claim signed by the wallet in your browser, and send it
    #[arg(long, conflicts_with = "unsigned")]
    pub sign: bool,
    /// Write the claim for the L1's own command line into this folder
    #[arg(long, value_name = "DIR")]
    pub unsigned: Option<PathBuf>,
    /// Who signs the claim and pays its fee, as the L1 writes addresses [default: the recipient]
    #[arg(long, value_name = "ADDRESS")]
    pub signer: Option<String>,
    /// The API of the bridge's executor [default: the network's]
    #[arg(long, value_name = "URL")]
    pub executor: Option<String>,
    /// The REST address of a node of the L1 [default: the router's]
    #[arg(long, value_name = "URL")]
    pub l1_rest: Option<String>,
    /// How to write where it stands.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// A withdrawal by its transaction or by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WithdrawalName {
    /// The transaction of the rollup that started it.
    Tx(TxHash),
    /// Its number on the bridge.
    Number(u64),
}

impl FromStr for WithdrawalName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().map(Self::Number);
        let name = number.or_else(|| text.parse().ok().map(Self::Tx));
        name.ok_or_else(|| "it is neither the hash of a transaction nor a withdrawal's number".to_owned())
    }
}

const CLAIM_HELP: &str = "\
Times are facts: the output is the L1's, and so is the period for which it can be challenged. The executor's proof is \
followed from the withdrawal to the root of the output that the L1 has before anything is signed or written; what does not \
lead there is never claimed. Anybody may claim: the recipient gets it, the signer pays the fee.";

/// A withdrawal for the demo wallet.
#[derive(Clone, Debug, Args)]
pub struct DemoClaimArguments {
    /// The rollup that it leaves
    #[arg(value_name = "CHAIN", value_parser = parse_chain)]
    pub chain: ChainId,
    /// The transaction that started it
    #[arg(value_name = "HASH")]
    pub hash: BroadcastHash,
    /// How to write chain and hash of the claim.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Whom the faucet gives something.
#[derive(Clone, Debug, Args)]
pub struct DemoFundArguments {
    /// An account: init1… or 0x… on the rollup, the L1 and the EVM chain, celestia1… and the like on its own chain
    #[arg(value_name = "ADDRESS")]
    pub address: String,
    /// How to write what was given.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// What was made to be signed elsewhere.
#[derive(Clone, Debug, Args)]
pub struct FindSentArguments {
    /// The folder that `rollscope msgs --unsigned` wrote
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Which of its transactions, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub tx: u32,
    /// How long it is looked for, in seconds; without it once
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    pub wait: u64,
    /// The Ethereum JSON-RPC of a node of the EVM chain where a call is looked for [default: the router's]
    #[arg(long, value_name = "URL")]
    pub evm_node: Option<String>,
    /// How to write chain and hash.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// A transaction to be watched by the router.
#[derive(Clone, Debug, Args)]
pub struct TrackArguments {
    /// Which transaction.
    #[command(flatten)]
    pub tx: TxArguments,
    /// How to write the answer.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// A transaction that was broadcast.
#[derive(Clone, Debug, Args)]
pub struct TxArguments {
    /// The chain where it was broadcast, such as interwoven-1; an EVM chain by its number
    #[arg(value_name = "CHAIN", value_parser = parse_chain)]
    pub chain: ChainId,
    /// Its hash in any form
    #[arg(value_name = "HASH")]
    pub hash: BroadcastHash,
    /// How often the router is asked to watch it, a second apart: it may see a transaction some seconds late
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub tries: u32,
}

fn parse_chain(text: &str) -> Result<ChainId, String> {
    if is_fit(text) { Ok(ChainId::new(text)) } else { Err("it is no chain's id".to_owned()) }
}

/// A transfer.
#[derive(Clone, Debug, Args)]
#[command(after_help = TRANSFER_HELP)]
pub struct TransferArguments {
    /// The chain where its first transaction was broadcast, such as interwoven-1; an EVM chain by its number; - reads a
    /// list from standard input, a chain and a hash in each line
    #[arg(value_name = "CHAIN", value_parser = parse_chain)]
    pub chain: ChainId,
    /// Its hash in any form; several make a table; - reads them from standard input
    #[arg(value_name = "HASH")]
    pub hashes: Vec<HashArgument>,
    /// How often the router is asked to watch it, a second apart: it may see a transaction some seconds late
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub tries: u32,
    /// Have it watched by the router, and follow it to its end; several until the last has ended
    #[arg(long)]
    pub watch: bool,
    /// The answer of `rollscope route` that it follows, for amounts and times as planned; - reads standard input. Of one
    /// transfer only
    #[arg(long, value_name = "FILE")]
    pub route: Option<PathBuf>,
    /// Write all that is known of it into a new file for a ticket: the facts, the route, each status, and what router and
    /// indexer answered. Of several a folder, where each gets a file
    #[arg(long, value_name = "FILE|DIR")]
    pub bundle: Option<PathBuf>,
    /// The answer of `rollscope msgs` to put into the bundle
    #[arg(long, value_name = "FILE", requires = "bundle")]
    pub msgs: Option<PathBuf>,
    /// Put a number in the place of each address in the bundle; the same address gets the same number
    #[arg(long, requires = "bundle")]
    pub mask: bool,
    /// Write a reminder of when its withdrawal can be claimed into a new calendar file (.ics), by the L1 where executor and
    /// L1 say so, else by the route as an estimate, which it says; - writes it to standard output instead of the rest
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    pub ics: Option<PathBuf>,
    /// How to write it.
    #[command(flatten)]
    pub output: OutputArguments,
}

/// A hash, or where hashes are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HashArgument {
    /// This one.
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

const TRANSFER_HELP: &str = "\
Exit status: 0 arrived, or under way without --watch; 3 not known to the router; 4 ended in failure; 5 the router gave \
it up, which says nothing of the funds; 6 the router says that the state is unknown, or names one that this version does \
not know. An end of which the router only says “completed” is 0 as well: the first line \
tells. JSON has the first line with its source and age, the phase, where the funds are, what the index shows, the times, and \
the router's own answer under status. With --watch and --format json or jsonl, one line is written for each change. \
--mask knows addresses in bech32 and in hexadecimal digits. Several transfers are \
looked at once, in the order of who needs somebody: yours to do, failed, late, unknown, moving, done; with --watch they are \
followed together, each line names its transfer, and one that cannot be followed does not end the others. The exit status \
of several is 4 where any failed, else 1 where any could not be asked about, else 5, 6 or 3 where that holds of any.";

impl BridgeCommand {
    /// How the answer is written.
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

    /// What is missing of it, which only shows once all is read.
    pub fn lack(&self) -> Option<&'static str> {
        match self {
            Self::Transfer(arguments) if arguments.hashes.is_empty() && arguments.chain.as_str() != "-" => {
                Some("<HASH> is missing: give the hash of its first transaction, or - to read a list")
            }
            _ => None,
        }
    }

    /// Whether it asks for what an earlier command did: then the server must outlive this one.
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
