//! `state.sqlite`: what is kept between sessions, by network.
