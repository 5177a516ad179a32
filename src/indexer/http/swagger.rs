//! `/swagger`: the routes of the indexer's and the routing API, described from the table that dispatches them.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{
    reply::{Refusal, Reply, escape_html},
    route::{Entry, Form, Parameter, ROUTES, parameter_name},
};
use crate::domain::Vm;

/// Where `/swagger` leads.
const PAGE: &str = "/swagger/index.html";

/// `GET /swagger`.
pub(super) fn redirect() -> Reply {
    Reply::moved(PAGE)
}

/// `GET /swagger/doc.json`: Swagger 2.0. The real server's version is empty.
pub(super) fn document(vm: Vm, quirks: bool) -> Result<Reply, Refusal> {
    let paths: Map<String, Value> =
        documented(vm).map(|entry| (entry.path.to_owned(), json!({ verb(entry): operation(entry) }))).collect();
    Reply::json(&json!({
        "swagger": "2.0",
        "info": {
            "title": "Rollytics API",
            "description": "What an indexer knows of an Initia rollup: blocks, transactions, NFTs and holders.",
            "version": if quirks { "" } else { "1.0.0" },
        },
        "basePath": "/",
        "paths": paths,
    }))
}

/// `GET /swagger/index.html`: the same as a page without scripts.
pub(super) fn page(vm: Vm) -> Reply {
    let mut html = String::from(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Rollytics API</title></head><body>\
         <h1>Rollytics API</h1><p><a href=\"/swagger/doc.json\">doc.json</a></p><dl>",
    );
    for entry in documented(vm) {
        let names: Vec<&str> = parameters(entry).map(|parameter| parameter.name).collect();
        let _ = write!(
            html,
            "<dt><code>{} {}</code></dt><dd>{}. {}</dd>",
            verb(entry).to_uppercase(),
            escape_html(entry.path),
            escape_html(entry.summary),
            escape_html(&names.join(", "))
        );
    }
    html.push_str("</dl></body></html>");
    Reply::of("text/html; charset=utf-8", html.into_bytes())
}

/// The routes that a rollup with this virtual machine describes.
fn documented(vm: Vm) -> impl Iterator<Item = &'static Entry> {
    ROUTES.iter().filter(move |entry| entry.is_documented() && (vm == Vm::Evm || !entry.path.contains("/evm-")))
}

fn verb(entry: &Entry) -> &'static str {
    if entry.is_posted() { "post" } else { "get" }
}

fn parameters(entry: &Entry) -> impl Iterator<Item = &'static Parameter> {
    entry.query.iter().copied().flatten()
}

fn operation(entry: &Entry) -> Value {
    let in_path = entry
        .parts()
        .filter_map(parameter_name)
        .map(|name| json!({"name": name, "in": "path", "required": true, "type": "string"}));
    let in_query = parameters(entry).map(|parameter| {
        let mut described = json!({
            "name": parameter.name,
            "in": "query",
            "required": false,
            "description": parameter.description,
            "type": match parameter.form {
                Form::Text => "string",
                Form::Integer => "integer",
                Form::Boolean => "boolean",
                Form::Texts => "array",
            },
        });
        if let (Form::Texts, Some(fields)) = (parameter.form, described.as_object_mut()) {
            fields.insert("items".to_owned(), json!({"type": "string"}));
            fields.insert("collectionFormat".to_owned(), json!("multi"));
        }
        described
    });
    let in_body = entry
        .is_posted()
        .then(|| json!({"name": "body", "in": "body", "required": true, "schema": {"type": "object"}}));
    let area = entry.parts().nth(1).unwrap_or("status");
    json!({
        "summary": entry.summary,
        "tags": [area],
        "produces": ["application/json"],
        "parameters": in_path.chain(in_query).chain(in_body).collect::<Vec<_>>(),
        "responses": {"200": {"description": "OK", "schema": {"type": "object"}}},
    })
}
