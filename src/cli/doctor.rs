//! `doctor`: says what works on this machine and at the chosen network's servers, and what to do about the rest.

mod files;
mod servers;
mod terminal;

use serde::Serialize;

use super::{
    CommandError,
    arguments::{Format, RollupArguments},
    interruptible, open_files,
    output::CommandOutput,
    rollup,
    table::paint,
};
use crate::{
    config::{Meaning, Network, NetworkChoice, Settings},
    domain::text::{count, group, pad},
    wire::ServerAnswer,
};

/// Width of the names, in terminal columns.
const NAME_WIDTH: usize = 11;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum FindingState {
    Good,
    /// Works with a loss, or cannot be known.
    Warning,
    Problem,
}

/// One line of the report.
#[derive(Debug, Serialize)]
struct DoctorFinding {
    name: &'static str,
    state: FindingState,
    what: String,
    /// What the user can do; empty if nothing is to be done.
    advice: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<ServerAnswer>,
}

const CSV: &[&str] = &["name", "state", "what", "advice", "chain_id", "height", "milliseconds"];

impl DoctorFinding {
    fn new(name: &'static str, state: FindingState, what: impl Into<String>, advice: &str) -> Self {
        Self { name, state, what: what.into(), advice: advice.to_owned(), answer: None }
    }

    fn good(name: &'static str, what: impl Into<String>) -> Self {
        Self::new(name, FindingState::Good, what, "")
    }

    fn warning(name: &'static str, what: impl Into<String>, advice: &str) -> Self {
        Self::new(name, FindingState::Warning, what, advice)
    }

    fn problem(name: &'static str, what: impl Into<String>, advice: &str) -> Self {
        Self::new(name, FindingState::Problem, what, advice)
    }

    /// Creates a problem from an error's sentence, which ends with the advice.
    fn failure(name: &'static str, error: &impl ToString) -> Self {
        let sentence = error.to_string();
        let (what, advice) = sentence.rsplit_once("; ").unwrap_or((&sentence, ""));
        Self::problem(name, what, advice)
    }

    fn line(&self, colored: bool) -> String {
        let (mark, meaning) = match self.state {
            FindingState::Good => ("✓", Meaning::Good),
            FindingState::Warning => ("!", Meaning::Heading),
            FindingState::Problem => ("✗", Meaning::Bad),
        };
        let advice = if self.advice.is_empty() { String::new() } else { format!("  → {}", self.advice) };
        format!("{} {}  {}{advice}", paint(meaning, mark, colored), pad(self.name, NAME_WIDTH), self.what)
    }

    fn csv(&self) -> Vec<String> {
        let answer = |field: fn(&ServerAnswer) -> String| self.answer.as_ref().map(field).unwrap_or_default();
        let state = match self.state {
            FindingState::Good => "good",
            FindingState::Warning => "warning",
            FindingState::Problem => "problem",
        };
        vec![
            self.name.to_owned(),
            state.to_owned(),
            self.what.clone(),
            self.advice.clone(),
            answer(|answer| answer.chain_id.clone()),
            answer(|answer| answer.height.to_string()),
            answer(|answer| answer.milliseconds.to_string()),
        ]
    }
}

/// Examines this machine and the chosen network, and prints a line for each finding. Fails if any is a problem.
pub(super) fn run(settings: &Settings, output: &mut CommandOutput) -> Result<(), CommandError> {
    let mut findings = vec![DoctorFinding::good("rollscope", concat!("version ", env!("CARGO_PKG_VERSION")))];
    findings.extend(files::examine(settings));
    findings.extend(terminal::examine(settings));
    findings.push(examine_open_files());
    findings.extend(examine_network(settings)?);
    write(&findings, output)?;
    match findings.iter().filter(|finding| finding.state == FindingState::Problem).count() {
        0 => Ok(()),
        problems => {
            Err(CommandError::Failed(format!("doctor found {}; see the lines with ✗", count(problems, "problem"))))
        }
    }
}

fn examine_open_files() -> DoctorFinding {
    let (limit, least) = (open_files::raise_limit(), open_files::LEAST_WITH_FILE);
    let what = if limit == u64::MAX { "no limit".to_owned() } else { format!("at most {}", group(limit)) };
    if limit < least {
        let what = format!("{what}; --data needs {least}");
        return DoctorFinding::problem("open files", what, "raise the limit with ulimit -n");
    }
    DoctorFinding::good("open files", what)
}

fn examine_network(settings: &Settings) -> Result<Vec<DoctorFinding>, CommandError> {
    let network = match &settings.destination {
        None => {
            let what = "none chosen: the explorer shows the embedded rollup";
            return Ok(vec![DoctorFinding::good("network", what)]);
        }
        Some(NetworkChoice::Network(network) | NetworkChoice::Node(network)) => network.as_ref().clone(),
        Some(NetworkChoice::Embedded) => {
            let rollup = rollup::start_for_command()?;
            let network = rollup::network(&RollupArguments::default(), &rollup);
            return examine_servers(&network, settings);
        }
    };
    examine_servers(&network, settings)
}

fn examine_servers(network: &Network, settings: &Settings) -> Result<Vec<DoctorFinding>, CommandError> {
    let mut findings = Vec::new();
    interruptible(async {
        findings = servers::examine(network, settings).await;
        Ok(())
    })?;
    Ok(findings)
}

fn write(findings: &[DoctorFinding], output: &mut CommandOutput) -> Result<(), CommandError> {
    match output.format {
        Format::Table => {
            let colored = output.colored;
            findings.iter().try_for_each(|finding| output.line(&finding.line(colored)))?;
        }
        Format::Json => {
            output.record(findings, true)?;
            output.line("")?;
        }
        Format::Jsonl => {
            for finding in findings {
                output.record(finding, false)?;
                output.line("")?;
            }
        }
        Format::Csv => {
            output.csv(CSV.iter().copied())?;
            findings.iter().try_for_each(|finding| output.csv(finding.csv()))?;
        }
    }
    output.flush()
}
