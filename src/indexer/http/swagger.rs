//! `/swagger`: the routes of a listener, described from the table that dispatches them.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{
    reply::{Refusal, Reply, escape_html},
    request::HttpRequest,
    route::{Entry, Form, Outline, Parameter, Verb, parameter_name},
};

/// Where `/swagger` leads.
const PAGE: &str = "/swagger/index.html";

/// The description's own routes.
pub(super) static ROUTES: &[Entry<Document>] = &[
    Entry::get("/swagger", "To the page about this API", &[], |_, _| Ok(Reply::moved(PAGE))),
    Entry::get(PAGE, "The routes as a page", &[], |document, _| Ok(document.page())),
    Entry::get("/swagger/doc.json", "The routes as Swagger 2.0", &[], Document::json),
];

/// What is said of a listener's routes.
#[derive(Debug)]
pub(super) struct Document {
    outlines: Vec<Outline>,
    quirks: bool,
}

impl Document {
    /// Describes these routes, but for those under `/demo`, which are no part of either API.
    pub(super) fn new(mut outlines: Vec<Outline>, quirks: bool) -> Self {
        outlines.retain(|outline| !outline.path.starts_with("/demo"));
        Self { outlines, quirks }
    }

    /// Swagger 2.0. The real server's version is empty.
    fn json(&self, _: &HttpRequest<'_>) -> Result<Reply, Refusal> {
        let path = |outline: &Outline| (outline.path.to_owned(), json!({ verb(outline): operation(outline) }));
        let paths: Map<String, Value> = self.outlines.iter().map(path).collect();
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
        for outline in &self.outlines {
            let names: Vec<&str> = parameters(outline).map(|parameter| parameter.name).collect();
            let _ = write!(
                html,
                "<dt><code>{} {}</code></dt><dd>{}. {}</dd>",
                verb(outline).to_uppercase(),
                escape_html(outline.path),
                escape_html(outline.summary),
                escape_html(&names.join(", "))
            );
        }
        html.push_str("</dl></body></html>");
        Reply::of("text/html; charset=utf-8", html.into_bytes())
    }
}

fn verb(outline: &Outline) -> &'static str {
    match outline.verb {
        Verb::Get => "get",
        Verb::Post => "post",
        Verb::Put => "put",
    }
}

fn parameters(outline: &Outline) -> impl Iterator<Item = &'static Parameter> {
    outline.query.iter().copied().flatten()
}

fn operation(outline: &Outline) -> Value {
    let in_path = outline
        .parts()
        .filter_map(parameter_name)
        .map(|name| json!({"name": name, "in": "path", "required": true, "type": "string"}));
    let in_query = parameters(outline).map(|parameter| {
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
    let in_body = (outline.verb != Verb::Get)
        .then(|| json!({"name": "body", "in": "body", "required": true, "schema": {"type": "object"}}));
    let area = outline.parts().nth(1).unwrap_or("status");
    json!({
        "summary": outline.summary,
        "tags": [area],
        "produces": ["application/json"],
        "parameters": in_path.chain(in_query).chain(in_body).collect::<Vec<_>>(),
        "responses": {"200": {"description": "OK", "schema": {"type": "object"}}},
    })
}
