use crate::domain::Timestamp;

/// Network that the user left and that is kept, so that it returns as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptName {
    pub label: String,
    /// Text with which the user chose the network; it chooses the network again.
    pub name: String,
    pub until: Timestamp,
    /// Number of its live transfers, which nothing tracks meanwhile.
    pub transfers: usize,
}
