//! Queries about authz grants and fee allowances.

#![expect(clippy::similar_names, reason = "granter and grantee are the field's words")]

use serde_json::{Value, json};

use super::{
    super::{NodeRequest, paging::PageAsked, view::NodeView},
    RestAnswer, RestRefusal,
    bank::read_account,
};
use crate::demo::chain::{AuthzGrant, FeeGrant};

pub(super) fn authz(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    let asked = |name: &str| read_account(request.query.first(name).unwrap_or_default());
    let page = || PageAsked::read(&request.query);
    let mut grants = view.state.grants();
    match path {
        _ if request.is_post => Err(RestRefusal::not_implemented()),
        ["grants"] => {
            let (granter, grantee) = (asked("granter")?, asked("grantee")?);
            let kind = request.query.first("msg_type_url").filter(|kind| !kind.is_empty());
            grants.retain(|grant| (grant.granter, grant.grantee) == (granter, grantee));
            grants.retain(|grant| kind.is_none_or(|kind| kind == grant.msg_type));
            if let (Some(kind), true) = (kind, grants.is_empty()) {
                return Err(RestRefusal::not_found(format!("authorization not found for {kind} type")));
            }
            Ok(page()?.cut(
                "grants",
                grants,
                |grant| json!({ "authorization": authorization(grant), "expiration": expiration(grant) }),
            ))
        }
        ["grants", "granter", account] => {
            let account = read_account(account)?;
            grants.retain(|grant| grant.granter == account);
            Ok(page()?.cut("grants", grants, with_both))
        }
        ["grants", "grantee", account] => {
            let account = read_account(account)?;
            grants.retain(|grant| grant.grantee == account);
            Ok(page()?.cut("grants", grants, with_both))
        }
        _ => Err(RestRefusal::not_implemented()),
    }
}

fn with_both(grant: &AuthzGrant) -> Value {
    json!({
        "granter": grant.granter.bech32(),
        "grantee": grant.grantee.bech32(),
        "authorization": authorization(grant),
        "expiration": expiration(grant),
    })
}

fn authorization(grant: &AuthzGrant) -> Value {
    json!({ "@type": "/cosmos.authz.v1beta1.GenericAuthorization", "msg": grant.msg_type })
}

fn expiration(grant: &AuthzGrant) -> Option<String> {
    grant.expires.map(|end| end.to_string())
}

pub(super) fn feegrant(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    let page = || PageAsked::read(&request.query);
    let mut grants = view.state.fee_grants();
    match path {
        _ if request.is_post => Err(RestRefusal::not_implemented()),
        ["allowance", granter, grantee] => {
            let pair = (read_account(granter)?, read_account(grantee)?);
            let found = grants.into_iter().find(|grant| (grant.granter, grant.grantee) == pair);
            // Nodes report a missing allowance as an internal error.
            let missing = || RestRefusal::internal("fee-grant not found: not found");
            Ok(json!({ "allowance": allowance(&found.ok_or_else(missing)?) }))
        }
        ["allowances", account] => {
            let account = read_account(account)?;
            grants.retain(|grant| grant.grantee == account);
            Ok(page()?.cut("allowances", grants, allowance))
        }
        ["issued", account] => {
            let account = read_account(account)?;
            grants.retain(|grant| grant.granter == account);
            Ok(page()?.cut("allowances", grants, allowance))
        }
        _ => Err(RestRefusal::not_implemented()),
    }
}

fn allowance(grant: &FeeGrant) -> Value {
    json!({
        "granter": grant.granter.bech32(),
        "grantee": grant.grantee.bech32(),
        "allowance": {
            "@type": "/cosmos.feegrant.v1beta1.BasicAllowance",
            "spend_limit": [{ "denom": grant.denom, "amount": grant.left.to_string() }],
            "expiration": grant.expires.to_string(),
        },
    })
}
