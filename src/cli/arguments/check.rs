use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};

use super::OutputArguments;
use crate::{check::SkippedPart, domain::Height};

/// Which blocks of an indexer are held against the node.
#[derive(Clone, Debug, Args)]
pub struct CheckArguments {
    /// How many of the newest blocks that both have
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["from", "to", "sample"])]
    pub newest: u64,
    /// The lowest block instead [default: the lowest that both have]
    #[arg(long = "from", id = "from", value_name = "HEIGHT")]
    pub first: Option<Height>,
    /// The highest block instead [default: the highest that both have]
    #[arg(long, value_name = "HEIGHT")]
    pub to: Option<Height>,
    /// Only so many of these blocks, at random
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,
    /// What a sample is chosen by: the same number, the same blocks
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample")]
    pub seed: u64,
    /// Leave out a part that takes many requests; may be given several times
    #[arg(long, value_name = "PART", value_parser = part_parser())]
    pub skip: Vec<SkippedPart>,
    /// Fail over the known ways of the real indexer, too, where something is lost by them
    #[arg(long)]
    pub strict: bool,
    /// How to write what differs; a table where this is not a terminal must be asked for, JSON lines come otherwise.
    #[command(flatten)]
    pub output: OutputArguments,
}

fn part_parser() -> impl TypedValueParser<Value = SkippedPart> {
    PossibleValuesParser::new(["accounts", "nfts", "holders", "totals"]).map(|name| match name.as_str() {
        "accounts" => SkippedPart::Accounts,
        "nfts" => SkippedPart::Nfts,
        "holders" => SkippedPart::Holders,
        _ => SkippedPart::Totals,
    })
}
