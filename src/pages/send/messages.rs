//! Messages to sign. The page requests them once all earlier stages are complete.

use std::{sync::Arc, time::Duration};

use super::SendPage;
use crate::{
    domain::Timestamp,
    msg::{Ask, Remote, ask},
    wire::{
        ApiError, Verbatim,
        router::{MsgsRequest, MsgsResponse, RouterTx},
    },
};

/// Message of real routers for an expired relayer quote (`docs/apis/router.md` §1.3).
const EXPIRED: &str = "fee quote has expired";

type MessagesAsk = Ask<Arc<Verbatim<MsgsResponse>>>;

/// Request and answer for the messages to sign.
#[derive(Debug, Default)]
pub(super) struct MessagesStage {
    /// Request that the current answer belongs to.
    request: Option<Arc<MsgsRequest>>,
    answer: Remote<Arc<Verbatim<MsgsResponse>>>,
    is_asked: bool,
}

impl MessagesStage {
    /// Returns the answer if it belongs to the current request.
    pub(super) fn answer(&self) -> Option<&Arc<Verbatim<MsgsResponse>>> {
        self.answer.value()
    }

    pub(super) fn request(&self) -> Option<&Arc<MsgsRequest>> {
        self.request.as_ref()
    }

    /// Returns the transactions; empty before the answer.
    pub(super) fn txs(&self) -> &[RouterTx] {
        self.answer().map_or(&[], |answer| &answer.value.txs)
    }

    pub(super) fn at(&self) -> Option<Timestamp> {
        self.answer.at()
    }

    pub(super) fn error(&self) -> Option<&ApiError> {
        self.answer.error()
    }

    pub(super) fn is_asked(&self) -> bool {
        self.is_asked
    }

    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns a request, unless the answer belongs to `request`. Every field determines the messages.
    pub(super) fn need(&mut self, request: MsgsRequest, now: Timestamp) -> Option<MessagesAsk> {
        if self.request.as_deref() == Some(&request) {
            return None;
        }
        let request = Arc::new(request);
        *self = Self { request: Some(Arc::clone(&request)), answer: Remote::Idle, is_asked: true };
        self.answer.ask(now);
        Some(ask::msgs(request))
    }

    /// Requests the messages again if the answer is older than `age`.
    pub(super) fn need_fresh(&mut self, now: Timestamp, age: Duration) -> Option<MessagesAsk> {
        let is_fresh = self.at().is_some_and(|at| now.since(at) <= age) && self.error().is_none();
        if is_fresh || self.is_asked {
            return None;
        }
        self.is_asked = true;
        self.request.clone().map(ask::msgs)
    }

    /// Whether the answer is younger than `age` and no request is pending.
    pub(super) fn is_fresh(&self, now: Timestamp, age: Duration) -> bool {
        !self.is_asked && self.error().is_none() && self.at().is_some_and(|at| now.since(at) <= age)
    }

    pub(super) fn take(&mut self, result: Result<Arc<Verbatim<MsgsResponse>>, ApiError>, now: Timestamp) {
        self.is_asked = false;
        self.answer.settle(result, now);
    }
}

impl SendPage {
    /// Builds the request for the route's messages. It returns the router's operations verbatim.
    pub(super) fn messages_request(&self) -> MsgsRequest {
        let route = &self.route.value;
        MsgsRequest {
            amount_in: route.amount_in,
            amount_out: route.amount_out,
            source_asset_chain_id: route.source_asset_chain_id.clone(),
            source_asset_denom: route.source_asset_denom.clone(),
            dest_asset_chain_id: route.dest_asset_chain_id.clone(),
            dest_asset_denom: route.dest_asset_denom.clone(),
            address_list: self.addresses.iter().filter_map(|slot| slot.text().map(str::to_owned)).collect(),
            operations: route.operations.clone(),
            slippage_tolerance_percent: self.slippage.to_string(),
            estimated_amount_out: route.estimated_amount_out,
            signed_op_hook: self.hook.signed().filter(|_| route.required_op_hook).cloned(),
        }
    }

    /// Handles a failed request. A new quote replaces an expired price.
    pub(super) fn lose_messages(&mut self, error: ApiError, now: Timestamp) {
        if error.to_string().contains(EXPIRED) {
            self.quote.is_expired = true;
        }
        self.stop(format!("The router sent no messages: {}", error.brief()));
        self.messages.take(Err(error), now);
    }
}
