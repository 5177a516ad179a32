/// stub
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {}
/// stub
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {}
