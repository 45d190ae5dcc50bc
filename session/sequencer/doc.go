// Package sequencer puts the inputs of clients into the order of a match that a server owns.
//
// A [Sequencer] takes for each player and tick one input: the first copy that comes. When the
// server runs a tick it closes it, and the order is final. Nobody waits: what is missing by then
// is replaced, for a quarter of a second by the last input of the player, then by nothing or by
// a stand-in. What comes late is counted, and a function of the game may carry a part of it, such
// as a tap, into the next tick.
//
// It also measures how early the first copies come: the server reports that to the clients, and
// each decides by it how far ahead of the server it plays (see session/pace.Lead).
//
// Inputs are bytes. Nothing here knows a game, a link, or whether inputs make sense.
package sequencer
