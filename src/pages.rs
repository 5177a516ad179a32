//! The screens, a folder each. They never see each other; [`open`] is the list of them.
