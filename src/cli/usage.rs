use std::ffi::OsString;

use clap::{
    ArgAction, CommandFactory, FromArgMatches as _, Parser,
    error::{ContextKind, ContextValue, ErrorKind},
    parser::ValueSource,
};

use super::{CliArguments, CommandError};
use crate::{
    config::{ServeSetting, nearest},
    domain::text::clip,
};

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
    let words: Vec<OsString> = arguments.into_iter().collect();
    match CliArguments::try_parse_from(&words) {
        Ok(arguments) => Ok(Parsed::Run(Box::new(CliArguments { words, ..arguments }))),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(Parsed::Print(error.render().to_string())),
            _ => Err(CommandError::Usage(sentence(&error))),
        },
    }
}

/// Parses the command line of `serve` again, with the settings of `[serve]` where it does not set them. A setting that
/// cannot be used goes to `warn`, with the reason.
pub(super) fn with_serve_settings(
    arguments: CliArguments,
    settings: &[ServeSetting],
    mut warn: impl FnMut(&ServeSetting, &str),
) -> Result<CliArguments, CommandError> {
    const SERVE: &str = "serve";
    let usage = |error: clap::Error| CommandError::Usage(sentence(&error));
    let mut command = description();
    let given = description().try_get_matches_from(&arguments.words).map_err(usage)?;
    let options: Vec<(String, String, bool)> = command
        .find_subcommand(SERVE)
        .into_iter()
        .flat_map(clap::Command::get_arguments)
        .filter_map(|option| {
            let is_repeatable = matches!(option.get_action(), ArgAction::Append);
            Some((option.get_long()?.replace('-', "_"), option.get_id().to_string(), is_repeatable))
        })
        .collect();
    for setting in settings {
        let name = setting.key.value.as_str();
        let Some((_, id, is_repeatable)) = options.iter().find(|(option, ..)| option == name) else {
            let meant = nearest(name, options.iter().map(|(option, ..)| option.as_str()));
            let advice =
                meant.map_or_else(|| "see rollscope serve --help".to_owned(), |name| format!("did you mean {name}?"));
            warn(setting, &format!("unknown setting; {advice}"));
            continue;
        };
        if !is_repeatable && setting.values.len() != 1 {
            warn(setting, "this option has one value");
            continue;
        }
        let values = setting.values.clone();
        let tried =
            command.clone().mut_subcommand(SERVE, |serve| serve.mut_arg(id, |option| option.default_values(values)));
        // With the file's settings alone, an error can only be that of the last one.
        match tried
            .clone()
            .try_get_matches_from(["rollscope", SERVE])
            .and_then(|found| CliArguments::from_arg_matches(&found))
        {
            // The options of a stored history may also precede the command.
            Ok(_)
                if given.try_contains_id(id).is_ok_and(|is_given| is_given)
                    && given.value_source(id) == Some(ValueSource::CommandLine) => {}
            Ok(_) => command = tried,
            Err(error) => warn(setting, &sentence(&error)),
        }
    }
    let matches = command.try_get_matches_from(&arguments.words).map_err(usage)?;
    let parsed = CliArguments::from_arg_matches(&matches).map_err(usage)?;
    Ok(CliArguments { words: arguments.words, ..parsed })
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
