use std::{
    env,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::{Map, Value};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    level_filters::LevelFilter,
};
use tracing_subscriber::{
    Layer as _,
    filter::Targets,
    fmt::{self, FmtContext, FormatEvent, FormatFields, FormattedFields, MakeWriter},
    layer::SubscriberExt as _,
    registry::{LookupSpan, Registry},
    util::SubscriberInitExt as _,
};

use super::arguments::{LogFormat, LogLevel};
use crate::{domain::Timestamp, files};

/// Maximum size of the log in bytes; a larger log is rotated, and one old file is kept.
const LARGEST: u64 = 1 << 20;

/// Writes traces only to this file, which the first line opens.
///
/// `ROLLSCOPE_LOG` filters the traces, such as `rollscope=debug`; the default is warnings and errors.
pub(super) fn start(path: PathBuf) {
    let by_default = || Targets::new().with_default(LevelFilter::WARN).with_target("rollscope", LevelFilter::INFO);
    let filter = env::var("ROLLSCOPE_LOG").ok().and_then(|text| text.parse().ok()).unwrap_or_else(by_default);
    let log = LogFileWriter(Arc::new(Mutex::new(RotatingFile { path, largest: LARGEST, open: None })));
    let layer = fmt::layer().with_ansi(false).with_writer(log).with_filter(filter);
    // Fails only if a subscriber already exists, which is no problem.
    let _ = Registry::default().with(layer).try_init();
}

/// Writes traces to standard error, whose errors are ignored: a log that cannot be written must not end a server.
pub(super) fn start_on_stderr(level: LogLevel, format: LogFormat) {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let filter = Targets::new().with_default(level.min(LevelFilter::WARN)).with_target("rollscope", level);
    let layer = fmt::layer().with_ansi(false).with_writer(|| LossyStderr);
    // Fails only if a subscriber already exists, which is no problem.
    let _ = match format {
        LogFormat::Text => Registry::default().with(layer.with_filter(filter)).try_init(),
        LogFormat::Json => Registry::default().with(layer.event_format(JsonLines).with_filter(filter)).try_init(),
    };
}

/// Standard error without errors.
struct LossyStderr;

impl Write for LossyStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = io::stderr().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Format of one JSON object per line: time, level, target, message, what the spans name, and the event's fields.
struct JsonLines;

impl<S, N> FormatEvent<S, N> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: fmt::format::Writer<'_>,
        event: &Event<'_>,
    ) -> std::fmt::Result {
        let metadata = event.metadata();
        let mut fields = JsonFields::default();
        let head = [
            ("time", Timestamp::now().to_string()),
            ("level", metadata.level().to_string()),
            ("target", metadata.target().to_owned()),
        ];
        fields.0.extend(head.map(|(name, value)| (name.to_owned(), Value::String(value))));
        for span in context.event_scope().into_iter().flatten() {
            if let Some(known) = span.extensions().get::<FormattedFields<N>>() {
                fields.0.insert(span.name().to_owned(), Value::String(known.to_string()));
            }
        }
        event.record(&mut fields);
        writeln!(writer, "{}", Value::Object(fields.0))
    }
}

#[derive(Default)]
struct JsonFields(Map<String, Value>);

impl JsonFields {
    fn set(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for JsonFields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.set(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.set(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.set(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.set(field, value);
    }
}

struct LogFileWriter(Arc<Mutex<RotatingFile>>);

impl<'a> MakeWriter<'a> for LogFileWriter {
    type Writer = LogLineWriter;

    fn make_writer(&'a self) -> LogLineWriter {
        LogLineWriter(Arc::clone(&self.0))
    }
}

/// Writer of a log line. It ignores errors: a full disk must not disturb the explorer.
struct LogLineWriter(Arc<Mutex<RotatingFile>>);

impl Write for LogLineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = log.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct RotatingFile {
    path: PathBuf,
    largest: u64,
    open: Option<(File, u64)>,
}

impl RotatingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.open.as_ref().is_some_and(|(_, size)| *size >= self.largest) {
            self.open = None;
        }
        if self.open.is_none() {
            self.open = Some(open(&self.path, self.largest)?);
        }
        if let Some((file, size)) = &mut self.open {
            file.write_all(bytes)?;
            *size += bytes.len() as u64;
        }
        Ok(())
    }
}

/// Opens the file for appending and returns its size; rotates a file that is too large.
fn open(path: &Path, largest: u64) -> io::Result<(File, u64)> {
    files::make_own_folder_of(path)?;
    if fs::metadata(path).is_ok_and(|found| found.len() >= largest) {
        fs::rename(path, path.with_extension("log.old"))?;
    }
    let file = files::open(path, OpenOptions::new().create(true).append(true))?;
    let size = file.metadata()?.len();
    Ok((file, size))
}

#[cfg(test)]
mod tests {
    use super::RotatingFile;
    use std::{fs, os::unix::fs::PermissionsExt as _};

    #[test]
    fn keeps_the_newest_lines_and_one_older_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state").join("a.log");
        let mut log = RotatingFile { path: path.clone(), largest: 10, open: None };
        for line in ["first 1234\n", "second 123\n", "third\n"] {
            log.write(line.as_bytes()).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "third\n");
        assert_eq!(fs::read_to_string(path.with_extension("log.old")).unwrap(), "second 123\n");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 2);
        let modes =
            [path.as_path(), path.parent().unwrap()].map(|path| fs::metadata(path).unwrap().permissions().mode());
        assert_eq!(modes.map(|mode| mode & 0o777), [0o600, 0o700]);
    }
}
