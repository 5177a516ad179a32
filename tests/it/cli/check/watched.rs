//! A check that goes on: new blocks are compared as they come, a node that is away is waited for, and a signal ends it.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use rollscope::{domain::Vm, indexer::node::ServiceOptions};
use rustix::process::{Pid, Signal, kill_process};

use super::{blocking, lies, played, proxy::LyingProxy};
use crate::{
    cli::{parse, program::Home},
    harness::{
        get,
        player::{Fault, NodePlayer},
        recording::Recording,
        replay::PATIENCE,
    },
};

/// A running watch; it ends with the test.
struct Watch {
    child: Child,
    out: Receiver<String>,
    err: Receiver<String>,
    _home: Home,
}

impl Watch {
    fn start(arguments: &str) -> Self {
        let home = Home::empty();
        let mut child = Command::new(env!("CARGO_BIN_EXE_rollscope"))
            .env_clear()
            .env("HOME", home.path())
            .args(arguments.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let out = lines_of(child.stdout.take().expect("its output is piped"));
        let err = lines_of(child.stderr.take().expect("its complaints are piped"));
        Self { child, out, err, _home: home }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It has ended already where the test ended it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || BufReader::new(stream).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    lines
}

#[track_caller]
fn next(lines: &Receiver<String>) -> String {
    lines.recv_timeout(PATIENCE).expect("a line comes in time")
}

/// The metrics, once they have this line.
async fn metrics_with(url: &str, line: &str) -> String {
    let asked = async {
        loop {
            let text = get(url.to_owned()).await.expect("it answers").text().await.expect("a text");
            if text.lines().any(|one| one == line) {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asked).await.unwrap_or_else(|_| panic!("{line} never came"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_blocks_are_compared_as_they_come_and_a_side_that_is_away_is_waited_for() {
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(110));
    player.change(|stage| stage.tip = 100);
    let served = player.served(ServiceOptions::default()).await;
    served.filled().await;
    let (indexer, node) = (served.url(), player.addresses());
    let (proxy, watch) = blocking(move || {
        let proxy = LyingProxy::start(&indexer, lies::LATER);
        let arguments = "--watch --listen 127.0.0.1:0 --newest 3 --skip accounts --skip nfts --skip holders";
        let watch = Watch::start(&played(proxy.url(), &node, &format!("{arguments} --skip totals")));
        (proxy, watch)
    })
    .await;
    let first = next(&watch.err);
    let url = first.strip_prefix("metrics: ").expect("the first line is the address").to_owned();
    let text = metrics_with(&url, "rollscope_check_height 100").await;
    for line in ["rollscope_check_blocks_total 3", "rollscope_check_lag_blocks 0", "rollscope_check_waiting 0"] {
        assert!(text.lines().any(|one| one == line), "{line}: {text}");
    }
    assert!(text.contains("rollscope_node_requests_total{interface=\"rpc\",status=\"200\"}"), "{text}");
    assert!(!text.contains("rollscope_check_differences_total{"), "nothing differs: {text}");
    player.change(|stage| stage.fault = Some(Box::new(|_, _| Some(Fault::Status(502)))));
    let away = next(&watch.err);
    assert!(away.starts_with("the ") && away.ends_with("; retrying"), "{away}");
    metrics_with(&url, "rollscope_check_waiting 1").await;
    player.change(|stage| (stage.fault, stage.tip) = (None, 106));
    let difference = parse(&next(&watch.out));
    assert_eq!((&difference["name"], difference["indexer"].as_str()), (&"105".into(), Some("7")), "{difference}");
    let text = metrics_with(&url, "rollscope_check_height 106").await;
    let line = "rollscope_check_differences_total{part=\"blocks\",difference=\"value\",field=\"gas_used\"} 1";
    assert!(text.lines().any(|one| one == line), "{text}");
    assert_eq!(next(&watch.err), "node and indexer answer again");
    kill_process(Pid::from_child(&watch.child), Signal::INT).expect("the process is there");
    let mut blocks = None;
    while let Ok(line) = watch.out.recv_timeout(PATIENCE) {
        let line = parse(&line);
        assert!(line["kind"] != "difference" && line["kind"] != "not_asked", "what was away is no finding: {line}");
        blocks = blocks.or((line["part"] == "blocks" && line["kind"] == "part").then(|| line["compared"].clone()));
    }
    assert_eq!(blocks, Some(9.into()));
    let ended = blocking(move || {
        let (mut watch, last) = (watch, proxy);
        let ended = (watch.child.wait().expect("it ends").code(), next(&watch.err));
        drop(last);
        ended
    });
    assert_eq!(ended.await, (Some(1), "rollscope: 1 difference in 9 blocks".to_owned()));
}

#[test]
fn a_watch_has_no_other_range_and_metrics_need_one() {
    for (arguments, word) in [("--watch --from 3", "--from"), ("--listen 127.0.0.1:0", "--watch")] {
        let ran = crate::cli::program::run(&format!("check {arguments}"));
        assert!(ran.status == 2 && ran.err.contains(word), "{ran:?}");
    }
}
