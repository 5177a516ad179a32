//! The one registry of commands: whatever a key, the palette or a click can ask for is one row of the table below.
//!
//! A row gives the command's label (the word or two of footers), its help sentence and its keys by layer. Its name, for
//! `keymap.toml` and `:`, is the variant in kebab case. Keymap, footer, help, palette, the README's table and
//! `assets/keymap.toml` follow from the rows; what a command does, and where it can be done, is said by the pages.

/// One row of the registry.
#[derive(Clone, Copy, Debug)]
pub struct CommandEntry {
    /// What it is about: the rows of the README's table.
    pub topic: Topic,
    /// Which command.
    pub command: Command,
    /// The word or two that footers show; unique.
    pub label: &'static str,
    /// The sentence that help and palette show; unique.
    pub help: &'static str,
    /// The built-in keys: in which layer, and key sequences as keymap files write them, the one to show first. None: the
    /// palette alone runs it.
    pub keys: &'static [(Layer, &'static [&'static str])],
}

/// What commands are about, in the order in which a newcomer asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::Display, strum::EnumIter)]
#[strum(serialize_all = "title_case")]
pub enum Topic {
    /// The six tabs.
    Tabs,
    /// Cursor and screenfuls.
    Moving,
    /// To what is selected, to its neighbours, and back.
    Opening,
    /// Going to anything, narrowing a list.
    Finding,
    /// Within a transaction, and between two.
    Transactions,
    /// Collections and tokens.
    #[strum(serialize = "NFTs")]
    Nfts,
    /// From a quote to a transfer that was sent.
    Bridge,
    /// Those that are kept and watched.
    Transfers,
    /// What leaves the screen.
    #[strum(serialize = "Taking away")]
    TakingAway,
    /// How things are shown, and when they are asked for.
    Display,
    /// The program itself.
    Program,
}

/// Writes the enum of commands and their table from the same rows.
macro_rules! commands {
    ($($topic:ident { $($name:ident: $label:literal, $help:literal, [$($layer:ident $keys:tt),* $(,)?];)* })*) => {
        /// Everything a key, the palette or a click can ask for: the rows of [`COMMANDS`].
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

        /// Every command, in the order of [`Command`].
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
        TabBridge: "bridge", "Show the bridge tab", [Global ["6"]];
    }
    Moving {
        Down: "down", "Move down one row", [Motion ["j", "down"]];
        Up: "up", "Move up one row", [Motion ["k", "up"]];
        HalfDown: "½ down", "Move down half a screen", [Motion ["ctrl-d"]];
        HalfUp: "½ up", "Move up half a screen", [Motion ["ctrl-u"]];
        NextPage: "next page", "Move down a whole screen", [Motion ["n", "pgdn", "ctrl-f"]];
        PreviousPage: "previous page", "Move up a whole screen", [Motion ["p", "pgup", "ctrl-b"]];
        Top: "newest", "Go to the first row; in a live list that follows the newest", [Motion ["g g", "home"]];
        Bottom: "bottom", "Go to the last row that is loaded", [Motion ["G", "end"]];
        NextPane: "pane", "Move to the next pane", [Global ["tab"]];
        PreviousPane: "pane back", "Move to the pane before", [Global ["shift-tab"]];
    }
    Opening {
        Open: "open", "Open what the cursor is on; fold or unfold in JSON", [Motion ["enter"]];
        Back: "back", "Close what is open, or go back to where you came from", [Global ["esc", "backspace"]];
        HistoryBack: "history back", "Go back in history", [Global ["H", "alt-left"]];
        HistoryForward: "history forward", "Go forward in history", [Global ["L", "alt-right"]];
        PreviousSibling: "prev", "Open the previous (newer) block or transaction, the previous denom, route or transfer", [Page ["["], Bridge ["["]];
        NextSibling: "next", "Open the next (older) block or transaction, the next denom, route or transfer", [Page ["]"], Bridge ["]"]];
        NextTab: "tab →", "Next tab of the page; on the Bridge tab the next column", [Page ["l", "right"], Bridge ["right", "l"]];
        PreviousTab: "tab ←", "Previous tab of the page; on the Bridge tab the column before", [Page ["h", "left"], Bridge ["left", "h"]];
        RawJson: "JSON", "Show the raw JSON", [Page ["J"], Bridge ["J"]];
        OpenSigner: "sender", "Open the transactions of the selected transaction's signer", [List ["a"], Page ["a"]];
        OpenBlock: "block", "Open the block of the selected transaction", [List ["b"], Page ["b"]];
        NameAccount: "name account", "Give the account a name of your own, shown wherever it stands", [List ["c"], Page ["c"]];
        OwnedNfts: "owned NFTs", "Show the NFTs of the account, or of the token's owner", [List ["N"], Page ["N"]];
    }
    Finding {
        GoTo: "go to", "Go to anything: height, hash, address, denom, NFT, URL", [Global ["/"]];
        Filter: "filter", "Filter: message types in a list, text in events and JSON, the rich list's denom",
            [List ["f"], Page ["f"], Bridge ["f"]];
        SignerOnly: "signer only", "In an account's transactions: only those it signed", [List ["s"], Page ["s"]];
        FailedOnly: "failed only", "Show only failed transactions among the loaded ones", [List ["F"], Page ["F"]];
    }
    Transactions {
        NextMatch: "next match", "Go to the next line with what is looked for", [Match ["n"]];
        PreviousMatch: "match back", "Go to the line before with what is looked for", [Match ["N"]];
        NextWord: "next word", "In a story: go to the next word or amount; Enter shows its events", [Tx ["w"]];
        PreviousWord: "word back", "In a story: go to the word or amount before", [Tx ["W"]];
        ToggleFold: "fold", "Fold or unfold what the cursor's line belongs to", [Tx ["z a"]];
        FoldAll: "fold all", "In a transaction: fold everything", [Tx ["z M"]];
        UnfoldAll: "unfold all", "In a transaction: unfold everything", [Tx ["z R"]];
        Mark: "mark", "Mark this transaction, to compare another with it", [Tx ["m"]];
        Compare: "compare", "Compare this transaction with the marked one", [Tx ["D"]];
    }
    Nfts {
        Gallery: "gallery", "Show the tokens of a collection as a table or as cards", [Nft ["v"]];
        TokenOrder: "token order", "Order the tokens by id or by their last move, up or down", [Nft ["O"]];
        Metadata: "metadata", "Fetch the metadata and picture of a token, wherever they lie", [Nft ["m"]];
    }
    Bridge {
        SwapEnds: "swap ends", "Bridge: source and destination change places", [Bridge ["s"]];
        Slippage: "slippage", "Bridge: change the slippage", [Bridge ["%"]];
        Acknowledge: "acknowledge", "Bridge: acknowledge the warnings of a route", [Bridge ["a"]];
        SignInBrowser: "sign", "Bridge: sign with your own wallet in the browser, and send", [Bridge ["W"]];
        WebBridge: "web bridge", "Bridge: show a link, and a code of it, that opens a web bridge with the form of this route filled in", [Bridge ["Q"]];
        DemoSend: "demo send", "Bridge: sign and send with the demo wallet, where there is one", [Bridge ["S"]];
    }
    Transfers {
        Track: "track", "Bridge: track a transfer by its hash and chain", [Bridge ["t"]];
        NextStep: "next step", "Transfer: do what is suggested as the next step", [Bridge ["N"]];
        TrackAgain: "track again", "Transfer: ask the router to track it again", [Bridge ["R"]];
        Label: "name", "Transfer: give it a name", [Bridge ["c"]];
        Forget: "forget", "Transfer: keep it no longer", [Bridge ["D"]];
        TransferOrder: "transfer order", "Transfers: order them by state, time or arrival", [Bridge ["O"]];
    }
    TakingAway {
        Copy: "copy", "Copy the value, the record as JSON, or the curl command", [Global ["y"]];
        Export: "export", "Write what is loaded here into a file in the working directory, as JSON", [Global ["e"]];
        Browser: "browser", "Open in the network's web explorer", [Global ["o"]];
    }
    Display {
        Freeze: "freeze", "Freeze the screen, or follow again", [Global ["space"]];
        Refresh: "refresh", "Ask the server again, now", [Global ["r", "f5"]];
        FlipAddress: "address form", "Switch addresses between init1… and 0x…", [Global ["x"]];
        FlipTime: "time form", "Switch between ages and clock times", [Global ["T"]];
        ChooseColumns: "columns", "Choose the columns of the list, and their order", [Global ["C"]];
        Inspector: "inspector", "Show the last requests and their answers", [Global ["f12"]];
    }
    Program {
        Palette: "commands", "Find and run any command by name", [Global [":"]];
        Help: "help", "Show every key", [Global ["?", "f1"]];
        Suspend: "suspend", "Suspend to the shell; fg comes back", [Global ["ctrl-z"]];
        Quit: "quit", "Quit", [Global ["q"]];
        ForceQuit: "quit at once", "Quit, from anywhere", [Global ["ctrl-c"]];
    }
}

impl Command {
    /// The command's row.
    pub fn entry(self) -> &'static CommandEntry {
        // The rows and the variants are written by the same macro, in the same order.
        &COMMANDS[self as usize]
    }

    /// The word or two that footers show.
    pub fn label(self) -> &'static str {
        self.entry().label
    }

    /// The sentence that help and palette show.
    pub fn help(self) -> &'static str {
        self.entry().help
    }
}

/// A group of bindings that is in force on some screens.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display, strum::EnumString, strum::EnumIter,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Layer {
    /// Everywhere, unless an input has the focus.
    Global,
    /// In lists and documents: moving and opening.
    Motion,
    /// In lists of blocks and transactions.
    List,
    /// On the page of a block or transaction.
    Page,
    /// On transactions and lists of them, before the list's or page's own keys.
    Tx,
    /// In what is read while a text is looked for in it, before all others.
    Match,
    /// On collections and tokens, before the page's own keys.
    Nft,
    /// On the Bridge tab and its pages.
    Bridge,
}

impl Layer {
    /// Where it is in force, as the heading of its keys in help.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Global => "Everywhere",
            Self::Motion => "Moving",
            Self::List => "In lists",
            Self::Page => "On the page of a block, transaction, account or NFT, and on the rich list",
            Self::Tx => "On transactions and lists of them",
            Self::Match => "While a text is looked for in what is read",
            Self::Nft => "On collections and tokens",
            Self::Bridge => "On the Bridge tab and its pages",
        }
    }
}

/// The layers that a kind of screen puts in force together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumIter)]
pub enum KeyScope {
    /// Lists of blocks, of collections.
    List,
    /// Lists in which transactions stand.
    TxList,
    /// What is read or turned over: the rich list, a block beside its list.
    Page,
    /// Pages of or with transactions.
    TxPage,
    /// A collection, a token.
    NftPage,
    /// The Bridge tab and its pages.
    Bridge,
}

impl KeyScope {
    /// The layers, innermost first: a key means what the first of them says.
    pub const fn layers(self) -> &'static [Layer] {
        match self.layers_with_matches() {
            [_, layers @ ..] => layers,
            [] => &[],
        }
    }

    /// The same while a text is looked for in what is read.
    pub const fn layers_with_matches(self) -> &'static [Layer] {
        use Layer::{Bridge, Global, List, Match, Motion, Nft, Page, Tx};
        match self {
            Self::List => &[Match, List, Motion, Global],
            Self::TxList => &[Match, Tx, List, Motion, Global],
            Self::Page => &[Match, Page, Motion, Global],
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
