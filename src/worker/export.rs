//! Writes a whole list to a file, which appears under its name only when it is complete.

use std::{
    fs,
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, Sender, channel},
};

use tokio::task::JoinHandle;

use crate::{
    client::{BlocksQuery, HoldersQuery, IndexerClient},
    columns::{ListRecord, PagePosition, RowsText},
    domain::{RowsFile, RowsFormat, WrittenRows, mask_addresses, rows_text},
    files,
    listing::{ListSubject, ListWriter, OddRows, PageWalk, WalkError, WalkRange, WalkedRow, write_pages},
    msg::{ListedRow, PageStart, Request, Total},
    wire::Verbatim,
};

/// Reads the list of a request to its end and writes it. Returns why no file was written.
pub(super) async fn export(
    client: &IndexerClient,
    list: &Request,
    file: &RowsFile,
    tell: impl Fn(u64, Total),
) -> Result<WrittenRows, String> {
    match list {
        Request::Blocks(_) => write(&BlocksQuery, client, list, file, tell).await,
        Request::Txs(query, _) => write(query, client, list, file, tell).await,
        Request::EvmTxs(scope, _) => write(scope, client, list, file, tell).await,
        Request::InternalTxs(scope, _) => write(scope, client, list, file, tell).await,
        Request::Collections(scope, _) => write(scope, client, list, file, tell).await,
        Request::Tokens(query, _) => write(query, client, list, file, tell).await,
        Request::Holders(denom, _) => write(&HoldersQuery(denom.clone()), client, list, file, tell).await,
        _ => Err("this list has no export".to_owned()),
    }
}

async fn write<Q: ListSubject>(
    query: &Q,
    client: &IndexerClient,
    list: &Request,
    file: &RowsFile,
    tell: impl Fn(u64, Total),
) -> Result<WrittenRows, String> {
    let order = list.page().map(|page| page.order).unwrap_or_default();
    let range = WalkRange { start: PageStart::Start, limit: None, order, count_total: true };
    let mut walk = PageWalk::new(query, client, &range);
    let mut writer = FileWriter {
        text: RowsText::new(file.format, file.denom.clone()),
        file,
        sink: TextSink::start(files::path_of(&file.folder, &file.path)),
        rows: 0,
        received: 0,
        total: Total::Unknown,
        tell,
    };
    let written = write_pages(&mut writer, &mut walk, query, client, PagePosition::ALONE).await;
    let (rows, received) = (writer.rows, writer.received);
    match written.and_then(|()| ListWriter::<Q::Item>::finish(&mut writer, true)) {
        Ok(()) | Err(ExportError::SinkEnded) => {}
        Err(ExportError::List(error)) => {
            let reason = match error {
                WalkError::Stopped(sentence) => sentence,
                WalkError::Request { name, error } => format!("{name}: {}", error.brief()),
            };
            return Err(format!("{reason}; no file was written, {} received", rows_text(received)));
        }
    }
    let path = writer.sink.keep().await.map_err(|error| format!("{error}; no file was written"))?;
    let notes = walk.report.sentences::<Q::Item>(OddRows::LeftOut, query.wanted_types().as_deref(), true);
    Ok(WrittenRows { path, rows, notes })
}

#[derive(Debug, thiserror::Error)]
enum ExportError {
    #[error(transparent)]
    List(#[from] WalkError),
    /// The thread that writes the file has ended; it knows the reason.
    #[error("the file cannot be written")]
    SinkEnded,
}

struct FileWriter<'a, F> {
    file: &'a RowsFile,
    text: RowsText,
    sink: TextSink,
    /// Number of rows written, which the filter keeps.
    rows: u64,
    /// Number of rows received, of the server's total.
    received: u64,
    total: Total,
    tell: F,
}

impl<F> FileWriter<'_, F> {
    fn send(&self, text: String) -> Result<(), ExportError> {
        let text = if self.file.is_masked { mask_addresses(&text) } else { text };
        self.sink.write(text).map_err(|()| ExportError::SinkEnded)
    }
}

impl<T: ListRecord, F: Fn(u64, Total)> ListWriter<T> for FileWriter<'_, F> {
    type Error = ExportError;

    fn write(&mut self, rows: &[WalkedRow<T>], place: PagePosition) -> Result<(), ExportError> {
        let read = rows.iter().filter_map(ListedRow::read).map(|row| &**row);
        let kept: Vec<&Verbatim<T>> = read.filter(|row| row.value.is_kept(self.file.filter)).collect();
        let text = self.text.page::<T, _>(&kept, place);
        self.rows += kept.len() as u64;
        self.send(text)
    }

    fn advance(&mut self, rows: usize, total: Total) {
        self.received += rows as u64;
        if total != Total::Unknown {
            self.total = total;
        }
        (self.tell)(self.received, self.total);
    }

    fn finish(&mut self, is_whole: bool) -> Result<(), ExportError> {
        self.send(self.text.end(is_whole).to_owned())
    }

    fn has_height(&self) -> bool {
        self.file.format == RowsFormat::Csv
    }
}

enum SinkStep {
    Text(String),
    Keep,
}

/// Thread that writes texts to a temporary file. Dropping the sink deletes the file.
struct TextSink {
    steps: Sender<SinkStep>,
    thread: JoinHandle<io::Result<PathBuf>>,
}

impl TextSink {
    fn start(path: PathBuf) -> Self {
        let (steps, received) = channel();
        Self { steps, thread: tokio::task::spawn_blocking(move || write_texts(&path, &received)) }
    }

    /// Fails if the thread has ended; [`TextSink::keep`] returns its error.
    fn write(&self, text: String) -> Result<(), ()> {
        self.steps.send(SinkStep::Text(text)).map_err(drop)
    }

    /// Gives the file its name; returns its path.
    async fn keep(self) -> io::Result<PathBuf> {
        // If the thread has ended, its result says why.
        drop(self.steps.send(SinkStep::Keep));
        self.thread.await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

fn write_texts(path: &Path, steps: &Receiver<SinkStep>) -> io::Result<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    // These errors name no temporary file.
    fs::metadata(folder).map(drop)?;
    let made = tempfile::Builder::new().prefix(".rollscope-").suffix(".part").tempfile_in(folder);
    let mut file = BufWriter::new(made.map_err(|error| error.kind())?);
    for step in steps {
        match step {
            SinkStep::Text(text) => file.write_all(text.as_bytes())?,
            SinkStep::Keep => {
                let mut whole = Some(file.into_inner().map_err(io::IntoInnerError::into_error)?.into_temp_path());
                return files::make_new(path, |path| {
                    let Some(named) = whole.take() else { return Err(io::ErrorKind::NotFound.into()) };
                    named.persist_noclobber(path).map_err(|failed| {
                        whole = Some(failed.path);
                        failed.error
                    })
                });
            }
        }
    }
    Err(io::ErrorKind::Interrupted.into())
}
