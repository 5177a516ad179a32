use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};

use super::OutputArguments;
use crate::{check::SkippedPart, domain::Height, indexer::ListenAddress};

#[derive(Clone, Debug, Args)]
pub struct CheckArguments {
    /// Check this many of the newest blocks that both sides have
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["from", "to", "sample"])]
    pub newest: u64,
    /// Lowest block [default: the lowest that both sides have]
    #[arg(long = "from", id = "from", value_name = "HEIGHT")]
    pub first: Option<Height>,
    /// Highest block [default: the highest that both sides have]
    #[arg(long, value_name = "HEIGHT")]
    pub to: Option<Height>,
    /// Check only this many blocks, chosen at random
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// Seed of the sample: equal seeds choose equal blocks
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample")]
    pub seed: u64,
    /// Skip a part that needs many requests; repeatable
    #[arg(long, value_name = "PART", value_parser = part_parser())]
    pub skip: Vec<SkippedPart>,
    /// Also fail on known deviations of the real indexer that lose data
    #[arg(long)]
    pub strict: bool,
    /// Compare the order of keys in transactions, too, which a database may change
    #[arg(long)]
    pub strict_bytes: bool,
    /// Stop at the first difference
    #[arg(long)]
    pub fail_fast: bool,
    #[command(flatten)]
    pub watch: WatchArguments,
    /// Output format; without a terminal the default is JSON lines.
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Clone, Debug, Args)]
pub struct WatchArguments {
    /// Keep comparing the newest blocks as they come, until SIGINT or SIGTERM; then print the summary
    #[arg(long = "watch", conflicts_with_all = ["from", "to", "sample"])]
    pub is_endless: bool,
    /// Serve metrics of the watch at /metrics on this address, or unix:PATH; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", requires = "is_endless")]
    pub listen: Option<ListenAddress>,
}

fn part_parser() -> impl TypedValueParser<Value = SkippedPart> {
    PossibleValuesParser::new(["accounts", "nfts", "holders", "totals"]).map(|name| match name.as_str() {
        "accounts" => SkippedPart::Accounts,
        "nfts" => SkippedPart::Nfts,
        "holders" => SkippedPart::Holders,
        _ => SkippedPart::Totals,
    })
}
