//! What the programs of the comparison have in common: the games, their inputs, the network in virtual time, and the
//! rows. The packages in Go of bench/peers have the same games, inputs and network.

pub mod air;
pub mod alloc;
pub mod duel;
pub mod game;
pub mod held;
pub mod rows;
pub mod sys;
