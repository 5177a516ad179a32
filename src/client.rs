//! HTTP: transport, one method per endpoint, paging, errors.
