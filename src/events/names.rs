//! Event types and log topics as chains write them: the only place with their literals.

// Bank module.
pub const TRANSFER: &str = "transfer";
pub const BURN: &str = "burn";
pub const COIN_RECEIVED: &str = "coin_received";
pub const COIN_SPENT: &str = "coin_spent";
pub const COINBASE: &str = "coinbase";

// Transactions.
pub const TX: &str = "tx";
pub const MESSAGE: &str = "message";
pub const GAS_REFUND: &str = "gas_refund";
/// Cosmos message of a contract.
pub const SUBMSG: &str = "submsg";

// Virtual machines.
pub const EVM: &str = "evm";
pub const CALL: &str = "call";
pub const CREATE: &str = "create";
pub const MOVE: &str = "move";
pub const SCRIPT: &str = "script";
pub const WASM: &str = "wasm";
/// Call of a Move function or a Wasm contract.
pub const EXECUTE: &str = "execute";
pub const INSTANTIATE: &str = "instantiate";
pub const MIGRATE: &str = "migrate";
pub const SUDO: &str = "sudo";

// Staking.
pub const DELEGATE: &str = "delegate";
pub const UNBOND: &str = "unbond";
pub const REDELEGATE: &str = "redelegate";

// IBC.
pub const SEND_PACKET: &str = "send_packet";
pub const RECV_PACKET: &str = "recv_packet";
pub const WRITE_ACKNOWLEDGEMENT: &str = "write_acknowledgement";
pub const ACKNOWLEDGE_PACKET: &str = "acknowledge_packet";
/// Refund by the transfer module.
pub const TIMEOUT: &str = "timeout";
pub const TIMEOUT_PACKET: &str = "timeout_packet";
pub const FUNGIBLE_TOKEN_PACKET: &str = "fungible_token_packet";
pub const NON_FUNGIBLE_TOKEN_PACKET: &str = "non_fungible_token_packet";
pub const INCENTIVIZED_IBC_PACKET: &str = "incentivized_ibc_packet";
pub const IBC_PACKET_RECEIVED: &str = "ibc_packet_received";
pub const ICS27_PACKET: &str = "ics27_packet";
/// Prefix of the events of a packet's application whose effects were reverted.
pub const IBC_CALLBACK_ERROR: &str = "ibccallbackerror-";
pub const IBC_TRANSFER: &str = "ibc_transfer";
pub const CREATE_CLIENT: &str = "create_client";
pub const UPDATE_CLIENT: &str = "update_client";
pub const CHANNEL_OPEN_INIT: &str = "channel_open_init";

// OPinit.
pub const HOOK_FAILED: &str = "hook_failed";
pub const FINALIZE_TOKEN_DEPOSIT: &str = "finalize_token_deposit";
pub const INITIATE_TOKEN_WITHDRAWAL: &str = "initiate_token_withdrawal";
pub const INITIATE_TOKEN_DEPOSIT: &str = "initiate_token_deposit";
pub const FINALIZE_TOKEN_WITHDRAWAL: &str = "finalize_token_withdrawal";
pub const HANDLE_MIGRATED_TOKEN_DEPOSIT: &str = "handle_migrated_token_deposit";
pub const MIGRATE_TOKEN: &str = "migrate_token";
pub const SET_BRIDGE_INFO: &str = "set_bridge_info";
pub const UPDATE_ORACLE: &str = "update_oracle";
pub const ORACLE_DATA_RELAY: &str = "oracle_data_relay";
pub const PROPOSE_OUTPUT: &str = "propose_output";
pub const DELETE_OUTPUT: &str = "delete_output";
pub const RECORD_BATCH: &str = "record_batch";
pub const CREATE_BRIDGE: &str = "create_bridge";

// EVM module.
pub const CONTRACT_CREATED: &str = "contract_created";
pub const ERC20_CREATED: &str = "erc20_created";
pub const ERC721_CREATED: &str = "erc721_created";
pub const ERC721_MINTED: &str = "erc721_minted";

// Cosmos SDK.
pub const SET_FEEGRANT: &str = "set_feegrant";
pub const REVOKE_FEEGRANT: &str = "revoke_feegrant";
pub const USE_FEEGRANT: &str = "use_feegrant";
pub const PRUNE_FEEGRANT: &str = "prune_feegrant";
pub const PROPOSAL_VOTE: &str = "proposal_vote";
pub const WITHDRAW_REWARDS: &str = "withdraw_rewards";

// Wasm module.
pub const STORE_CODE: &str = "store_code";
pub const PIN_CODE: &str = "pin_code";
pub const UNPIN_CODE: &str = "unpin_code";
pub const UPDATE_CONTRACT_ADMIN: &str = "update_contract_admin";
pub const UPDATE_CONTRACT_LABEL: &str = "update_contract_label";
pub const UPDATE_CODE_ACCESS_CONFIG: &str = "update_code_access_config";
pub const CREATE_DENOM: &str = "create_denom";
pub const TF_MINT: &str = "tf_mint";
pub const TF_BURN: &str = "tf_burn";
pub const CHANGE_ADMIN: &str = "change_admin";
pub const SET_DENOM_METADATA: &str = "set_denom_metadata";
pub const SET_BEFORE_SEND_HOOK: &str = "set_before_send_hook";

// Topics of EVM logs: Keccak-256 hashes of event signatures.
/// `Transfer(address,address,uint256)`: with three topics of an ERC-20 token, with four of an ERC-721 NFT.
pub const TRANSFER_TOPIC: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/// `TransferSingle(address,address,address,uint256,uint256)` of ERC-1155.
pub const TRANSFER_SINGLE_TOPIC: &str = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
/// `TransferBatch(address,address,address,uint256[],uint256[])` of ERC-1155.
pub const TRANSFER_BATCH_TOPIC: &str = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";
/// `Deposit(address,uint256)` of wrapped native tokens.
pub const DEPOSIT_TOPIC: &str = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c";
/// `Withdrawal(address,uint256)` of wrapped native tokens.
pub const WITHDRAWAL_TOPIC: &str = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";
