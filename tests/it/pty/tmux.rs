//! Copies inside tmux, whatever it does with the clipboard sequences of programs.

use std::process::{Command, Output};

use rstest::rstest;
use tempfile::TempDir;

use crate::{
    explorer::scripted::{Server, chain},
    harness::{Requirement, wait_until},
};

/// A tmux server of its own, ended when dropped.
struct Tmux {
    folder: TempDir,
}

impl Tmux {
    fn start(settings: &str, command: &str) -> Option<Self> {
        let found = Command::new("tmux").arg("-V").output().ok().filter(|output| output.status.success());
        Requirement::Tmux.or_skip(found)?;
        let tmux = Self { folder: tempfile::tempdir().expect("a folder") };
        std::fs::write(tmux.folder.path().join("conf"), settings).expect("settings can be written");
        tmux.run(&["new-session", "-d", "-x", "110", "-y", "24", command]);
        Some(tmux)
    }

    fn run(&self, arguments: &[&str]) -> String {
        let folder = self.folder.path();
        let (socket, conf) = (folder.join("socket"), folder.join("conf"));
        let mut command = Command::new("tmux");
        command
            .arg("-S")
            .arg(socket)
            .arg("-f")
            .arg(conf)
            .args(arguments)
            .env_remove("TMUX")
            .env("TERM", "xterm-256color");
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
            command.env(name, folder);
        }
        let Output { stdout, .. } = command.output().expect("tmux can be started");
        String::from_utf8_lossy(&stdout).into_owned()
    }

    fn screen(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }

    fn wait_for(&self, text: &str) {
        wait_until(&format!("“{text}” in tmux"), || self.screen().contains(text));
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[rstest]
fn a_copy_arrives_in_tmux(#[values("external", "on", "off")] set_clipboard: &str) {
    let server = Server::new(|seen, _| chain(seen, 40));
    let command = format!("{} --indexer {}", env!("CARGO_BIN_EXE_rollscope"), server.url());
    let settings = format!("set -g status off\nset -s set-clipboard {set_clipboard}\n");
    let Some(tmux) = Tmux::start(&settings, &command) else { return };
    tmux.wait_for("[1 Overview]");
    tmux.run(&["send-keys", "2"]);
    tmux.wait_for("[2 Blocks]");
    tmux.wait_for(" 40 ");
    tmux.run(&["send-keys", "Y"]);
    tmux.wait_for("✓ copied ");
    tmux.wait_for(" to tmux");
    assert!(!tmux.run(&["show-buffer"]).trim().is_empty(), "tmux has the text");
}
