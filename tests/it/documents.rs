//! What the documents say of the code, and the code of the documents: citations, paths, names, the glossary.

mod citations;
mod claims;
mod comments;
mod glossary;
mod names;
mod paths;
mod source;
mod tables;
