//! `/swagger`: the routes of a listener, described from the table that dispatches them.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{
    reply::{HttpRefusal, Reply, escape_html},
    request::HttpRequest,
    route::{ParameterType, QueryParameter, RouteDescription, RouteEntry, RouteMethod, parameter_name},
};

/// Where `/swagger` leads.
const PAGE: &str = "/swagger/index.html";

/// The description's own routes.
pub(super) static ROUTES: &[RouteEntry<SwaggerDocument>] = &[
    RouteEntry::get("/swagger", "To the page about this API", &[], |_, _| Ok(Reply::moved(PAGE))),
    RouteEntry::get(PAGE, "The routes as a page", &[], |document, _| Ok(document.page())),
    RouteEntry::get("/swagger/doc.json", "The routes as Swagger 2.0", &[], SwaggerDocument::json),
];

/// What is said of a listener's routes.
#[derive(Debug)]
pub(super) struct SwaggerDocument {
    descriptions: Vec<RouteDescription>,
    quirks: bool,
}

impl SwaggerDocument {
    /// Describes these routes, but for those under `/demo`, which are no part of either API.
    pub(super) fn new(mut descriptions: Vec<RouteDescription>, quirks: bool) -> Self {
        descriptions.retain(|description| !description.path.starts_with("/demo"));
        Self { descriptions, quirks }
    }

    /// Swagger 2.0. The real server's version is empty.
    fn json(&self, _: &HttpRequest<'_>) -> Result<Reply, HttpRefusal> {
        let path = |description: &RouteDescription| {
            (description.path.to_owned(), json!({ description.method().to_lowercase(): operation(description) }))
        };
        let paths: Map<String, Value> = self.descriptions.iter().map(path).collect();
        Reply::json(&json!({
            "swagger": "2.0",
            "info": {
                "title": "Rollytics API",
                "description": "What an indexer knows of an Initia rollup: blocks, transactions, NFTs and holders.",
                "version": if self.quirks { "" } else { "1.0.0" },
            },
            "basePath": "/",
            "paths": paths,
        }))
    }

    /// The same as a page without scripts.
    fn page(&self) -> Reply {
        let mut html = String::from(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Rollytics API</title></head><body>\
             <h1>Rollytics API</h1><p><a href=\"/swagger/doc.json\">doc.json</a></p><dl>",
        );
        for description in &self.descriptions {
            let names: Vec<&str> = parameters(description).map(|parameter| parameter.name).collect();
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

fn parameters(description: &RouteDescription) -> impl Iterator<Item = &'static QueryParameter> {
    description.query.iter().copied().flatten()
}

fn operation(description: &RouteDescription) -> Value {
    let in_path = description
        .parts()
        .filter_map(parameter_name)
        .map(|name| json!({"name": name, "in": "path", "required": true, "type": "string"}));
    let in_query = parameters(description).map(|parameter| {
        let mut described = json!({
            "name": parameter.name,
            "in": "query",
            "required": false,
            "description": parameter.description,
            "type": match parameter.form {
                ParameterType::Text => "string",
                ParameterType::Integer => "integer",
                ParameterType::Boolean => "boolean",
                ParameterType::Texts => "array",
            },
        });
        if let (ParameterType::Texts, Some(fields)) = (parameter.form, described.as_object_mut()) {
            fields.insert("items".to_owned(), json!({"type": "string"}));
            fields.insert("collectionFormat".to_owned(), json!("multi"));
        }
        described
    });
    let in_body = (description.verb != RouteMethod::Get)
        .then(|| json!({"name": "body", "in": "body", "required": true, "schema": {"type": "object"}}));
    let area = description.parts().nth(1).unwrap_or("status");
    json!({
        "summary": description.summary,
        "tags": [area],
        "produces": ["application/json"],
        "parameters": in_path.chain(in_query).chain(in_body).collect::<Vec<_>>(),
        "responses": {"200": {"description": "OK", "schema": {"type": "object"}}},
    })
}
