// Package sight is how a server tells its clients the states of a match, each no more than its
// player may know.
//
// An update says what has become of a state that the client holds, its baseline. It has the inputs
// that the client may know of the ticks since. Both sides run these from the baseline on; what
// comes out is nearly the new state, and the exact difference follows. If everybody may know
// everything, it is the new state: then there is no difference, nobody runs anything for it, and one
// encoding serves all clients with that baseline. Then any state up to the newest that the client holds
// can be the baseline, since all that it needs are the inputs since. [Encoder] is the side of the server, [Decoder] that
// of a client. The server keeps nothing for a client: from its ring of true states it makes the
// baseline of anybody again.
//
// What a player may know is the game's to say. Its sight is a function that blanks in a copy of a
// state what the player must not know, and returns whose inputs it may be told. It must depend on
// nothing but the state, and change nothing in what it has blanked already. A client is told an
// input only of a tick at whose begin its player sees the other one, so that an update depends on
// nothing that is hidden.
//
// # Wire form
//
// The number n of the new state is known from elsewhere. An update is a stream of bits, the lowest
// bit of each byte first, as are the bits of a number:
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
//	1        same      1: the same players are there, and the same of them are told, as in the
//	                   tick before; else
//	players    gone    who is not there, bit p for player p
//	players    told    whose inputs follow; none of those that are gone
//
// then, for each player that is told, in order:
//
//	1        changed   0: the input is that of the tick before, or zero if that was not told; else
//	1          again   1: the same bytes of the input differ from that as in the change before
//	                   in this update; else
//	size         mask  which bytes, bit i for byte i
//	8 each     bytes   those that differ, exclusive or with the former ones; none is 0
//	1        ordered   only in a match with orders: 1 if there are some; then
//	16         length  of them, 1 to the limit
//	8 each     bytes
//
// For the first tick, what was in the tick before the baseline counts: the client has been told that
// with the baseline. The bits are filled up with zeros to a whole byte, and the difference follows,
// if there is one, as docs/reference/delta.md has it, to the end.
//
// A whole state is, in bytes: gone and told, 2 each, little-endian; the input of each player that is
// told; and the state as its game encodes it, to the end. Inputs and sets are those of the tick
// before.
package sight
