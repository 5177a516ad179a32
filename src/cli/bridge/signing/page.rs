use std::env;

use tokio::{sync::mpsc, task::JoinHandle};

use super::super::super::CommandError;
use crate::worker::{PageTimes, SigningPage, SigningPageEvent, tunnel};

/// Signing page in the browser, whose events are printed on standard error.
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

    pub(in crate::cli::bridge) async fn close(self, words: &str) {
        self.page.close(words, true).await;
        self.told.abort();
    }

    /// Closes the page with this error, and returns the error.
    pub(in crate::cli::bridge) async fn fail(self, error: CommandError) -> CommandError {
        self.page.close(&format!("Failed: {error}."), false).await;
        self.told.abort();
        error
    }
}

/// Prints the page's URL, and opens it if this machine has a browser.
fn announce(page: &SigningPage) {
    eprintln!("open this one-time address in your browser to sign: {}", page.address());
    if let Some(tunnel) = tunnel(page.port()) {
        eprintln!("on the machine with your browser, first run: {tunnel}");
        return;
    }
    let has_display = cfg!(target_os = "macos")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()));
    if has_display && let Err(error) = open::that_detached(page.address()) {
        eprintln!("cannot start a browser here: {error}");
    }
}

/// Prints the page's events.
async fn tell(mut events: mpsc::Receiver<SigningPageEvent>) {
    while let Some(event) = events.recv().await {
        match event {
            SigningPageEvent::Opened => eprintln!("the signing page is open in your browser"),
            SigningPageEvent::Connected { wallet, account } => {
                eprintln!("{} signs as {}", wallet.clipped(80), account.clipped(80));
            }
            SigningPageEvent::ApprovalSent(step, hash) => {
                eprintln!("{}: {}", step.words(), alloy_primitives::hex::encode_prefixed(hash));
            }
            // The task that waits for the late hash stores and prints it.
            SigningPageEvent::LateHash(_) => {}
        }
    }
}
