//! Files for the chains' own command lines, written where nothing is yet.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use super::{super::CommandError, Router, router_names::RouterNames};
use crate::{
    config::display_path,
    domain::ChainId,
    signing::AcceptedQuote,
    story::{ChainAccess, UnsignedFile, unsigned_files},
    wire::router::MsgsResponse,
};

/// Compares the answer with the quote and writes what is to be signed; says on standard error where it lies.
pub(super) async fn write(
    folder: &Path,
    quote: &AcceptedQuote<'_>,
    body: &[u8],
    router: &Router,
) -> Result<(), CommandError> {
    let answer: MsgsResponse = serde_json::from_slice(body).map_err(CommandError::failed)?;
    let mut chains = quote.route.chain_ids.clone();
    chains.extend(quote.route.required_chain_addresses.iter().cloned());
    let names = RouterNames::fetch(router, &chains).await;
    let access = |chain: &ChainId| {
        let own = router.node.as_ref().filter(|(known, _)| known == chain).map(|(_, node)| node.as_str());
        ChainAccess::of(chain, names.info(chain), own, &names)
    };
    let files = unsigned_files(quote, &answer, "", access, &names).map_err(CommandError::failed)?;
    let written = write_all(folder, &files)
        .map_err(|(path, error)| CommandError::Failed(format!("{} cannot be written: {error}", display_path(&path))))?;
    for path in written {
        eprintln!("wrote {}", display_path(&path));
    }
    Ok(())
}

/// Writes all files or none: what is there already stays as it is.
pub(super) fn write_all(folder: &Path, files: &[UnsignedFile]) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let at_folder = |error| (folder.to_owned(), error);
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(at_folder)?;
    let paths: Vec<PathBuf> = files.iter().map(|file| folder.join(&file.name)).collect();
    if let Some(taken) = paths.iter().find(|path| path.symlink_metadata().is_ok()) {
        return Err((taken.clone(), io::Error::new(io::ErrorKind::AlreadyExists, "it is there already")));
    }
    for (path, file) in paths.iter().zip(files) {
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        let written = opened.and_then(|mut opened| opened.write_all(file.contents.as_bytes()));
        written.map_err(|error| (path.clone(), error))?;
    }
    Ok(paths)
}
