use std::env;

use tokio::{sync::mpsc, task::JoinHandle};

use super::super::super::CommandError;
use crate::worker::{PageEvent, PageTimes, SigningPage, tunnel};

/// A page in the browser, and what it tells on standard error.
pub(in crate::cli::bridge) struct CommandPage {
    pub(in crate::cli::bridge) page: SigningPage,
    told: JoinHandle<()>,
}

impl CommandPage {
    pub(in crate::cli::bridge) async fn open() -> Result<Self, CommandError> {
        let (page, events) = SigningPage::open(PageTimes::default()).await.map_err(CommandError::failed)?;
        announce(&page);
        Ok(Self { page, told: tokio::spawn(tell(events)) })
    }

    /// It ended well.
    pub(in crate::cli::bridge) async fn close(self, words: &str) {
        self.page.close(words, true).await;
        self.told.abort();
    }

    /// It ended with this error, which is given back.
    pub(in crate::cli::bridge) async fn fail(self, error: CommandError) -> CommandError {
        self.page.close(&format!("It ended without success: {error}."), false).await;
        self.told.abort();
        error
    }
}

/// Says where the page is, and opens it where a browser can be started beside this terminal.
fn announce(page: &SigningPage) {
    eprintln!("sign in your browser, at this address, which works once: {}", page.address());
    if let Some(tunnel) = tunnel(page.port()) {
        eprintln!("this is another machine: first run there, beside the browser: {tunnel}");
        return;
    }
    let has_display = cfg!(target_os = "macos")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()));
    if has_display && let Err(error) = open::that_detached(page.address()) {
        eprintln!("no browser can be started here: {error}");
    }
}

/// What the page tells meanwhile.
async fn tell(mut events: mpsc::Receiver<PageEvent>) {
    while let Some(event) = events.recv().await {
        match event {
            PageEvent::Opened => eprintln!("the page is open"),
            PageEvent::Connected { wallet, account } => eprintln!("{wallet} signs as {account}"),
            PageEvent::ApprovalSent(hash) => {
                eprintln!("approval sent: {}", alloy_primitives::hex::encode_prefixed(hash));
            }
            // Whoever waits for it keeps it and says so.
            PageEvent::LateHash(_) => {}
        }
    }
}
