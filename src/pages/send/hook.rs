//! Hook: messages that the recipient signs in advance and the destination chain executes on arrival
//! (`docs/apis/router.md` §2).

use std::sync::Arc;

use super::{SendPage, state::Goal};
use crate::{
    app::{
        page::PageCx,
        prompt::{Entry, EntryPurpose},
    },
    domain::{Timestamp, text},
    msg::{Ask, Remote, ask},
    wire::{
        ApiError, Verbatim,
        router::{OpHook, OpHookRequest, SignedOpHook},
    },
};

/// Minimum length of base64 text that counts as a hook instead of a file name, in characters.
const HOOK_FROM: usize = 80;

#[derive(Debug, Default)]
pub(super) struct HookStage {
    /// Request of the loaded payload. A payload of another request is stale.
    request: Option<OpHookRequest>,
    payload: Remote<Arc<Verbatim<OpHook>>>,
    signed: Option<SignedOpHook>,
    is_signing: bool,
    /// Whether a signature went stale.
    pub(super) was_stale: bool,
}

impl HookStage {
    pub(super) fn payload(&self) -> &Remote<Arc<Verbatim<OpHook>>> {
        &self.payload
    }

    pub(super) fn signed(&self) -> Option<&SignedOpHook> {
        self.signed.as_ref()
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.is_signing || self.payload.is_loading()
    }

    /// Drops payload and signature after the route or an address changed.
    pub(super) fn go_stale(&mut self) {
        let was_stale = self.was_stale || self.signed.is_some();
        *self = Self { was_stale, ..Self::default() };
    }

    /// Allows a failed request to repeat.
    pub(super) fn forget_failure(&mut self) {
        self.payload.forget_failure();
    }

    /// Returns a request for the payload, unless the loaded payload answers `request`.
    pub(super) fn need(&mut self, request: OpHookRequest, now: Timestamp) -> Option<Ask<Arc<Verbatim<OpHook>>>> {
        if self.request.as_ref() != Some(&request) {
            self.go_stale();
        }
        if !matches!(self.payload, Remote::Idle) {
            return None;
        }
        self.payload.ask(now);
        self.request = Some(request.clone());
        Some(ask::op_hook(request))
    }

    /// Returns the loaded payload if the demo wallet is to sign it now.
    pub(super) fn need_signature(&self) -> Option<&OpHook> {
        let payload = self.payload.value().filter(|_| !self.is_signing && self.signed.is_none())?;
        Some(&payload.value)
    }

    /// Returns a request for the demo wallet's signature.
    pub(super) fn ask_signature(&mut self, exact: OpHook) -> Ask<SignedOpHook> {
        self.is_signing = true;
        ask::demo_sign(exact)
    }

    pub(super) fn take_payload(&mut self, result: Result<Arc<Verbatim<OpHook>>, ApiError>, now: Timestamp) {
        self.payload.settle(result, now);
    }

    pub(super) fn give_up_signature(&mut self) {
        self.is_signing = false;
    }
}

impl SendPage {
    /// Builds the request for `/op-hook`. Like real clients, it always sends the `init1…` form of the sender's address.
    pub(super) fn hook_request(&self) -> OpHookRequest {
        let route = &self.route.value;
        let text = |place: Option<usize>| {
            let slot = place.and_then(|place| self.addresses.get(place));
            slot.and_then(|slot| slot.account().map(|account| account.bech32()).or(slot.text().map(str::to_owned)))
        };
        let recipient = text(self.addresses.len().checked_sub(1)).unwrap_or_default();
        let own = self.addresses.iter().rev().skip(1).position(|slot| slot.account().is_some());
        let own = own.map(|from_end| self.addresses.len().saturating_sub(2 + from_end));
        OpHookRequest {
            source_address: text(own).or_else(|| text(Some(0))).unwrap_or_default(),
            source_asset_chain_id: route.source_asset_chain_id.clone(),
            source_asset_denom: route.source_asset_denom.clone(),
            dest_address: recipient,
            dest_asset_chain_id: route.dest_asset_chain_id.clone(),
            dest_asset_denom: route.dest_asset_denom.clone(),
        }
    }

    /// Stores the demo wallet's signature.
    pub(super) fn take_signature(&mut self, signed: SignedOpHook) {
        self.hook.is_signing = false;
        self.hook.signed = Some(signed);
        self.hook.was_stale = false;
        if self.goal == Some(Goal::SignHook) {
            self.goal = None;
        }
    }

    /// Parses a signed hook: an object as real routers send it, a JSON string, or bare base64.
    pub(super) fn read_signed_hook(&mut self, typed: &str) -> Result<(), String> {
        let typed = typed.trim();
        let signed = if typed.starts_with(['{', '"']) {
            serde_json::from_str(typed).map_err(|error| {
                format!("expected {{\"signer\": …, \"hook\": …}}: {}", text::clip(&error.to_string(), 80))
            })?
        } else {
            SignedOpHook::Text(typed.to_owned())
        };
        if !is_base64(signed.hook()) {
            return Err("the hook is not a signed transaction in base64".to_owned());
        }
        self.hook.is_signing = false;
        self.hook.signed = Some(signed);
        self.hook.was_stale = false;
        self.notice = None;
        Ok(())
    }

    /// Returns why the hook's signer is wrong.
    pub(super) fn signer_problem(&self) -> Option<&'static str> {
        let signer = match self.hook.signed()? {
            SignedOpHook::Object { signer, .. } if signer.is_empty() => return Some("the signer is missing"),
            SignedOpHook::Object { signer, .. } => signer,
            SignedOpHook::Text(_) => return None,
        };
        match signer.parse::<crate::domain::Address>() {
            Err(_) => Some("the signer is not an address"),
            Ok(signer) => {
                let is_known = self.addresses.iter().any(|slot| slot.account() == Some(signer));
                (!is_known).then_some("the signer is not an address above: the hook may fail on arrival")
            }
        }
    }
}

fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    !body.is_empty()
        && text.len() - body.len() <= 2
        && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'))
}

/// Returns the input for the signed hook.
pub(super) fn entry() -> Entry {
    Entry::new(EntryPurpose::SignedHook, "Paste the signed hook, or type its file name", "")
}

impl SendPage {
    /// Signs only the hook, with the demo wallet.
    pub(super) fn sign_hook(&mut self) {
        self.goal = Some(Goal::SignHook);
        self.notice = None;
    }

    /// Stores a signed hook that the user typed, pasted or named as a file.
    pub(super) fn enter_signed_hook(&mut self, text: &str, cx: &mut PageCx<'_>) -> Result<(), String> {
        if text.is_empty() {
            return Err("paste {\"signer\": …, \"hook\": …}, or type the name of its file".to_owned());
        }
        if text.starts_with(['{', '"']) || (text.len() >= HOOK_FROM && is_base64(text)) {
            return self.read_signed_hook(text);
        }
        cx.request(ask::file(text.into()), |page: &mut Self, result: Result<Arc<str>, ApiError>, cx| {
            match result.map(|text| page.read_signed_hook(&text)) {
                Ok(Ok(())) => {}
                Ok(Err(problem)) => page.stop(format!("The file has no signed hook: {problem}")),
                Err(error) => page.stop(format!("Cannot read the file: {}", error.brief())),
            }
            page.drive(cx);
        });
        Ok(())
    }
}
