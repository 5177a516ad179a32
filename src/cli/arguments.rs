//! Arguments of the command line: definitions and parsing.

mod bridge;
mod check;
mod data;
mod personal;
mod records;
mod store;

use std::{ffi::OsString, num::NonZeroU8, path::PathBuf, time::Duration};

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};

use strum::IntoEnumIterator as _;

use super::{CommandError, ExitStatus};
use crate::{
    client::ClientOptions,
    config::{ColorChoice, DEMO, Flags, parse_base_url, parse_duration, write_duration},
    demo::{RouterStates, TIME_SCALE, differences, faults::Fault},
    domain::{Address, Height, MsgType, Timestamp, TxHash, Vm},
    files::FileLock,
    indexer::ListenAddress,
    wire::proto::types_named,
};

use self::data::DataPlaceParser;
pub use bridge::{
    AddressArgument, AssetName, BridgeCommand, ClaimArguments, DemoClaimArguments, DemoFundArguments,
    DemoSendArguments, DemoSignArguments, FindSentArguments, HashArgument, MsgsArguments, OpHookArguments,
    RouteArguments, TrackArguments, TransferArguments, TrustedContract, TxArguments, WithdrawalName,
};
pub use check::CheckArguments;
pub(super) use data::DataPlace;
pub use personal::NamesCommand;
pub use records::{
    CollectionsArguments, EvmTxsArguments, HoldersArguments, InternalTxsArguments, NftTxsArguments, NftsArguments,
    RecordsCommand,
};
pub(super) use store::ExportFormat;
pub(super) use store::{BackupArguments, CopyArguments};
pub use store::{ExportArguments, SqlArguments};

/// The terminal explorer of Initia rollups.
///
/// Without a command it starts the explorer on the chosen network, or on the embedded rollup.
#[derive(Clone, Debug, Parser)]
#[command(name = "rollscope", version, propagate_version = false, max_term_width = 100, after_help = after_help())]
#[command(disable_help_subcommand = true, subcommand_help_heading = "Commands")]
pub struct CliArguments {
    /// Options that every command accepts.
    #[command(flatten)]
    pub common: CommonArguments,
    /// Storage of a node's index.
    #[command(flatten)]
    pub history: HistoryArguments,
    /// Command; without a command, the explorer starts.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
    /// Words of the command line, program name first.
    #[arg(skip)]
    pub words: Vec<OsString>,
}

impl CliArguments {
    /// Refuses servers that do not go together: serve reads a node alone, and the embedded rollup is its own node.
    pub(super) fn refuse_conflicts(&self) -> Result<(), CommandError> {
        let CommonArguments { network, indexer, node, rest, json_rpc, .. } = &self.common;
        let (has_chain, is_demo) = (network.is_some() || indexer.is_some(), network.as_deref() == Some(DEMO));
        let (has_node, is_serve) = (!node.is_empty(), matches!(self.command, Some(CliCommand::Serve(_))));
        if let Some(CliCommand::Serve(ServeArguments { read_only: true, history, .. })) = &self.command
            && (has_node || has_chain || history.from.is_some() || self.history.from.is_some())
        {
            return Err(CommandError::Usage(
                "serve --read-only reads the file alone: omit --node, --network, --indexer and --from".to_owned(),
            ));
        }
        if matches!(self.command, Some(CliCommand::Local(_))) && (has_node || has_chain) {
            let advice = "local finds its network by weave's files: omit --node, --network and --indexer";
            return Err(CommandError::Usage(advice.to_owned()));
        }
        let refused = match [("--rest", rest), ("--json-rpc", json_rpc)].iter().find(|(_, url)| url.is_some()) {
            Some((flag, _)) if !has_node && (!has_chain || is_demo) => {
                format!("{flag} needs --node, --indexer or the --network of a rollup")
            }
            _ if has_node && is_demo => "the embedded rollup is its own node: omit --node or --network demo".to_owned(),
            _ if has_node && has_chain && is_serve => {
                let other = if indexer.is_some() { "--indexer" } else { "--network" };
                format!("serve reads the node alone: omit {other}")
            }
            _ => return Ok(()),
        };
        Err(CommandError::Usage(refused))
    }
}

fn after_help() -> String {
    let statuses = ExitStatus::iter().map(|status| format!("\n  {:<4} {}", status as u8, status.meaning()));
    format!(
        "Exit status:{}\n\nEnvironment: ROLLSCOPE_NETWORK, ROLLSCOPE_INDEXER, ROLLSCOPE_NODE, ROLLSCOPE_REST, \
         ROLLSCOPE_JSON_RPC, ROLLSCOPE_ROUTER, ROLLSCOPE_CONFIG, NO_COLOR.",
        statuses.collect::<String>()
    )
}

/// Options that every command accepts, before or after its name.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct CommonArguments {
    /// Network by name or chain id, weave's link to it, or its chain.json; `rollscope networks` lists all; `demo` is
    /// the embedded rollup
    #[arg(short, long, global = true, value_name = "NETWORK", conflicts_with = "indexer")]
    pub network: Option<String>,
    /// Base URL of an indexer API, such as `http://127.0.0.1:8080`
    #[arg(long, global = true, value_name = "URL", value_parser = parse_base_url)]
    pub indexer: Option<String>,
    /// URL of a rollup's own node, such as `http://localhost:26657`: any of its interfaces. Alone, rollscope indexes
    /// it, newest blocks first; beside --indexer or --network, it tells names, balances and evidence. Repeated, the
    /// others take over in this order when it fails, if they serve the same chain
    #[arg(long, global = true, value_name = "URL", value_parser = parse_base_url)]
    pub node: Vec<String>,
    /// URL of the node's REST interface, if rollscope cannot find it
    #[arg(long, global = true, value_name = "URL", value_parser = parse_base_url)]
    pub rest: Option<String>,
    /// URL of the node's JSON-RPC, if rollscope cannot find it; source of an EVM rollup's receipts and call frames
    #[arg(long, global = true, value_name = "URL", value_parser = parse_base_url)]
    pub json_rpc: Option<String>,
    /// Base URL of a router (routing API) that replaces the network's
    #[arg(long, global = true, value_name = "URL", value_parser = parse_base_url)]
    pub router: Option<String>,
    /// Timeout of one request [default: 10s]
    #[arg(long, global = true, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Settings file that replaces the one in the configuration folder
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Whether to colour the output
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, hide_possible_values = false)]
    pub color: ColorChoice,
}

impl CommonArguments {
    /// Returns these options as settings.
    pub fn flags(&self) -> Flags {
        Flags {
            network: self.network.clone(),
            indexer: self.indexer.clone(),
            node: self.node.clone(),
            rest: self.rest.clone(),
            json_rpc: self.json_rpc.clone(),
            router: self.router.clone(),
            timeout: self.timeout,
            config: self.config.clone(),
            color: self.color,
        }
    }
}

/// Command of the command line.
#[derive(Clone, Debug, Subcommand)]
pub enum CliCommand {
    /// Explore the embedded rollup, even if a network is configured
    Demo(RollupArguments),
    /// Play a guided tour of the explorer on the embedded rollup; any key takes over
    Tour {
        /// How many times faster than at reading speed
        #[arg(long, value_name = "N", default_value = "1")]
        speed: NonZeroU8,
        #[command(flatten)]
        rollup: RollupArguments,
    },
    /// Explore the rollup that weave set up on this machine; without a terminal, print what its files say
    Local(LocalArguments),
    /// Serve the embedded rollup's indexer and router until interrupted; with --node, serve the indexer API of that
    /// node's rollup. The first printed line is the address; it appears after the history (of a node: its newest
    /// blocks) is indexed, or at the node's first problem
    Serve(ServeArguments),
    /// Show the heights of the index
    Status(OutputArguments),
    /// Show the average time between the newest blocks
    AvgBlocktime(OutputArguments),
    /// List blocks, or show one
    Blocks(BlocksArguments),
    /// List transactions, or show one
    Txs(TxsArguments),
    /// Commands for receipts, call frames, NFTs and holders.
    #[command(flatten)]
    Records(RecordsCommand),
    /// Commands for routes, signing and transfers.
    #[command(flatten)]
    Bridge(BridgeCommand),
    /// Compare an indexer with its chain's node, record by record; needs --indexer and --node
    Check(CheckArguments),
    /// Copy an index file, also one in use, and verify the copy
    Backup(BackupArguments),
    /// Copy an index between a file and a database, also one in use, and verify the copy
    Copy(CopyArguments),
    /// Query an index file, also one in use, with SQL; docs/analysts.md has its tables
    Sql(SqlArguments),
    /// Write the tables of an index file, also one in use, as CSV or Parquet files with a manifest;
    /// docs/analysts.md has the tables
    Export(ExportArguments),
    /// List the named networks
    Networks(NetworksArguments),
    /// Export or import your names, notes and bookmarks
    #[command(subcommand)]
    Names(NamesCommand),
    /// Say what works and what does not, and what to do: files, terminal, and the chosen network's servers
    Doctor(OutputArguments),
    /// Print the effective settings
    Config(ConfigArguments),
    /// Print shell completions
    Completions {
        /// Shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// Properties of the embedded rollup.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
#[command(next_help_heading = "Options of the embedded rollup")]
pub struct RollupArguments {
    /// Virtual machine
    #[arg(long, value_name = "VM", default_value_t = Self::default().vm, value_parser = vm_parser())]
    pub vm: Vm,
    /// Seed of the generated history
    #[arg(long, value_name = "N", default_value_t = Self::default().seed)]
    pub seed: u64,
    /// Genesis time, such as 2026-01-31T12:00:00Z [default: such that the history ends now]
    #[arg(long, value_name = "TIME")]
    pub genesis_time: Option<Timestamp>,
    /// Block time
    #[arg(long, value_name = "TIME", default_value = write_duration(Self::default().block_time), value_parser = parse_duration)]
    pub block_time: Duration,
    /// Number of blocks at the start
    #[arg(long, value_name = "BLOCKS", default_value_t = Self::default().history, value_parser = clap::value_parser!(u64).range(1..))]
    pub history: u64,
    /// Number of accounts
    #[arg(long, value_name = "N", default_value_t = Self::default().accounts, value_parser = clap::value_parser!(u32).range(50..=1_000_000))]
    pub accounts: u32,
    /// Inject a fault; repeatable: latency=MS, error500, timeout, truncated, malformed, stall-index, orphan-token=ID,
    /// unknown-proposer=HEIGHT, slow-node; for transfers: stuck-hop, refund, refund=timeout, abandoned, source-fails
    #[arg(long = "fault", value_name = "KIND")]
    pub faults: Vec<Fault>,
    /// Speed-up of transfer finality compared with real chains; 10080 shortens the seven days of a withdrawal to a
    /// minute
    #[arg(long, value_name = "N", default_value_t = Self::default().time_scale, value_parser = clap::value_parser!(u32).range(1..))]
    pub time_scale: u32,
    /// Names of final transfer states: those of real routers or of the specification
    #[arg(long, value_name = "WORDS", default_value_t = Self::default().router_states, value_parser = states_parser())]
    pub router_states: RouterStates,
    /// Imitate the real server where it differs from its specification.
    #[arg(long, help = quirks_help())]
    pub quirks: bool,
    /// Serve no rich list, like a rollup without a rich list
    #[arg(long)]
    pub no_rich_list: bool,
}

impl Default for RollupArguments {
    /// Returns the properties of `demo` without options.
    fn default() -> Self {
        Self {
            vm: Vm::Evm,
            seed: 1,
            genesis_time: None,
            block_time: Duration::from_secs(1),
            history: 5000,
            accounts: 2000,
            faults: Vec::new(),
            time_scale: TIME_SCALE,
            router_states: RouterStates::Real,
            quirks: false,
            no_rich_list: false,
        }
    }
}

fn vm_parser() -> impl TypedValueParser<Value = Vm> {
    PossibleValuesParser::new(["evm", "move", "wasm"]).try_map(|text| text.parse::<Vm>())
}

fn quirks_help() -> String {
    format!(
        "Imitate the real server where it differs from its specification: {}. `docs/demo.md` lists them in a \
         table",
        differences::points()
    )
}

fn states_parser() -> impl TypedValueParser<Value = RouterStates> {
    PossibleValuesParser::new(["real", "spec"]).try_map(|text| text.parse::<RouterStates>())
}

/// Default of the largest response of a node, in MiB.
const ANSWER_SIZE: u64 = 128;

/// Amount and place of the stored history.
#[derive(Clone, Debug, Default, Args)]
pub struct HistoryArguments {
    /// File for the whole index, or `postgres://HOST/DATABASE`, which a restart resumes; without it rollscope keeps the
    /// newest 20,000 transactions
    #[arg(long, value_name = "FILE", value_parser = DataPlaceParser)]
    pub data: Option<DataPlace>,
    /// Lowest block of a node's history to index
    #[arg(long, value_name = "HEIGHT")]
    pub from: Option<Height>,
    /// Largest response of a node in MiB; what is larger stays undecoded [default: 128]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub answer_size: Option<u64>,
    /// Go on with the node's oldest block if the node has pruned blocks that the file needs next; /status names the gap
    #[arg(long)]
    pub allow_gap: bool,
}

impl HistoryArguments {
    /// Returns these options, and those of `other` where they are absent.
    pub(super) fn or(self, other: &Self) -> Self {
        Self {
            data: self.data.or_else(|| other.data.clone()),
            from: self.from.or(other.from),
            answer_size: self.answer_size.or(other.answer_size),
            allow_gap: self.allow_gap || other.allow_gap,
        }
    }

    /// Returns the file of an index that no node feeds; fails for a database.
    #[cfg_attr(not(feature = "postgres"), expect(clippy::unnecessary_wraps, reason = "a database is no file"))]
    pub(super) fn file_without_node(self) -> Result<Option<PathBuf>, CommandError> {
        match self.data {
            None => Ok(None),
            Some(DataPlace::File(file)) => Ok(Some(file)),
            #[cfg(feature = "postgres")]
            Some(DataPlace::Postgres(_)) => {
                Err(CommandError::Usage("a database needs a node: give --node URL".to_owned()))
            }
        }
    }

    /// Locks the file, if there is one.
    pub(super) fn lock(&self) -> Result<Option<FileLock>, CommandError> {
        self.data.as_ref().and_then(DataPlace::file).map(FileLock::take).transpose().map_err(CommandError::failed)
    }

    /// Returns the options of requests to the node.
    pub(super) fn options(&self, timeout: Duration) -> ClientOptions {
        let body_cap = self.answer_size.unwrap_or(ANSWER_SIZE) << 20;
        ClientOptions { timeout, body_cap, ..ClientOptions::default() }
    }
}

/// Level of the lines of a server's log; each level includes the levels before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    Error,
    /// Problems, reverted blocks and undecoded data
    Warn,
    /// Start, stop, and the pace each minute
    Info,
    Debug,
}

/// Form of the lines of a server's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Text,
    /// One JSON object per line
    Json,
}

/// Parses the permissions of a file.
fn parse_mode(text: &str) -> Result<u32, String> {
    let mode = u32::from_str_radix(text, 8).ok().filter(|mode| *mode <= 0o777);
    mode.ok_or_else(|| "expected permissions in octal, such as 0660".to_owned())
}

/// Address of the server, and properties of the embedded rollup.
#[derive(Clone, Debug, Args)]
pub struct ServeArguments {
    /// Address to listen on, or unix:PATH; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: ListenAddress,
    /// Permissions of the socket of --listen unix:PATH in octal, such as 0660 for the proxies of its group [default:
    /// those of the umask]
    #[arg(long, value_name = "MODE", value_parser = parse_mode)]
    pub listen_mode: Option<u32>,
    /// Maximum connections. A further one closes a connection that was idle for 30 s, or gets 503 [default: as many as
    /// the limit of open files allows, at most 16384]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections: Option<u32>,
    /// Time for open requests to end after SIGTERM or SIGINT
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    pub drain: Duration,
    /// Serve the file that another serve --node --data writes, without a node
    #[arg(long)]
    pub read_only: bool,
    /// Serve every network of this settings file, each with its node and its data, below /NAME/ and under host
    /// names that begin with NAME
    #[arg(long, value_name = "FILE", conflicts_with_all = ["read_only", "data", "from"])]
    pub fleet: Option<PathBuf>,
    /// Check settings, options and --fleet, and end without serving: status 2 if any of them cannot be used
    #[arg(long)]
    pub check_config: bool,
    /// Stored history; for the embedded rollup, the router's transfers are stored beside the file.
    #[command(flatten)]
    pub history: HistoryArguments,
    /// Age, compared with the node's newest block, from which on the newest indexed block makes /ready answer 503
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_duration)]
    pub ready_lag: Duration,
    /// Duration from which on a problem of the node makes /ready answer 503
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = parse_duration)]
    pub ready_trouble: Duration,
    /// Level of the log on standard error
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t = LogLevel::Info)]
    pub log_level: LogLevel,
    /// Form of the log on standard error
    #[arg(long, value_name = "FORM", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
    /// Properties of the rollup.
    #[command(flatten)]
    pub rollup: RollupArguments,
}

/// Format of a command's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns
    Table,
    /// Response body as received; after several requests, one array of all rows
    Json,
    /// One row per line
    Jsonl,
    /// A header line and one line per row; whole numbers are exact
    Csv,
}

/// Options for a command's output.
#[derive(Clone, Copy, Debug, Args)]
pub struct OutputArguments {
    /// Output format [default: table on a terminal, json elsewhere]
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub format: Option<Format>,
}

/// Options that select a part of a list.
#[derive(Clone, Debug, Args)]
#[group(id = "list")]
pub struct ListArguments {
    /// Maximum number of rows; above 1000, rollscope requests several pages
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: u64,
    /// Print all rows
    #[arg(long, conflicts_with = "limit")]
    pub all: bool,
    /// Start after this key: the `next_key` of an earlier response to the query
    #[arg(long, value_name = "KEY", conflicts_with = "offset")]
    pub key: Option<String>,
    /// Start after this many rows
    #[arg(long, value_name = "N")]
    pub offset: Option<u64>,
    /// Skip the total count, which is slow on large chains
    #[arg(long)]
    pub no_total: bool,
    /// Reverse the order: oldest or smallest first
    #[arg(long)]
    pub ascending: bool,
}

/// Options for a list of blocks, or for one block.
#[derive(Clone, Debug, Args)]
pub struct BlocksArguments {
    /// Show the block at this height
    #[arg(value_name = "HEIGHT", conflicts_with = "list")]
    pub height: Option<Height>,
    #[command(flatten)]
    pub list: ListArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Options for a list of transactions, or for one transaction.
#[derive(Clone, Debug, Args)]
pub struct TxsArguments {
    /// Show the transaction with this hash, Cosmos or EVM
    #[arg(value_name = "HASH", conflicts_with_all = ["list", "account", "height", "msgs"])]
    pub hash: Option<TxHash>,
    /// Only transactions that involve this account, init1… or 0x…
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "height")]
    pub account: Option<Address>,
    /// Only transactions that the account signed
    #[arg(long, requires = "account")]
    pub signer: bool,
    /// Only transactions in this block
    #[arg(long, value_name = "HEIGHT")]
    pub height: Option<Height>,
    /// Only transactions with a message of this type, such as cosmos.bank.v1beta1.MsgSend or its last part; repeatable
    #[arg(long = "msg", value_name = "TYPE", value_parser = parse_message_type)]
    pub msgs: Vec<MsgType>,
    /// Print each transaction's story instead of the server's record: sentences, balance changes, NFTs, bridges, the
    /// cause of a failure. Each story is one JSON object per line; --format json prints an array, --format table prints
    /// text
    #[arg(long)]
    pub story: bool,
    #[command(flatten)]
    pub list: ListArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

fn parse_message_type(text: &str) -> Result<MsgType, String> {
    let is_part =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let message_type = MsgType::new(text);
    if message_type.as_str().contains('.') && message_type.as_str().split('.').all(is_part) {
        return Ok(message_type);
    }
    let mut named = types_named(message_type.as_str());
    match (named.len(), named.pop()) {
        (1, Some(only)) => Ok(only),
        (_, None) => Err("write the full type, such as cosmos.bank.v1beta1.MsgSend".to_owned()),
        (_, Some(last)) => {
            let others: Vec<String> = named.iter().map(ToString::to_string).collect();
            Err(format!("the name is ambiguous; write {} or {last}", others.join(", ")))
        }
    }
}

/// Options for the list of networks.
#[derive(Clone, Copy, Debug, Args)]
pub struct NetworksArguments {
    /// Request the status of each network (or of --network) and show the response time
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Options for the rollup of this machine.
#[derive(Clone, Copy, Debug, Args)]
pub struct LocalArguments {
    /// Print what the files say: chain, node, L1, bridge and bots
    #[arg(long)]
    pub show: bool,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Options for printing the settings.
#[derive(Clone, Copy, Debug, Args)]
pub struct ConfigArguments {
    /// Print a commented settings file with all defaults
    #[arg(long, conflicts_with = "path")]
    pub default: bool,
    /// Print the path of the settings file
    #[arg(long)]
    pub path: bool,
}
