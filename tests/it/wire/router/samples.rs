//! The samples, and what each must be read as.

use crate::harness::more_records;
use std::{env, fs, path::Path};

use rollscope::wire::{
    Verbatim,
    router::{
        AssetsResponse, ChainsResponse, MsgsRequest, MsgsResponse, OpHook, OpHookRequest, Refusal, Route, RouteRequest,
        TrackRequest, TrackResponse, TransferStatus,
    },
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A request of the routing API and its answer.
pub(super) struct Sample {
    pub(super) name: String,
    all: Value,
}

/// Reads text as a wire type; as text, because that is how it comes.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// All samples that can be had.
pub(super) fn samples() -> Vec<Sample> {
    let mut all = Vec::new();
    gather(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/router"), &mut all);
    if let Some(shared) = more_records() {
        gather(&shared.join("wire/samples/router"), &mut all);
    }
    assert!(all.len() >= 40, "the fixtures are there");
    all
}

fn gather(folder: &Path, all: &mut Vec<Sample>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("its name is text").to_owned();
        if all.iter().all(|sample| sample.name != name) {
            let text = fs::read_to_string(&path).expect("a sample can be read");
            all.push(Sample { name, all: read(&text) });
        }
    }
}

impl Sample {
    pub(super) fn path(&self) -> &str {
        self.all["request"]["path"].as_str().expect("a sample has a path")
    }

    pub(super) fn status(&self) -> u64 {
        self.all["response"]["status"].as_u64().expect("a sample has a status")
    }

    pub(super) fn answer(&self) -> &Value {
        &self.all["response"]["body"]
    }

    /// Reads request and answer as their types, and makes sure that what was read is what was written.
    pub(super) fn check(&self) {
        let (sent, got) = (self.all["request"]["body"].to_string(), self.answer().to_string());
        if self.status() != 200 {
            let refusal = Refusal::read(got.as_bytes()).unwrap_or_else(|| panic!("{}: {got}", self.name));
            assert!(!refusal.sentence.is_empty(), "{}: {got}", self.name);
            return;
        }
        match self.path() {
            "/v2/fungible/route" => {
                self.same::<RouteRequest>(&sent);
                self.verbatim::<Route>(&got);
            }
            "/v2/fungible/msgs" => {
                self.same::<MsgsRequest>(&sent);
                self.verbatim::<MsgsResponse>(&got);
            }
            "/op-hook" => {
                self.same::<OpHookRequest>(&sent);
                self.verbatim::<OpHook>(&got);
            }
            "/v2/tx/track" => {
                self.same::<TrackRequest>(&sent);
                read::<TrackResponse>(&got);
            }
            "/v2/tx/status" => {
                read::<TrackRequest>(&self.all["request"]["query"].to_string());
                self.verbatim::<TransferStatus>(&got);
            }
            "/v2/info/chains" => assert!(!read::<ChainsResponse>(&got).chains.is_empty(), "{}", self.name),
            "/v2/fungible/assets" => {
                assert!(!read::<AssetsResponse>(&got).chain_to_assets_map.is_empty(), "{}", self.name);
            }
            // What this client never asks for.
            "/v2/info/balances"
            | "/v2/info/bridges"
            | "/v2/fungible/venues"
            | "/v2/fungible/recommend_assets"
            | "/v2/tx/submit" => {}
            other => panic!("no type for {other}"),
        }
    }

    /// A request says again every field that it was read from, but those that this client never sends.
    fn same<T: DeserializeOwned + Serialize>(&self, text: &str) {
        let written = serde_json::to_value(read::<T>(text)).expect("what was read can be written");
        let before: Value = read(text);
        for (name, value) in written.as_object().expect("a request is an object") {
            if *value != Value::Null && before.get(name).is_some() {
                assert_eq!(value, &before[name], "{}: {name}", self.name);
            }
        }
    }

    /// An answer keeps its JSON, and is read again as the same from what is written of it.
    fn verbatim<T: DeserializeOwned + Serialize>(&self, text: &str) {
        let read_once: Verbatim<T> = read(text);
        assert_eq!(read_once.raw.get(), text, "{}", self.name);
        let written = serde_json::to_string(&read_once.value).expect("what was read can be written");
        let again = serde_json::to_string(&read::<T>(&written)).expect("what was read can be written");
        assert_eq!(written, again, "{}", self.name);
    }
}
