//! Bundle file with all facts about a transfer, for a support ticket.

use std::{
    fs,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    super::{CommandError, TransferArguments},
    Router, files,
    following::FollowedTransfer,
};
use crate::{
    config::display_path,
    domain::{Timestamp, TransferId, mask_addresses},
    transfers::{BundleFacts, is_about},
    wire::{Exchange, router::MsgsResponse},
};

/// Target of `--bundle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BundlePlace {
    /// File of the only transfer.
    File,
    /// Folder with one file per transfer.
    Folder,
}

impl BundlePlace {
    fn path(self, named: &Path, id: &TransferId) -> PathBuf {
        match self {
            Self::File => named.to_owned(),
            Self::Folder => {
                let is_plain = |sign: &char| sign.is_ascii_alphanumeric() || *sign == '-';
                let plain = |text: &str| text.chars().filter(is_plain).take(100).collect::<String>();
                named.join(format!("transfer-{}-{}.json", plain(id.chain_id.as_str()), plain(id.hash.as_str())))
            }
        }
    }
}

/// Creates the folder for several files. Fails early if it is a file, or if a file would be overwritten.
pub(super) fn prepare<'a>(
    arguments: &TransferArguments,
    ids: impl IntoIterator<Item = &'a TransferId>,
) -> Result<(), CommandError> {
    let Some(folder) = &arguments.bundle else { return Ok(()) };
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| {
        let name = display_path(folder);
        CommandError::Usage(format!("--bundle needs a folder for several transfers; cannot create {name}: {error}"))
    })?;
    let mut paths = ids.into_iter().map(|id| BundlePlace::Folder.path(folder, id));
    match paths.find(|path| path.symlink_metadata().is_ok()) {
        Some(taken) => Err(CommandError::Usage(format!("{} exists: choose another folder", display_path(&taken)))),
        None => Ok(()),
    }
}

/// Writes the bundle that the command line names. The bundle of one transfer among several omits the exchanges of the
/// others.
pub(super) fn write(
    arguments: &TransferArguments,
    place: BundlePlace,
    transfer: &FollowedTransfer,
    router: &Router,
) -> Result<(), CommandError> {
    let Some(path) = &arguments.bundle else { return Ok(()) };
    let path = place.path(path, transfer.id());
    let is_its = |exchange: &&Arc<Exchange>| place == BundlePlace::File || is_about(exchange, transfer.id());
    let msgs = arguments.msgs.as_deref().map(|path| files::answer::<MsgsResponse>(path, "msgs")).transpose()?;
    let of_indexer = router.indexer.as_ref().map(|indexer| indexer.exchanges().snapshot()).unwrap_or_default();
    let (follower, now) = (&transfer.follower, Timestamp::now());
    let facts = BundleFacts {
        record: &follower.record,
        findings: follower.findings(),
        view: &follower.view(&*transfer.names, now),
        now,
    };
    let statuses = transfer.statuses.iter().map(|(text, at)| (&**text, *at));
    let msgs = msgs.as_ref().map(|msgs| msgs.raw.get());
    let bundle =
        facts.bundle(statuses, msgs, router.exchanges().iter().filter(is_its), of_indexer.iter().filter(is_its));
    let text = format!("{bundle:#}\n");
    let text = if arguments.mask { mask_addresses(&text) } else { text };
    files::create(&path, &text)
}
