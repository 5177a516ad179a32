//! Registry of commands. Each row of the table below is one command that a key, the palette or a click can run.
//!
//! A row holds the command's footer label, its help sentence and its keys by layer. The command's name in `keymap.toml`
//! and after `:` is the variant in kebab case. The rows generate keymap, footer, help, palette, the tables of keys in
//! `README.md` and `docs/explorer.md`, and `assets/keymap.toml`. The pages decide what a command does and when it is
//! available.

#[derive(Clone, Copy, Debug)]
pub struct CommandEntry {
    /// Group of the command in the documents' table.
    pub topic: Topic,
    pub command: Command,
    /// Label of one or two words for footers; unique.
    pub label: &'static str,
    /// Sentence for help and palette; unique.
    pub help: &'static str,
    /// Built-in key sequences by layer, as keymap files write them; footers show the first. Without keys, only the
    /// palette offers the command.
    pub keys: &'static [(Layer, &'static [&'static str])],
}

/// Group of commands; groups have the order in which a newcomer needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::Display, strum::EnumIter)]
#[strum(serialize_all = "title_case")]
pub enum Topic {
    Tabs,
    Moving,
    Opening,
    Finding,
    Transactions,
    #[strum(serialize = "NFTs")]
    Nfts,
    /// Quoting and sending a transfer.
    Bridge,
    /// Following and managing stored transfers.
    Transfers,
    /// Copying, exporting, opening in a browser.
    #[strum(serialize = "Copy and export")]
    TakingAway,
    Display,
    Program,
}

/// Defines [`Command`] and [`COMMANDS`] from one list of rows.
macro_rules! commands {
    ($($topic:ident { $($name:ident: $label:literal, $help:literal, [$($layer:ident $keys:tt),* $(,)?];)* })*) => {
        /// Command that a key, the palette or a click runs; one variant per row of [`COMMANDS`].
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display, strum::EnumString, strum::EnumIter,
        )]
        #[strum(serialize_all = "kebab-case")]
        pub enum Command {
            $($(
                #[doc = $help]
                $name,
            )*)*
        }

        /// All commands, in the order of [`Command`].
        pub static COMMANDS: &[CommandEntry] = &[
            $($(CommandEntry {
                topic: Topic::$topic,
                command: Command::$name,
                label: $label,
                help: $help,
                keys: &[$((Layer::$layer, &$keys)),*],
            },)*)*
        ];
    };
}

commands! {
    Tabs {
        TabOverview: "overview", "Show the overview of the chain and its index", [Global ["1"]];
        TabBlocks: "blocks", "Show the blocks", [Global ["2"]];
        TabTxs: "txs", "Show the transactions", [Global ["3"]];
        TabNfts: "NFTs", "Show the NFTs tab", [Global ["4"]];
        TabRichList: "rich list", "Show the rich list tab", [Global ["5"]];
        TabBridge: "bridge", "Show the bridge's quote", [Global ["6"]];
        TabTransfers: "transfers", "Show the bridge's transfers", [Global ["7"]];
    }
    Moving {
        Down: "down", "Move down one row", [Motion ["j", "down", "ctrl-n"]];
        Up: "up", "Move up one row", [Motion ["k", "up", "ctrl-p"]];
        HalfDown: "½ down", "Move down half a screen", [Motion ["ctrl-d"]];
        HalfUp: "½ up", "Move up half a screen", [Motion ["ctrl-u"]];
        NextPage: "next page", "Move down one screen", [Motion ["n", "pgdn", "ctrl-f"]];
        PreviousPage: "previous page", "Move up one screen", [Motion ["p", "pgup", "ctrl-b"]];
        Top: "newest", "Go to the first row; a live list then follows new rows", [Motion ["g g", "home"]];
        Bottom: "bottom", "Go to the last loaded row", [Motion ["G", "end"]];
        Middle: "middle", "Go to the middle row of the screen", [Motion ["M"]];
        PreviousGroup: "group ↑", "In a document: go to the group above", [Motion ["{"]];
        NextGroup: "group ↓", "In a document: go to the group below", [Motion ["}"]];
        FirstColumn: "first column", "Show the first columns of a list again", [Motion ["0"]];
        LastColumn: "last column", "Show the last columns of a list that hides some", [Motion ["$"]];
        NextPane: "pane", "Move to the next pane", [Global ["tab"]];
        PreviousPane: "previous pane", "Move to the previous pane", [Global ["shift-tab"]];
    }
    Opening {
        Open: "open", "Open the selected row; in JSON fold or unfold", [Motion ["enter"]];
        Back: "back", "Close the dialog or go back one page", [Global ["esc", "backspace"]];
        HistoryBack: "history back", "Go back in history", [Global ["H", "ctrl-o", "alt-left"]];
        HistoryForward: "history forward", "Go forward in history", [Global ["L", "alt-right"]];
        PreviousSibling: "prev", "Open the previous block, transaction, denom or transfer", [Page ["["], Bridge ["["]];
        NextSibling: "next", "Open the next block, transaction, denom or transfer", [Page ["]"], Bridge ["]"]];
        NextTab: "tab →", "Show the next tab or Bridge column", [Page ["l", "right"], Bridge ["right", "l"]];
        PreviousTab: "tab ←", "Show the previous tab or Bridge column", [Page ["h", "left"], Bridge ["left", "h"]];
        RawJson: "JSON", "Show the raw JSON", [Page ["J"], Bridge ["J"]];
        OpenSigner: "sender", "Show the transactions of the selected signer", [List ["a"], Page ["a"]];
        OpenBlock: "block", "Open the block of the selected transaction", [List ["b"], Page ["b"]];
        NameAccount: "your name", "Label an account, denom or transaction with your own name", [List ["c"], Page ["c"]];
        Note: "note", "Write a note on an account, denom or transaction", [];
        Bookmark: "bookmark", "Bookmark this page, or drop its bookmark", [];
        View: "view", "Open a saved view of a list, or save one: view save NAME", [];
        OwnedNfts: "owned NFTs", "Show the NFTs of the account or of the token's owner", [List ["N"], Page ["N"]];
    }
    Finding {
        GoTo: "go to", "Go to a height, hash, address, denom, NFT or URL", [Global ["/"]];
        Filter: "filter", "Filter a list by type, a tab by text",
            [List ["f"], Page ["f"], Bridge ["f"]];
        SignerOnly: "signer only", "In an account: show only signed transactions", [List ["s"], Page ["s"]];
        FailedOnly: "failed only", "Show only transactions with a failure, also of a packet or hook", [List ["F"], Page ["F"]];
    }
    Transactions {
        NextMatch: "next match", "Go to the next match", [Match ["n"]];
        PreviousMatch: "previous match", "Go to the previous match", [Match ["N"]];
        NextWord: "next word", "In a story: go to the next word or amount; Enter shows its events", [Tx ["w"]];
        PreviousWord: "previous word", "In a story: go to the previous word or amount", [Tx ["B"]];
        ToggleFold: "fold", "Fold or unfold the block under the cursor", [Tx ["z a"]];
        FoldAll: "fold all", "In a transaction: fold everything", [Tx ["z M"]];
        UnfoldAll: "unfold all", "In a transaction: unfold everything", [Tx ["z R"]];
        Mark: "mark", "Mark a transaction or a rich list for a comparison", [Tx ["m"]];
        Compare: "compare", "Compare this transaction with the marked transaction", [Tx ["="]];
    }
    Nfts {
        Gallery: "gallery", "Show the tokens of a collection as a table or as cards", [Nft ["v"]];
        TokenOrder: "token order", "Sort the tokens by id or last move, up or down", [Nft ["O"]];
        Metadata: "metadata", "Fetch a token's metadata and picture", [Nft ["m"]];
    }
    Bridge {
        SwapEnds: "swap ends", "Bridge: swap source and destination", [Bridge ["s"]];
        Slippage: "slippage", "Bridge: change the slippage", [Bridge ["%"]];
        Acknowledge: "acknowledge", "Bridge: acknowledge the warnings of a route", [Bridge ["a"]];
        ConnectWallet: "connect", "Bridge: connect your browser wallet, which gives the addresses", [Bridge ["w"]];
        SignInBrowser: "sign", "Bridge: sign with your browser wallet and send", [Bridge ["W"]];
        WebBridge: "web bridge", "Bridge: show a web bridge link and QR code for this route", [Bridge ["Q"]];
        DemoSend: "demo send", "Bridge: sign and send with the demo wallet", [Bridge ["S"]];
    }
    Transfers {
        Track: "track", "Bridge: track a transfer by hash and chain", [Bridge ["t"]];
        NextStep: "next step", "Transfer: do the suggested next step", [Bridge [">"]];
        TrackAgain: "track again", "Ask the router to track this transfer again", [Bridge ["R"]];
        Label: "name", "Name this transfer", [Bridge ["c"]];
        Forget: "forget", "Forget this transfer", [Bridge ["D"]];
        TransferOrder: "transfer order", "Transfers: sort by state, time or arrival", [Bridge ["O"]];
    }
    TakingAway {
        Copy: "copy", "Copy the value, the JSON or the curl command", [Global ["y"]];
        CopyFirst: "copy first", "Copy the first entry of the copy menu at once", [Global ["Y"]];
        Export: "export", "Write rows to a file: JSON, JSON lines or CSV", [Global ["e"]];
        Browser: "browser", "Open in the network's web explorer", [Global ["o"]];
    }
    Display {
        Freeze: "freeze", "Freeze or resume updates", [Global ["space"]];
        Refresh: "refresh", "Refresh now", [Global ["r", "f5", "ctrl-r", "ctrl-l"]];
        FlipAddress: "address format", "Switch addresses between init1… and 0x…", [Global ["x"]];
        FlipTime: "time format", "Switch between ages, local time and UTC", [Global ["T"]];
        ChooseColumns: "columns", "Choose and order the columns of the list", [Global ["C"]];
        SortRows: "sort", "Sort the loaded rows by a column: down, up, then as the server does", [Global ["A"]];
        Inspector: "inspector", "Show the last requests and responses", [Global ["f12"]];
    }
    Program {
        Palette: "commands", "Find and run a command", [Global [":"]];
        Use: "use network", "Show another network: its name, or a URL of an indexer or a node", [];
        Fault: "fault", "Start or end a simulated fault of the embedded rollup", [Global ["f8"]];
        Help: "help", "Show the keys of this page", [Global ["?", "f1"]];
        Suspend: "suspend", "Suspend to the shell; fg resumes", [Global ["ctrl-z"]];
        Quit: "quit", "Quit", [Global ["q"]];
        ForceQuit: "quit at once", "Quit from anywhere", [Global ["ctrl-c"]];
    }
}

impl Command {
    #[expect(clippy::indexing_slicing, reason = "one macro writes rows and variants, in one order")]
    pub fn entry(self) -> &'static CommandEntry {
        // The macro writes rows and variants in one order.
        &COMMANDS[self as usize]
    }

    pub fn label(self) -> &'static str {
        self.entry().label
    }

    pub fn help(self) -> &'static str {
        self.entry().help
    }
}

/// Group of key bindings, active on some screens.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display, strum::EnumString, strum::EnumIter,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Layer {
    /// All screens, unless an input has the focus.
    Global,
    /// Navigation in lists and documents.
    Motion,
    /// Lists of blocks and transactions.
    List,
    Page,
    /// Transactions and lists of transactions; overrides keys of lists and pages.
    Tx,
    /// Searchable text during a search; overrides all other layers.
    Match,
    /// Collections and tokens; overrides keys of pages.
    Nft,
    Bridge,
}

impl Layer {
    /// Returns the heading of the layer's keys in help.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Global => "Everywhere",
            Self::Motion => "Moving",
            Self::List => "In lists",
            Self::Page => "On blocks, transactions, accounts, NFTs and the rich list",
            Self::Tx => "On transactions and their lists",
            Self::Match => "During a search",
            Self::Nft => "On collections and tokens",
            Self::Bridge => "On the Bridge tab and its pages",
        }
    }
}

/// Kind of screen; determines the active layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumIter)]
pub enum KeyScope {
    /// Lists of blocks or collections.
    List,
    TxList,
    /// Pages and their documents, also a list of transactions or holders.
    TxPage,
    NftPage,
    Bridge,
}

impl KeyScope {
    /// Returns the layers, innermost first; the first layer that binds a key wins.
    pub const fn layers(self) -> &'static [Layer] {
        match self.layers_with_matches() {
            [_, layers @ ..] => layers,
            [] => &[],
        }
    }

    /// Returns [`Self::layers`] after [`Layer::Match`], for a page with an active search.
    pub const fn layers_with_matches(self) -> &'static [Layer] {
        use Layer::{Bridge, Global, List, Match, Motion, Nft, Page, Tx};
        match self {
            Self::List => &[Match, List, Motion, Global],
            Self::TxList => &[Match, Tx, List, Motion, Global],
            Self::TxPage => &[Match, Tx, Page, Motion, Global],
            Self::NftPage => &[Match, Nft, Page, Motion, Global],
            Self::Bridge => &[Match, Bridge, Motion, Global],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn every_command_has_a_row_of_its_own_with_words_of_its_own() {
        let mut texts = BTreeSet::new();
        for (entry, command) in COMMANDS.iter().zip(Command::iter()) {
            assert_eq!(entry.command, command);
            assert!(entry.label.chars().count() <= 16, "{command}: {}", entry.label);
            assert!(entry.help.starts_with(char::is_uppercase) && !entry.help.ends_with('.'), "{command}");
            for text in [command.to_string(), entry.help.to_owned()] {
                assert!(texts.insert(text.clone()), "two commands say {text}");
            }
        }
        let labels: BTreeSet<&str> = COMMANDS.iter().map(|entry| entry.label).collect();
        assert_eq!(labels.len(), COMMANDS.len(), "labels are unique too");
        assert_eq!(COMMANDS.len(), Command::iter().count());
    }

    #[test]
    fn every_layer_is_in_force_somewhere() {
        for layer in Layer::iter() {
            assert!(KeyScope::iter().any(|scope| scope.layers_with_matches().contains(&layer)), "{layer}");
        }
    }
}
