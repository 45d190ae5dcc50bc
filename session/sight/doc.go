// Package sight encodes the states of a match for the clients of a server, each with no more than its player may
// know.
//
// An update describes the new state relative to one that the client holds, its baseline. It contains the inputs
// since then that the client may know. Both sides simulate from the baseline with these; the result is nearly the
// new state, and the exact difference follows. If everybody may know everything, the result is the new state: then
// there is no difference, nobody simulates anything for it, and one encoding serves all clients with that baseline.
// Then any state up to the newest that the client holds can be the baseline, since only the inputs since then are
// needed. [Encoder] is the server's side, [Decoder] the client's. The server keeps nothing per client: it
// reconstructs the baseline of any client from its ring of true states.
//
// The game decides what a player may know. Its sight is a function that blanks in a copy of a state what the player
// must not know, and returns the players whose inputs it may get. It must depend only on the state, and must not
// change what it has already blanked. A client gets another player's input only for ticks at whose beginning its
// player sees that player, so that an update depends on nothing hidden.
//
// # Wire form
//
// The number n of the new state is known from elsewhere. An update is a stream of bits, starting with the lowest
// bit of each byte, and with the lowest bit of each number:
//
//	bits  field     meaning
//	6     age       how many ticks before n the baseline is, 1 to 63
//	1     plain     1: nothing is run; the difference is that from the baseline
//	1     exact     1: a difference follows the ticks
//	16    check     the low bits of the hash of the new state, as the player may know it
//
// and then, for each tick from the baseline on, in order:
//
//	bits     field     meaning
//	1        same      1: gone and told are the same as in the tick before; else
//	players    gone    the absent players, bit p for player p
//	players    told    the players whose inputs follow; none of those that are gone
//
// then, for each player in told, in order:
//
//	1        changed   0: the input is the same as in the tick before, or zero if that was not
//	                   told; else
//	1          again   1: the same bytes of the input change as in the previous change in this
//	                   update; else
//	size         mask  which bytes change, bit i for byte i
//	8 each     bytes   those bytes, XORed with the former ones; none is 0
//	1        ordered   only in a match with orders: 1 if there are some; then
//	16         length  of the orders, 1 to the limit
//	8 each     bytes
//
// For the first tick, the reference is the tick before the baseline: the client has received that with the
// baseline. The bits are padded with zeros to a whole byte, and the difference follows, if there is one, in the
// format of docs/reference/delta.md, to the end.
//
// A whole state consists of these bytes: gone and told, 2 each, little-endian; the input of each player that is
// told; and the state as encoded by its game, to the end. Inputs and sets are those of the tick before.
package sight
