use strum::EnumMessage as _;

/// Everything a key, the palette or a click can ask for.
///
/// The name is what keymap files and `:` use, in kebab case; the message is the description shown in help and palette.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    strum::Display,
    strum::EnumString,
    strum::EnumIter,
    strum::EnumMessage,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Command {
    /// Tab 1.
    #[strum(message = "overview", detailed_message = "Show the overview of the chain and its index")]
    TabOverview,
    /// Tab 2.
    #[strum(message = "blocks", detailed_message = "Show the blocks")]
    TabBlocks,
    /// Tab 3.
    #[strum(message = "txs", detailed_message = "Show the transactions")]
    TabTxs,
    /// Tab 4.
    #[strum(message = "NFTs", detailed_message = "Show the NFTs tab")]
    TabNfts,
    /// Tab 5.
    #[strum(message = "rich list", detailed_message = "Show the rich list tab")]
    TabRichList,
    /// Tab 6.
    #[strum(message = "bridge", detailed_message = "Show the bridge tab")]
    TabBridge,
    /// One row down.
    #[strum(message = "down", detailed_message = "Move down one row")]
    Down,
    /// One row up.
    #[strum(message = "up", detailed_message = "Move up one row")]
    Up,
    /// Half a screen down.
    #[strum(message = "½ down", detailed_message = "Move down half a screen")]
    HalfDown,
    /// Half a screen up.
    #[strum(message = "½ up", detailed_message = "Move up half a screen")]
    HalfUp,
    /// A screen down.
    #[strum(message = "next page", detailed_message = "Move down a whole screen")]
    NextPage,
    /// A screen up.
    #[strum(message = "previous page", detailed_message = "Move up a whole screen")]
    PreviousPage,
    /// To the newest row, which follows.
    #[strum(message = "newest", detailed_message = "Go to the first row; in a live list that follows the newest")]
    Top,
    /// To the last loaded row.
    #[strum(message = "bottom", detailed_message = "Go to the last row that is loaded")]
    Bottom,
    /// Open what the cursor is on.
    #[strum(message = "open", detailed_message = "Open what the cursor is on; fold or unfold in JSON")]
    Open,
    /// Back to where one came from.
    #[strum(message = "back", detailed_message = "Close what is open, or go back to where you came from")]
    Back,
    /// Back in history.
    #[strum(message = "history back", detailed_message = "Go back in history")]
    HistoryBack,
    /// Forward in history.
    #[strum(message = "history forward", detailed_message = "Go forward in history")]
    HistoryForward,
    /// The sibling before (newer).
    #[strum(message = "prev", detailed_message = "Open the previous (newer) block or transaction, the previous denom")]
    PreviousSibling,
    /// The sibling after (older).
    #[strum(message = "next", detailed_message = "Open the next (older) block or transaction, the next denom")]
    NextSibling,
    /// The next pane.
    #[strum(message = "pane", detailed_message = "Move to the next pane")]
    NextPane,
    /// The next tab of a page.
    #[strum(message = "tab →", detailed_message = "Next tab of the page")]
    NextTab,
    /// The previous tab of a page.
    #[strum(message = "tab ←", detailed_message = "Previous tab of the page")]
    PreviousTab,
    /// Raw JSON.
    #[strum(message = "JSON", detailed_message = "Show the raw JSON")]
    RawJson,
    /// Go to anything.
    #[strum(message = "go to", detailed_message = "Go to anything: height, hash, address, denom, NFT, URL")]
    GoTo,
    /// Filter the list or tab one is in.
    #[strum(
        message = "filter",
        detailed_message = "Filter: message types in a list, text in events and JSON, the rich list's denom"
    )]
    Filter,
    /// Only what the account signed.
    #[strum(message = "signer only", detailed_message = "In an account's transactions: only those it signed")]
    SignerOnly,
    /// Only failed ones.
    #[strum(message = "failed only", detailed_message = "Show only failed transactions among the loaded ones")]
    FailedOnly,
    /// Who sent it.
    #[strum(message = "sender", detailed_message = "Open the transactions of the selected transaction's signer")]
    OpenSigner,
    /// The block of it.
    #[strum(message = "block", detailed_message = "Open the block of the selected transaction")]
    OpenBlock,
    /// Table or gallery.
    #[strum(message = "gallery", detailed_message = "Show the tokens of a collection as a table or as cards")]
    Gallery,
    /// The next order of tokens.
    #[strum(message = "order", detailed_message = "Order the tokens by id or by their last move, up or down")]
    TokenOrder,
    /// Metadata and picture.
    #[strum(message = "metadata", detailed_message = "Fetch the metadata and picture of a token, wherever they lie")]
    Metadata,
    /// What an account owns.
    #[strum(message = "NFTs", detailed_message = "Show the NFTs of the account, or of the token's owner")]
    OwnedNfts,
    /// Source and destination change places.
    #[strum(message = "swap ends", detailed_message = "Bridge: source and destination change places")]
    SwapEnds,
    /// Warnings are acknowledged.
    #[strum(message = "acknowledge", detailed_message = "Bridge: acknowledge the warnings of a route")]
    Acknowledge,
    /// The slippage.
    #[strum(message = "slippage", detailed_message = "Bridge: change the slippage")]
    Slippage,
    /// The demo wallet.
    #[strum(message = "demo send", detailed_message = "Bridge: sign and send with the demo wallet, where there is one")]
    DemoSend,
    /// A hash to track.
    #[strum(message = "track", detailed_message = "Bridge: track a transfer by its hash and chain")]
    Track,
    /// Registers again.
    #[strum(message = "track again", detailed_message = "Transfer: ask the router to track it again")]
    TrackAgain,
    /// The suggested next step.
    #[strum(message = "next step", detailed_message = "Transfer: do what is suggested as the next step")]
    NextStep,
    /// A name for a transfer.
    #[strum(message = "name", detailed_message = "Transfer: give it a name")]
    Label,
    /// Kept no longer.
    #[strum(message = "forget", detailed_message = "Transfer: keep it no longer")]
    Forget,
    /// The next order of the board.
    #[strum(message = "order", detailed_message = "Transfers: order them by state, time or arrival")]
    TransferOrder,
    /// The copy menu.
    #[strum(message = "copy", detailed_message = "Copy the value, the record as JSON, or the curl command")]
    Copy,
    /// Write what is shown into a file.
    #[strum(
        message = "export",
        detailed_message = "Write what is loaded here into a file in the working directory, as JSON"
    )]
    Export,
    /// Open in the web explorer.
    #[strum(message = "browser", detailed_message = "Open in the network's web explorer")]
    Browser,
    /// Freeze or follow.
    #[strum(message = "freeze", detailed_message = "Freeze the screen, or follow again")]
    Freeze,
    /// Ask again.
    #[strum(message = "refresh", detailed_message = "Ask the server again, now")]
    Refresh,
    /// The other address form.
    #[strum(message = "address form", detailed_message = "Switch addresses between init1… and 0x…")]
    FlipAddress,
    /// Ages or clock times.
    #[strum(message = "time form", detailed_message = "Switch between ages and clock times")]
    FlipTime,
    /// The command palette.
    #[strum(message = "commands", detailed_message = "Find and run any action by name")]
    Palette,
    /// Help.
    #[strum(message = "help", detailed_message = "Show every key")]
    Help,
    /// The request inspector.
    #[strum(message = "inspector", detailed_message = "Show the last requests and their answers")]
    Inspector,
    /// The next word that has events or leads somewhere.
    #[strum(
        message = "next word",
        detailed_message = "In a story: go to the next word or amount; Enter shows its events"
    )]
    NextWord,
    /// The one before.
    #[strum(message = "word back", detailed_message = "In a story: go to the word or amount before")]
    PreviousWord,
    /// Fold or unfold at the cursor.
    #[strum(message = "fold", detailed_message = "Fold or unfold what the cursor's line belongs to")]
    ToggleFold,
    /// Fold everything.
    #[strum(message = "fold all", detailed_message = "In a transaction: fold everything")]
    FoldAll,
    /// Unfold everything.
    #[strum(message = "unfold all", detailed_message = "In a transaction: unfold everything")]
    UnfoldAll,
    /// Mark this transaction to compare another with it.
    #[strum(message = "mark", detailed_message = "Mark this transaction, to compare another with it")]
    Mark,
    /// Compare with the marked one.
    #[strum(message = "compare", detailed_message = "Compare this transaction with the marked one")]
    Compare,
    /// Stop the program like any other at Ctrl-Z.
    #[strum(message = "suspend", detailed_message = "Suspend to the shell; fg comes back")]
    Suspend,
    /// Quit.
    #[strum(message = "quit", detailed_message = "Quit")]
    Quit,
    /// Quit from anywhere.
    #[strum(message = "quit", detailed_message = "Quit, from anywhere")]
    ForceQuit,
}

/// Where a binding is in force. A key looks in the innermost layer first, then in the global one.
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
    /// On the Bridge tab and its pages.
    Bridge,
}

impl Command {
    /// The word or two that the footer shows.
    pub fn label(self) -> &'static str {
        self.get_message().unwrap_or_default()
    }

    /// The sentence that help and palette show.
    pub fn description(self) -> &'static str {
        self.get_detailed_message().unwrap_or_default()
    }
}
