use std::ffi::OsString;

use clap::{
    CommandFactory, Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::{CliArguments, CommandError};
use crate::{config::nearest, domain::text::clip};

/// Maximum width of a quoted argument, in terminal columns.
const TYPED: usize = 120;
const SHOWN: usize = 60;

#[derive(Debug)]
pub enum Parsed {
    Run(Box<CliArguments>),
    /// Help or version to print; the exit status is 0.
    Print(String),
}

/// Parses the command line, program name first. An error is one sentence with the nearest correct word.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Parsed, CommandError> {
    match CliArguments::try_parse_from(arguments) {
        Ok(arguments) => Ok(Parsed::Run(Box::new(arguments))),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(Parsed::Print(error.render().to_string())),
            _ => Err(CommandError::Usage(sentence(&error))),
        },
    }
}

/// Returns the first paragraph of clap's message with a suggestion, as one sentence.
fn sentence(error: &clap::Error) -> String {
    let message = error.render().to_string();
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let first = message.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect::<Vec<_>>().join(" ");
    // The message quotes the typed word, of any length, before the problem.
    let first: Vec<String> =
        first.split(' ').map(|word| if word.len() > TYPED { clip(word, SHOWN) } else { word.to_owned() }).collect();
    let first = first.join(" ");
    // Clap's other tip, about escaping the word, rarely helps.
    let tip = message.lines().find_map(|line| line.trim().strip_prefix("tip: ")).filter(|tip| tip.contains("similar"));
    let next = tip.map(ToOwned::to_owned).or_else(|| elsewhere(error));
    let next = next.unwrap_or_else(|| "see rollscope --help".to_owned());
    format!("{}; {next}", clip(&first, 300))
}

/// Finds the nearest option of another command for an unknown option; `None` if no option is near.
fn elsewhere(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return None };
    let typed = typed.strip_prefix("--").filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    let description = description();
    let options: Vec<(&str, &str)> = description
        .get_subcommands()
        .flat_map(|command| command.get_arguments().filter_map(|option| Some((option.get_long()?, command.get_name()))))
        .collect();
    let option = nearest(typed, options.iter().map(|(option, _)| *option))?;
    let (_, command) = options.iter().find(|(candidate, _)| *candidate == option)?;
    Some(format!("did you mean {command} --{option}?"))
}

/// Returns clap's definition of the command line, for completions and the manual page.
pub(super) fn description() -> clap::Command {
    CliArguments::command()
}
