//! Chromium, driven over its pipe of developer tools: one JSON text after the other, each with a zero byte behind it.

use std::{
    env,
    io::{BufRead as _, BufReader, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{runtime::Runtime, task::JoinHandle};

use crate::harness::Requirement;

/// No answer in this time is a failure: a loaded machine starts a browser in a few seconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// The name by which the page's wallet calls the test.
const BINDING: &str = "rollscopeTestWallet";

/// What the test's wallet says to a method and its parameters; `None` never answers.
pub(crate) type WalletScript = Box<dyn FnMut(&str, &Value) -> Option<Result<Value, (i64, String)>>>;

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    input: ChildStdin,
    incoming: mpsc::Receiver<Incoming>,
    done: mpsc::Sender<Incoming>,
    next_id: u64,
    session: Option<String>,
    wallet: WalletScript,
    /// What the page asked of the wallet, in order.
    pub(crate) asked: Vec<(String, Value)>,
    _folder: TempDir,
}

enum Incoming {
    Message(Value),
    Done,
}

/// Where Chromium is; without it the test is skipped.
fn program() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::var_os("PATH").map(|paths| env::split_paths(&paths).collect()).unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|it| it.is_file()));
    Requirement::Browser.or_skip(found)
}

impl Browser {
    /// Starts it with this script in every page, or says that it is skipped.
    pub(crate) fn start(script: &str, wallet: WalletScript) -> Option<Self> {
        let program = program()?;
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("a folder for the browser: {error}"));
        // The shell turns its standard streams into the two numbers that the browser expects.
        let child = Command::new("sh")
            .arg("-c")
            .arg(
                "exec \"$0\" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
                  --disable-background-networking --disable-component-update --no-proxy-server \
                  --user-data-dir=\"$1\" --remote-debugging-pipe about:blank 3<&0 4>&1 0</dev/null 1>/dev/null",
            )
            .arg(program)
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.unwrap_or_else(|error| panic!("Chromium starts: {error}"));
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else { panic!("it has pipes") };
        let (done, incoming) = mpsc::channel();
        let sender = done.clone();
        thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { break };
                if sender.send(Incoming::Message(message)).is_err() {
                    break;
                }
            }
        });
        let (asked, session) = (Vec::new(), None);
        let mut browser = Self { child, input, incoming, done, next_id: 0, session, wallet, asked, _folder: folder };
        browser.prepare(script);
        Some(browser)
    }

    fn prepare(&mut self, script: &str) {
        let target = self.call("Target.createTarget", &json!({"url": "about:blank"}))["targetId"].clone();
        let attached = self.call("Target.attachToTarget", &json!({"targetId": target, "flatten": true}));
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        self.call("Page.enable", &json!({}));
        self.call("Runtime.enable", &json!({}));
        self.call("Runtime.addBinding", &json!({"name": BINDING}));
        self.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": script}));
    }

    /// Gives the page this width, and says how much of its content lies beside it.
    pub(crate) fn beside(&mut self, width: u32) -> Value {
        let metrics = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
        let page = "document.documentElement";
        self.wait(&format!("window.innerWidth === {width} && `${{{page}.scrollWidth - {page}.clientWidth}} px`"))
    }

    /// Opens an address in the page.
    pub(crate) fn open(&mut self, address: &str) {
        let reply = self.call("Page.navigate", &json!({"url": address}));
        assert!(reply.get("errorText").is_none(), "{reply}");
    }

    /// Waits until this expression is true of the page, and returns what it is.
    pub(crate) fn wait(&mut self, expression: &str) -> Value {
        let promise = format!(
            "new Promise((done) => {{
                const look = () => {{ const found = ({expression}); if (found) {{ watch.disconnect(); done(found); }} }};
                const watch = new MutationObserver(look);
                watch.observe(document, {{subtree: true, childList: true, attributes: true, characterData: true}});
                look();
            }})"
        );
        loop {
            let parameters = json!({"expression": promise, "awaitPromise": true, "returnByValue": true});
            let reply = self.call_fallibly("Runtime.evaluate", &parameters);
            // The page that was asked may be replaced by the one that is opened just then.
            match reply.and_then(|reply| reply["result"].get("value").cloned()) {
                Some(found) => return found,
                None => self.pump(),
            }
        }
    }

    /// Clicks on the button of a wallet, once it is there.
    pub(crate) fn choose(&mut self, wallet: &str) {
        let button = format!("document.querySelector('button[data-wallet=\"{wallet}\"]:not(:disabled)')");
        self.wait(&format!("{button} && ({button}.click(), true)"));
    }

    /// The page's text of an element, once it has one.
    pub(crate) fn text(&mut self, id: &str) -> String {
        let value = self.wait(&format!("document.getElementById('{id}')?.textContent"));
        value.as_str().unwrap_or_default().to_owned()
    }

    /// Lets the wallet work until the task is over.
    pub(crate) fn until_done<T: Send + 'static>(&mut self, runtime: &Runtime, task: JoinHandle<T>) -> T {
        let done = self.done.clone();
        let watched = runtime.spawn(async move {
            let result = task.await;
            drop(done.send(Incoming::Done));
            result
        });
        while self.take().is_some() {}
        let result = runtime.block_on(watched).and_then(|inner| inner);
        result.unwrap_or_else(|error| panic!("the task ends well: {error}"))
    }

    /// Lets the wallet work until it was asked for this.
    pub(crate) fn until_asked(&mut self, method: &str) {
        while !self.asked.iter().any(|(asked, _)| asked == method) {
            self.pump();
        }
    }

    /// Ends the browser at once, as a crash does.
    pub(crate) fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.call_fallibly(method, parameters).unwrap_or_else(|| panic!("the browser does {method}"))
    }

    fn call_fallibly(&mut self, method: &str, parameters: &Value) -> Option<Value> {
        let id = self.send(method, parameters);
        loop {
            let Some(message) = self.take() else { continue };
            if message["id"] == id {
                return message.get("result").cloned();
            }
        }
    }

    fn send(&mut self, method: &str, parameters: &Value) -> u64 {
        self.next_id += 1;
        let mut message = json!({"id": self.next_id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let written = self.input.write_all(format!("{message}\0").as_bytes()).and_then(|()| self.input.flush());
        written.unwrap_or_else(|error| panic!("the browser is there: {error}"));
        self.next_id
    }

    fn pump(&mut self) {
        self.take();
    }

    /// The next message, with the wallet's answer given; `None` where a task is over.
    fn take(&mut self) -> Option<Value> {
        let incoming = self.incoming.recv_timeout(PATIENCE);
        let Incoming::Message(message) = incoming.unwrap_or_else(|error| panic!("the browser says something: {error}"))
        else {
            return None;
        };
        let parameters = &message["params"];
        if message["method"] == "Runtime.bindingCalled" && parameters["name"] == BINDING {
            let call: Value =
                serde_json::from_str(parameters["payload"].as_str().unwrap_or("null")).unwrap_or_default();
            self.wallet_asked(&call);
        }
        Some(message)
    }

    fn wallet_asked(&mut self, call: &Value) {
        let method = call["method"].as_str().unwrap_or_default();
        self.asked.push((method.to_owned(), call["params"].clone()));
        let Some(answer) = (self.wallet)(method, &call["params"]) else { return };
        let answer = match answer {
            Ok(result) => json!({"id": call["id"], "result": result}),
            Err((code, message)) => json!({"id": call["id"], "error": {"code": code, "message": message}}),
        };
        self.send("Runtime.evaluate", &json!({"expression": format!("window.rollscopeSettle({answer})")}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.kill();
    }
}
