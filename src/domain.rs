//! Values of the field: heights, hashes, addresses, denoms, amounts, times. No I/O and no wire formats.
//!
//! The border parses text into these types once; all other code sees only valid values.

mod address;
mod amount;
mod anchor;
mod balance;
mod broadcast_hash;
mod chain_address;
mod chain_id;
mod contract_code;
mod contract_role;
mod denom;
mod export;
mod forms;
mod gas_price;
mod hash;
mod height;
mod kept_view;
mod local_packet;
mod masking;
mod message_type;
pub(crate) mod move_address;
mod natural;
mod numbered_transfer;
mod personal;
mod public_key;
mod qr;
mod row_sort_key;
pub mod searching;
pub mod secret;
mod short_forms;
mod slippage;
mod steady_clock;
mod target;
pub mod text;
mod time;
mod timed_text;
mod transfer;
mod transfer_list;
mod tx_view;
mod vm;
mod web_bridge;
mod zone;

pub use address::{Address, AddressError, both_forms, same_account};
pub use amount::{Amount, AmountError, Coin, CoinError, DisplayAmountError, parse_coins};
pub use anchor::{Anchor, Anchors, ChainSighting, Kinship};
pub use balance::Balance;
pub use broadcast_hash::{BroadcastHash, BroadcastHashError};
pub use chain_address::{AddressRule, ChainAddress, ChainAddressError};
pub use chain_id::ChainId;
pub use contract_code::{AcceptedContract, CodeAdmin, CodeChange, ContractCode, ProxyImplementation};
pub use contract_role::ContractRole;
pub use denom::Denom;
pub use export::{DenomName, RowsFile, RowsFilter, RowsFormat, WrittenRows, file_name_of, rows_text};
pub use forms::{AddressForm, TimeForm, age, age_at, seconds};
pub use gas_price::{DecimalError, ExactDecimal, FeeDenom, GasPrice};
pub use hash::{BlockHash, EvmTxHash, HashError, TxHash};
pub use height::{Height, HeightError};
pub use kept_view::KeptView;
pub use local_packet::{LocalPacket, PacketSide};
pub use masking::mask_addresses;
pub use message_type::MsgType;
pub use natural::natural;
pub use numbered_transfer::NumberedTransfer;
pub use personal::{PersonalEntry, PersonalKind, PersonalSubject};
pub use public_key::PublicKey;
pub use qr::QrMatrix;
pub use row_sort_key::RowSortKey;
pub use short_forms::{AddressStyle, ShortForms, short_address};
pub use slippage::{Slippage, SlippageError};
pub use steady_clock::{ClockShift, SteadyClock};
pub use target::{
    PastedItem, RECENTS, Reading, Several, Target, TargetError, TargetKind, classify, interpret, several,
};
pub use time::{Timestamp, TimestampError};
pub use timed_text::TimedText;
pub use transfer::{
    AccountAt, FormerPlace, SignerMove, SimulatedOutcome, SourceTx, Tracking, TransferChange, TransferId,
    TransferRecord, TxTerms,
};
pub use transfer_list::{ListedTransfer, first_listed_transfers, listed_transfers};
pub use tx_view::{TxView, TxViewError};
pub use vm::Vm;
pub use web_bridge::web_bridge_link;
pub use zone::LocalZone;
