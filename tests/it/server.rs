//! The index and its HTTP server, over a hand-made chain and real connections.

mod alone;
mod art;
mod chain;
mod client;
mod contracts;
mod errors;
mod evm;
mod external;
mod faults;
mod filling;
mod guard;
mod lists;
mod memory;
mod move_nfts;
mod nft;
mod node;
mod parity;
mod played;
mod posted;
mod quirks;
mod rich_list;
mod running;
mod state;
mod swagger;
mod taking;
mod walks;
