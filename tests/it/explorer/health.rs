//! What the overview says of the index and of the chain, driven through everything that may become of them; and what
//! must not be said.

mod lies;

use std::{
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use rollscope::domain::Timestamp;
use serde_json::{Value, json};

use super::scripted::{self, Server, genesis, parameter, path};
use crate::harness::{
    Builder, Explorer,
    replay::{Answer, Seen},
};

/// An index and its chain, as the server tells them.
#[derive(Clone, Debug)]
struct Told {
    chain: &'static str,
    /// Differs in the hashes of another chain.
    salt: u64,
    height: u64,
    /// How far the other two heights are behind it; `None` where they are not named.
    internal_behind: Option<u64>,
    rich_list_behind: Option<u64>,
    oldest: u64,
    /// Every so many-th height is not listed; 0 for none.
    gap_every: u64,
    /// A height that lists give twice; 0 for none.
    doubled: u64,
    /// Seconds per block, by the server's own word.
    average: f64,
    /// Whether the status fails, and whether the lists do.
    status_fails: bool,
    lists_fail: bool,
    is_empty: bool,
}

impl Told {
    fn at(height: u64) -> Self {
        Self {
            chain: "health-1",
            salt: 1,
            height,
            internal_behind: Some(3),
            rich_list_behind: Some(5),
            oldest: 1,
            gap_every: 0,
            doubled: 0,
            average: 1.0,
            status_fails: false,
            lists_fail: false,
            is_empty: false,
        }
    }

    /// A block, made in the second of its height.
    fn block(&self, height: u64) -> Value {
        let mut block = scripted::block(height);
        block["chain_id"] = self.chain.into();
        block["hash"] = format!("{:032X}{height:032X}", self.salt).into();
        block["timestamp"] = genesis().after(seconds(height)).to_string().into();
        block
    }

    /// The heights that lists give, the newest first.
    fn listed(&self) -> Vec<u64> {
        let is_listed = |height: &u64| self.gap_every == 0 || !height.is_multiple_of(self.gap_every);
        let twice = |height: u64| std::iter::repeat_n(height, if height == self.doubled { 2 } else { 1 });
        (self.oldest..=self.height).rev().filter(is_listed).flat_map(twice).collect()
    }

    fn page(&self, seen: &Seen, name: &str, make: impl Fn(u64) -> Value) -> Answer {
        if self.lists_fail {
            return Answer::text(500, "Internal Server Error");
        }
        let mut heights = if self.is_empty { Vec::new() } else { self.listed() };
        let total = heights.len();
        if parameter(seen, "pagination.reverse") == Some("false") {
            heights.reverse();
        }
        let limit: usize = parameter(seen, "pagination.limit").and_then(|text| text.parse().ok()).expect("a limit");
        let from: usize = parameter(seen, "pagination.key").map_or(0, |text| {
            let last: u64 = text.parse().expect("a key of this server");
            heights.iter().position(|height| *height < last).unwrap_or(heights.len())
        });
        let rows: Vec<u64> = heights.iter().copied().skip(from).take(limit).collect();
        let next = rows.last().filter(|last| heights.last() != Some(last)).map(ToString::to_string);
        let rows: Vec<Value> = rows.into_iter().map(make).collect();
        let total = if parameter(seen, "pagination.count_total") == Some("false") { 0 } else { total };
        let pagination = json!({"previous_key": null, "next_key": next, "total": total.to_string()});
        Answer::json(json!({name: rows, "pagination": pagination}).to_string())
    }

    fn answer(&self, seen: &Seen) -> Answer {
        let single = path(seen).strip_prefix("/indexer/block/v1/blocks/").and_then(|height| height.parse().ok());
        match (path(seen), single) {
            ("/status", _) if self.status_fails => Answer::text(500, "Internal Server Error"),
            ("/status", _) => {
                let mut status = json!({"chain_id": self.chain, "height": self.height, "version": "v1"});
                for (name, behind) in
                    [("internal_tx_height", self.internal_behind), ("rich_list_height", self.rich_list_behind)]
                {
                    if let Some(behind) = behind {
                        status[name] = (self.height - behind).into();
                    }
                }
                Answer::json(status.to_string())
            }
            ("/indexer/block/v1/avg_blocktime", _) => Answer::json(json!({"avg_block_time": self.average}).to_string()),
            ("/indexer/block/v1/blocks", _) => self.page(seen, "blocks", |height| self.block(height)),
            ("/indexer/tx/v1/txs", _) => self.page(seen, "txs", scripted::tx),
            (by_height, _) if by_height.starts_with("/indexer/tx/v1/txs/by_height/") => {
                let pagination = json!({"next_key": null, "total": "1"});
                Answer::json(json!({"txs": [scripted::tx(self.height)], "pagination": pagination}).to_string())
            }
            (holders, _) if holders.starts_with("/indexer/richlist/v1/") => {
                let holder = json!({"account": format!("0x{:040x}", 7), "amount": "5"});
                let pagination = json!({"next_key": null, "total": "1"});
                Answer::json(json!({"holders": [holder], "pagination": pagination}).to_string())
            }
            (_, Some(height)) if (self.oldest..=self.height).contains(&height) => {
                Answer::json(json!({"block": self.block(height)}).to_string())
            }
            _ => Answer::text(404, "[NOT_FOUND] not found"),
        }
    }
}

/// A server whose index the test moves.
struct Observatory {
    server: Server,
    told: Arc<Mutex<Told>>,
}

impl Observatory {
    fn new(told: Told) -> Self {
        let told = Arc::new(Mutex::new(told));
        let now = Arc::clone(&told);
        let server = Server::new(move |seen, _| now.lock().expect("no test panics with it").answer(seen));
        Self { server, told }
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().expect("no test panics with it")
    }

    /// An explorer that is started in the second in which the newest block was made.
    fn builder(&self) -> Builder {
        let now = second(self.told().height);
        self.server.explorer().size(130, 36).at(now)
    }

    fn start(&self) -> Explorer {
        let explorer = self.builder().start();
        explorer.settle();
        explorer
    }

    /// So many seconds pass, in each of which the index takes in so many blocks.
    fn pass(&self, explorer: &Explorer, seconds_passed: u64, blocks: u64) {
        for _ in 0..seconds_passed {
            self.told().height += blocks;
            explorer.advance(seconds(1));
        }
    }
}

fn seconds(number: u64) -> Duration {
    Duration::from_secs(number)
}

fn second(number: u64) -> Timestamp {
    genesis().after(seconds(number))
}

/// What the screen must not say.
fn refuse(explorer: &Explorer, lies: &[&str]) {
    let screen = explorer.screen();
    for lie in lies {
        assert!(!screen.contains(lie), "“{lie}” is said:\n{screen}");
    }
}

/// The line that begins with this name.
fn line(explorer: &Explorer, name: &str) -> String {
    let screen = explorer.screen();
    let of = |line: &str| line.trim_start_matches(['│', ' ']).starts_with(name);
    let line = screen.lines().find(|line| of(line)).unwrap_or_else(|| panic!("no “{name}”:\n{screen}"));
    line.trim_start_matches(['│', ' ']).split('│').next().unwrap_or_default().trim_end().to_owned()
}

/// Everything that may become of an index, one after the other.
#[test]
fn an_index_fills_follows_stalls_catches_up_and_begins_anew() {
    let sky = Observatory::new(Told { oldest: 5_901, ..Told::at(6_000) });
    let explorer = sky.start();
    let rates_and_totals = ["complete", "5,901 to", "≈ 100", "of 100 ", "block/s", "blocks/s", "there in"];
    refuse(&explorer, &rates_and_totals);
    // Older blocks come in, and for as long nothing is told of the whole.
    for oldest in [4_000, 2_000, 500] {
        sky.told().oldest = oldest;
        sky.pass(&explorer, 1, 1);
        explorer.wait_for("the index is loading older blocks");
        refuse(&explorer, &rates_and_totals);
    }
    sky.told().oldest = 1;
    sky.pass(&explorer, 2, 1);
    explorer.wait_for("of ≈ 6,005").wait_for("no gap in").wait_for("measuring speed…");
    refuse(&explorer, &["the index is loading older blocks", "≈ 100 "]);

    sky.pass(&explorer, 20, 1);
    explorer.wait_for("● live").wait_for("at the tip").wait_for("keeping up, 1.0 block/s over");
    assert!(line(&explorer, "rich list").ends_with("5 behind (usual)"), "{}", explorer.screen());
    assert!(line(&explorer, "internal").ends_with("3 behind"), "{}", explorer.screen());
    refuse(&explorer, &["there in", "stalled", "falling behind"]);

    sky.pass(&explorer, 8, 0);
    refuse(&explorer, &["there in", "stalled for"]);
    sky.pass(&explorer, 36, 0);
    explorer.wait_for("stalled for 44 s, falling behind 1.0 block/s").wait_for("○ no block for 44 s");
    // All three against the tip, two blocks of which may be on their way.
    let gaps =
        ["blocks", "internal", "rich list"].map(|name| line(&explorer, name).split('≈').nth(1).map(str::to_owned));
    assert_eq!(gaps, [" 42 behind", " 45 behind", " 47 behind"].map(|gap| Some(gap.to_owned())));
    refuse(&explorer, &["there in", "● live", "at the tip", "(usual)"]);

    sky.pass(&explorer, 100, 0);
    explorer.wait_for("stalled for 2 min").wait_for("○ no block for 2 min");
    sky.pass(&explorer, 31, 3);
    // 144 blocks were lacking; two a second are made up for.
    explorer.wait_for("● live").wait_for("catching up, done in ≈ 40 s");
    refuse(&explorer, &["stalled", "falling behind"]);
    sky.pass(&explorer, 41, 3);
    sky.pass(&explorer, 35, 1);
    refuse(&explorer, &["there in", "stalled", "falling behind"]);

    let height = sky.told().height;
    *sky.told() = Told { chain: "health-2", salt: 2, ..Told::at(height) };
    sky.pass(&explorer, 1, 1);
    explorer.wait_for("the server now serves").wait_for("measuring speed…");
    refuse(&explorer, &["catching up", "block/s over"]);
}
