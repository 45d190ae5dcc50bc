// Package sequencer orders the inputs of clients for a match that a server owns.
//
// A [Sequencer] accepts one input for each player and tick: the first copy that arrives. When the server runs a
// tick it closes it, and the order is final. Nobody waits: an input that is missing by then is replaced, for a
// quarter of a second by the last input of the player, after that by zeros or by a stand-in. Late inputs are
// counted, and a function of the game may carry a part of one, such as a tap, into the next tick.
//
// It also measures how early the first copies arrive: the server reports that to the clients, and each uses it to
// decide how far ahead of the server it runs (see session/pace.Lead).
//
// Inputs are bytes. Nothing here depends on the game or a link, or on whether inputs make sense.
package sequencer
