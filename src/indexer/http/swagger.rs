//! Routes under `/swagger`: a description of the listener's routes, generated from the route table.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{
    reply::{HttpRefusal, Reply, escape_html},
    request::HttpRequest,
    route::{ParameterType, QueryParameter, RouteDescription, RouteEntry, parameter_name},
    schema::{self, ANYTHING, SchemaName},
    value::ADDRESS,
};

/// Target of the redirect from `/swagger`.
const PAGE: &str = "/swagger/index.html";

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// Routes of the description, which the description omits.
pub(super) static ROUTES: &[RouteEntry<SwaggerDocument>] = &[
    RouteEntry::get("/swagger", "", "Redirect to the API description page", ANYTHING, |_, _| Ok(Reply::moved(PAGE))),
    RouteEntry::get(PAGE, "", "API description as an HTML page", ANYTHING, |document, _| Ok(document.page())),
    RouteEntry::get("/swagger/doc.json", "", "API description as Swagger 2.0", ANYTHING, SwaggerDocument::json),
];

/// Path parameters: name, pattern (`None` for a number from 1) and description.
const IN_PATH: &[(&str, Option<&str>, &str)] = &[
    ("height", None, "Block height"),
    ("account", Some(ADDRESS), "An account, as init1… or 0x…; 404 if the checksum is wrong"),
    ("collection_addr", Some(ADDRESS), "A collection, as 0x… or init1…; 404 if the checksum is wrong"),
    ("tx_hash", Some("^(0x)?[0-9a-fA-F]{64}$"), "Transaction hash"),
    ("side", Some("^(sent|received)$"), "Whether the chain sent or received the packet"),
    ("port", Some("^.+$"), "Port on the chain"),
    ("channel", Some("^.+$"), "Channel on the chain"),
    ("sequence", None, "Sequence number of the packet"),
    ("token_id", Some("^.+$"), "Token id within the collection"),
    ("name", Some("^.+$"), "Letters and digits of a name; the search ignores other characters"),
    ("denom", Some("^.+$"), "A denom, with %2F for each slash"),
];

/// Description of a listener's routes.
#[derive(Debug)]
pub(super) struct SwaggerDocument {
    descriptions: Vec<RouteDescription>,
    quirks: bool,
}

impl SwaggerDocument {
    /// Describes the routes, except for those under `/demo`, which belong to neither API.
    pub(super) fn new(mut descriptions: Vec<RouteDescription>, quirks: bool) -> Self {
        descriptions.retain(|description| !description.path.starts_with("/demo"));
        Self { descriptions, quirks }
    }

    /// Returns the Swagger 2.0 document. Its version field is empty, as on the real server.
    fn json(&self, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let path = |description: &RouteDescription| {
            (description.path.to_owned(), json!({ description.method().to_lowercase(): self.operation(description) }))
        };
        let paths: Map<String, Value> = self.descriptions.iter().map(path).collect();
        let names = self.descriptions.iter().flat_map(|description| {
            [Some(description.answer), description.body, description.refusal].into_iter().flatten()
        });
        Reply::json(&json!({
            "swagger": "2.0",
            "info": {
                "title": "Rollytics API",
                "description": "Blocks, transactions, NFTs and holders of an Initia rollup.",
                "version": if self.quirks { "" } else { "1.0.0" },
            },
            "basePath": "/",
            "paths": paths,
            "definitions": schema::definitions(names),
        }))
    }

    fn operation(&self, description: &RouteDescription) -> Value {
        let in_path = description.parts().filter_map(parameter_name).map(path_parameter);
        let in_query = description.parameters().map(query_parameter);
        let in_body = description
            .body
            .map(|body| json!({"name": "body", "in": "body", "required": true, "schema": schema::reference(body)}));
        let area = description.parts().nth(1).unwrap_or("status");
        let mut operation = json!({
            "operationId": description.id,
            "summary": description.summary,
            "tags": [area],
            "produces": [JSON, TEXT],
            "parameters": in_path.chain(in_query).chain(in_body).collect::<Vec<_>>(),
            "responses": self.responses(description),
        });
        if let (true, Some(fields)) = (description.body.is_some(), operation.as_object_mut()) {
            fields.insert("consumes".to_owned(), json!([JSON]));
        }
        operation
    }

    fn responses(&self, description: &RouteDescription) -> Map<String, Value> {
        let mut responses = Map::new();
        let good = json!({"description": "OK", "schema": schema::reference(description.answer)});
        responses.insert("200".to_owned(), good);
        // Without its history, the real server answers no request.
        let is_never = |status: u16| status == 503 && self.quirks && description.refusal.is_none();
        let own = description.refusals.iter().filter(|status| !is_never(**status));
        for status in own {
            responses.insert(status.to_string(), refusal(*status, description.refusal));
        }
        let guarded: &[u16] = if description.is_guarded() { &[403, 415] } else { &[] };
        for status in guarded.iter().chain(&[405, 500]) {
            // The router's API has its own error format for a wrong method.
            let form = description.refusal.filter(|_| *status == 405);
            responses.insert(status.to_string(), refusal(*status, form));
        }
        responses
    }

    /// Returns the description as an HTML page without scripts.
    fn page(&self) -> Reply {
        let mut html = String::from(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Rollytics API</title></head><body>\
             <h1>Rollytics API</h1><p><a href=\"/swagger/doc.json\">doc.json</a></p><dl>",
        );
        for description in &self.descriptions {
            let names: Vec<&str> = description.parameters().map(|parameter| parameter.name).collect();
            let _ = write!(
                html,
                "<dt><code>{} {}</code></dt><dd>{}. {}</dd>",
                description.method(),
                escape_html(description.path),
                escape_html(description.summary),
                escape_html(&names.join(", "))
            );
        }
        html.push_str("</dl></body></html>");
        Reply::of("text/html; charset=utf-8", html.into_bytes())
    }
}

/// Describes an error with this status: a bare sentence, or the schema of another API.
fn refusal(status: u16, form: Option<SchemaName>) -> Value {
    let description = match status {
        400 => "The request is unreadable",
        403 => "Only requests from this machine and from this site are allowed",
        404 => "Not found",
        405 => "Method not allowed; the Allow header names the allowed methods",
        415 => "The body must be JSON",
        503 => "Not ready; retry after the time in the Retry-After header",
        _ => "Internal server error",
    };
    let (media, schema) = match form {
        Some(form) => (JSON, schema::reference(form)),
        None => (TEXT, json!({"type": "string"})),
    };
    let mut response = json!({"description": description, "schema": schema, "x-content-type": media});
    let header = match status {
        405 => Some(("Allow", "string")),
        503 if form.is_none() => Some(("Retry-After", "integer")),
        _ => None,
    };
    if let (Some((name, kind)), Some(fields)) = (header, response.as_object_mut()) {
        fields.insert("headers".to_owned(), json!({ name: {"type": kind} }));
    }
    response
}

fn path_parameter(name: &str) -> Value {
    let found = IN_PATH.iter().find(|(known, ..)| *known == name);
    let (pattern, description) = found.map_or((Some("^.+$"), ""), |(_, pattern, description)| (*pattern, *description));
    let mut described = json!({"name": name, "in": "path", "required": true, "description": description});
    let form = match pattern {
        None => json!({"type": "integer", "format": "int64", "minimum": 1}),
        Some(pattern) => json!({"type": "string", "pattern": pattern}),
    };
    add(&mut described, form);
    described
}

fn query_parameter(parameter: &'static QueryParameter) -> Value {
    let mut described = json!({
        "name": parameter.name,
        "in": "query",
        "required": parameter.is_required,
        "description": parameter.description,
    });
    let form = match parameter.form {
        ParameterType::Text => json!({"type": "string"}),
        ParameterType::Pattern(pattern) => json!({"type": "string", "pattern": pattern}),
        ParameterType::Integer(least, None) => json!({"type": "integer", "format": "int64", "minimum": least}),
        ParameterType::Integer(least, Some(most)) => json!({"type": "integer", "minimum": least, "maximum": most}),
        ParameterType::Boolean => json!({"type": "boolean"}),
        ParameterType::Texts => json!({"type": "array", "items": {"type": "string"}, "collectionFormat": "multi"}),
        ParameterType::Word(words) => json!({"type": "string", "enum": words}),
    };
    add(&mut described, form);
    if let Some(default) = parameter.default.and_then(|default| serde_json::from_str::<Value>(default).ok()) {
        add(&mut described, json!({ "default": default }));
    }
    described
}

fn add(object: &mut Value, fields: Value) {
    if let (Some(object), Value::Object(fields)) = (object.as_object_mut(), fields) {
        object.extend(fields);
    }
}
