//! HTTP: the indexer API over the index, on one listener.
