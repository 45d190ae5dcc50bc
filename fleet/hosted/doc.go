// Package hosted plays whole matches that a server owns, in virtual time and from one seed: the
// server and the clients of package served, and spectators, on bad networks. It is to those what
// package fleet is to sessions between peers, and uses its faults, clocks and files.
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
// [Checkers] lists the checkers. Beside each client runs a naive one, which has no engine: it holds
// the state and the inputs that the client was told last, and steps from there, again and again.
// Its prediction must be the client's, in every tick. From both follows why the client has
// corrected what it showed of its own player; see [Cause].
//
// # Limitations
//
// Machines compute in no time. The game has to be a rollback.Game, whose states are values, and
// must not have a Predict of its own. Effects that last are not checked. Clients do not follow
// a change of their address, except by coming again.
package hosted
