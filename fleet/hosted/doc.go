// Package hosted plays whole matches that a server owns, in virtual time and from one seed: the server and the clients
// of package served, and spectators, on bad networks. It does for these what package fleet does for sessions between
// peers, and uses its faults, clocks and files.
//
//   - Draw everything from a seed, play it, and check it: [Draw], [Play], [Plan], [Result].
//   - Say what is played: [Game], with what its players do and may know.
//   - Find the smallest plan that still fails: [Shrink].
//   - Read a plan from a file: [ParsePlan].
//
// Machine 0 is the server. The clients follow, and then the spectators.
//
// # What is checked
//
// [Checkers] lists the checkers. Beside each client runs a naive one without an engine: it holds the last state and
// inputs that the client was told, and repeatedly steps from there. Its prediction must equal the client's in every
// tick. A comparison of both shows why the client has corrected what it showed of its own player; see [Cause].
//
// # Limitations
//
// Computing takes no time, apart from the costs of a plan. The game must be a rollback.Game, whose states are values, and must not have its own
// Predict. Sustained effects are not checked. Clients do not survive a change of their address, except by reconnecting.
package hosted
