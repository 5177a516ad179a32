//! The signing page on loopback: who may have it, and what becomes of what a wallet in a real browser does.

pub(crate) mod access;
mod accounts;
pub(crate) mod browser;
mod closing;
mod ethereum;
mod keplr;
mod late;
pub(crate) mod visit;
pub(crate) mod wallet;

use std::time::Duration;

use rollscope::signing::{OfferLine, OfferLineKind, OfferWords};
use rollscope::worker::{
    DocumentOffer, DocumentPurpose, PageEnd, PageTimes, SigningOffer, SigningPage, SigningPageEvent, WalletAnswer,
};
use tokio::{runtime::Runtime, sync::mpsc};

use self::{browser::Browser, wallet::TestKey};

/// A page with a runtime of its own, so that a test's thread can drive a browser.
struct Served {
    runtime: Runtime,
    page: Option<std::sync::Arc<SigningPage>>,
    events: mpsc::Receiver<SigningPageEvent>,
}

impl Served {
    fn start(times: PageTimes) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.unwrap_or_else(|error| panic!("a runtime for the page: {error}"));
        let opened = runtime.block_on(SigningPage::open(times));
        let (page, events) = opened.unwrap_or_else(|error| panic!("a page on loopback: {error}"));
        Self { runtime, page: Some(std::sync::Arc::new(page)), events }
    }

    fn page(&self) -> &std::sync::Arc<SigningPage> {
        self.page.as_ref().unwrap_or_else(|| panic!("the page is still served"))
    }

    /// Offers this, with the browser's wallet at work, and says what came of it.
    fn ask(
        &self,
        browser: &mut Browser,
        offer: SigningOffer,
        words: OfferWords,
        meanwhile: impl FnOnce(&mut Browser),
    ) -> Result<WalletAnswer, PageEnd> {
        let page = std::sync::Arc::clone(self.page());
        let asked = self.runtime.spawn(async move { page.ask(offer, words).await });
        meanwhile(browser);
        browser.until_done(&self.runtime, asked)
    }

    fn events(&mut self) -> Vec<SigningPageEvent> {
        std::iter::from_fn(|| self.events.try_recv().ok()).collect()
    }
}

/// Times that no test should see the end of.
fn long() -> PageTimes {
    PageTimes { offer: Duration::from_secs(300), silence: Duration::from_secs(120), beat: Duration::from_secs(2) }
}

fn words(title: &str) -> OfferWords {
    let lines = vec![
        OfferLine::new("Sends", OfferLineKind::Amount, "1 INIT"),
        OfferLine::new("To", OfferLineKind::Plain, "Іnitia (demo-l1-1)"),
        OfferLine::new("Memo", OfferLineKind::Plain, "<b id=x>bold</b>"),
    ];
    OfferWords { title: title.to_owned(), act: "send 1 INIT".to_owned(), lines, note: None }
}

/// A document such as Initia's chains take.
fn document(key: &TestKey) -> SigningOffer {
    SigningOffer::Document(DocumentOffer {
        purpose: DocumentPurpose::Transaction,
        chain_id: "demo-l1-1".to_owned(),
        suggestion: None,
        signer: key.bech32("init"),
        ethereum_signer: Some(key.hexadecimal()),
        text: r#"{"account_number":"7","chain_id":"demo-l1-1","memo":"\u0026 ü"}"#.to_owned(),
    })
}
