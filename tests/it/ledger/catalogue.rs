//! What has to happen on an EVM rollup, written down independently of the code that makes it happen.

use std::collections::BTreeSet;

use rollscope::demo::ledger::CommittedTx;
use serde_json::Value;

/// Every message type, also those inside other messages.
pub(super) const MESSAGE_TYPES: &[&str] = &[
    "/cosmos.bank.v1beta1.MsgSend",
    "/cosmos.bank.v1beta1.MsgMultiSend",
    "/cosmos.authz.v1beta1.MsgExec",
    "/cosmos.authz.v1beta1.MsgGrant",
    "/cosmos.authz.v1beta1.MsgRevoke",
    "/cosmos.feegrant.v1beta1.MsgGrantAllowance",
    "/cosmos.feegrant.v1beta1.MsgRevokeAllowance",
    "/cosmos.feegrant.v1beta1.MsgPruneAllowances",
    "/minievm.evm.v1.MsgCall",
    "/minievm.evm.v1.MsgCreate",
    "/minievm.evm.v1.MsgCreate2",
    "/minievm.evm.v1.MsgUpdateParams",
    "/opinit.opchild.v1.MsgFinalizeTokenDeposit",
    "/opinit.opchild.v1.MsgInitiateTokenWithdrawal",
    "/opinit.opchild.v1.MsgUpdateOracle",
    "/opinit.opchild.v1.MsgRelayOracleData",
    "/opinit.opchild.v1.MsgSetBridgeInfo",
    "/opinit.opchild.v1.MsgExecuteMessages",
    "/opinit.opchild.v1.MsgAddFeeWhitelistAddresses",
    "/opinit.opchild.v1.MsgRemoveFeeWhitelistAddresses",
    "/opinit.opchild.v1.MsgAddBridgeExecutor",
    "/opinit.opchild.v1.MsgRemoveBridgeExecutor",
    "/opinit.opchild.v1.MsgUpdateMinGasPrices",
    "/opinit.opchild.v1.MsgSpendFeePool",
    "/opinit.opchild.v1.MsgUpdateAdmin",
    "/opinit.opchild.v1.MsgUpdateParams",
    "/opinit.opchild.v1.MsgAddValidator",
    "/opinit.opchild.v1.MsgRemoveValidator",
    "/opinit.opchild.v1.MsgUpdateSequencer",
    "/ibc.applications.transfer.v1.MsgTransfer",
    "/ibc.applications.nft_transfer.v1.MsgTransfer",
    "/ibc.core.client.v1.MsgUpdateClient",
    "/ibc.core.channel.v1.MsgRecvPacket",
    "/ibc.core.channel.v1.MsgAcknowledgement",
    "/ibc.core.channel.v1.MsgTimeout",
];

/// Types that the newest 300 blocks always show.
pub(super) const COMMON_TYPES: &[&str] = &[
    "/cosmos.bank.v1beta1.MsgSend",
    "/cosmos.authz.v1beta1.MsgExec",
    "/cosmos.authz.v1beta1.MsgGrant",
    "/cosmos.feegrant.v1beta1.MsgGrantAllowance",
    "/minievm.evm.v1.MsgCall",
    "/minievm.evm.v1.MsgCreate",
    "/opinit.opchild.v1.MsgFinalizeTokenDeposit",
    "/opinit.opchild.v1.MsgInitiateTokenWithdrawal",
    "/opinit.opchild.v1.MsgUpdateOracle",
    "/opinit.opchild.v1.MsgExecuteMessages",
    "/ibc.applications.transfer.v1.MsgTransfer",
    "/ibc.applications.nft_transfer.v1.MsgTransfer",
    "/ibc.core.client.v1.MsgUpdateClient",
    "/ibc.core.channel.v1.MsgRecvPacket",
    "/ibc.core.channel.v1.MsgAcknowledgement",
    "/ibc.core.channel.v1.MsgTimeout",
];

/// Every kind of event.
pub(super) const EVENT_KINDS: &[&str] = &[
    "acknowledge_packet",
    "add_validator",
    "burn",
    "call",
    "class_trace",
    "coin_received",
    "coin_spent",
    "coinbase",
    "contract_created",
    "cosmos.authz.v1beta1.EventGrant",
    "cosmos.authz.v1beta1.EventRevoke",
    "create",
    "denomination_trace",
    "erc721_burned",
    "erc721_created",
    "erc721_minted",
    "evm",
    "finalize_token_deposit",
    "fungible_token_packet",
    "gas_refund",
    "ibc_nft_transfer",
    "ibc_transfer",
    "ibccallbackerror-fungible_token_packet",
    "initiate_token_withdrawal",
    "message",
    "non_fungible_token_packet",
    "oracle_data_relay",
    "prune_feegrant",
    "recv_packet",
    "remove_validator",
    "revoke_feegrant",
    "send_packet",
    "set_bridge_info",
    "set_feegrant",
    "timeout",
    "timeout_packet",
    "transfer",
    "tx",
    "update_client",
    "update_feegrant",
    "update_oracle",
    "use_feegrant",
    "write_acknowledgement",
];

/// Every kind of failure: codespace, code, and how its log ends.
pub(super) const FAILURES: &[(&str, u32, &str)] = &[
    ("evm", 23, "message index: 0: revert: ERC20: transfer amount exceeds balance: Reverted"),
    ("evm", 23, "message index: 0: revert: dust amount should be zero: Reverted"),
    ("evm", 23, "message index: 0: revert: arithmetic underflow or overflow: Reverted"),
    ("evm", 23, "message index: 0: revert: out-of-bounds access of an array or bytesN: Reverted"),
    ("evm", 23, "message index: 0: revert: division or modulo by zero: Reverted"),
    ("evm", 23, "message index: 0: Reverted"),
    ("evm", 3, "message index: 0: out of gas: EVMCall failed"),
    ("evm", 3, "message index: 0: invalid opcode: INVALID: EVMCall failed"),
    ("evm", 3, "message index: 0: insufficient balance for transfer: EVMCall failed"),
    ("evm", 4, "message index: 0: contract creation code storage out of gas: EVMCreate failed"),
    ("evm", 6, ": Invalid hex string"),
    ("sdk", 11, ": out of gas"),
    ("sdk", 32, ": incorrect account sequence"),
    ("sdk", 13, ": insufficient fee"),
    ("sdk", 4, ": unauthorized"),
    ("sdk", 38, "fee-grant not found: not found"),
    ("authz", 2, ": authorization not found"),
    ("channel", 3, ": channel not found"),
    ("channel", 20, "packet commitment not found"),
    ("client", 29, "client state is not active"),
    ("undefined", 1, "want "),
    ("undefined", 1, "desc = not supported"),
    ("undefined", 111_222, ": panic"),
];

/// What was seen in some transactions.
pub(super) struct Seen {
    types: BTreeSet<String>,
    events: BTreeSet<String>,
    failures: BTreeSet<(String, u32, String)>,
}

impl Seen {
    pub(super) fn of<'a>(txs: impl Iterator<Item = &'a CommittedTx>) -> Self {
        let mut seen = Self { types: BTreeSet::new(), events: BTreeSet::new(), failures: BTreeSet::new() };
        for tx in txs {
            let body: Value = serde_json::from_str(&tx.body).expect("a body is JSON");
            collect_types(&body["body"]["messages"], &mut seen.types);
            seen.events.extend(tx.events.iter().map(|event| event.kind.to_string()));
            if tx.code != 0 {
                seen.failures.insert((tx.codespace.to_string(), tx.code, tx.raw_log.clone()));
            }
        }
        seen
    }

    pub(super) fn expect_types(&self, types: &[&str]) {
        let missing: Vec<_> = types.iter().filter(|kind| !self.types.contains(**kind)).collect();
        assert!(missing.is_empty(), "these messages never came: {missing:?}");
    }

    pub(super) fn expect_events(&self, kinds: &[&'static str]) {
        let expected: BTreeSet<String> = kinds.iter().map(ToString::to_string).collect();
        assert_eq!(self.events, expected);
    }

    pub(super) fn expect_failures(&self, failures: &[(&str, u32, &str)]) {
        for (codespace, code, end) in failures {
            let found = self.failures.iter().any(|(space, number, log)| {
                space == codespace && number == code && (log.ends_with(end) || (*end == "want " && log.contains(end)))
            });
            assert!(found, "no failure {codespace} {code} “{end}”");
        }
        for (space, number, log) in &self.failures {
            let known = failures.iter().any(|(codespace, code, _)| space == codespace && number == code);
            assert!(known, "unknown failure {space} {number}: {log}");
        }
    }
}

/// Types of messages, of those inside them, but not of keys, headers and authorizations.
fn collect_types(messages: &Value, types: &mut BTreeSet<String>) {
    for message in messages.as_array().into_iter().flatten() {
        types.extend(message["@type"].as_str().map(str::to_owned));
        collect_types(&message["msgs"], types);
        collect_types(&message["messages"], types);
    }
}
