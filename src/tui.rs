//! The imperative shell: terminal guard, event loop, effects.
