package online

import (
	"sync/atomic"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
)

// tokens passes the room's token to a running match whenever it changes. A kick revokes the old token, which can then
// no longer be used to join or to come back. The zero value does nothing.
type tokens struct {
	changed atomic.Bool                // the room has changed since the last check
	given   string                     // the token that the match has now
	set     func(tickback.Token) error // nil if the match cannot be joined
}

// follow begins with the token that the match was opened with.
func (t *tokens) follow(given string, set func(tickback.Token) error) {
	t.given, t.set = given, set
	t.changed.Store(true) // the room may have changed since the options were made
}

// renew passes the room's token to the match, if the room still plays that match. It must be called on the goroutine
// that uses the match.
func (t *tokens) renew(c *rooms.Client, match uint32) {
	if t.set == nil || !t.changed.Load() || !t.changed.Swap(false) {
		return
	}
	text := c.Token() // read before the state: at worst the state is newer, and shows another match
	token, err := tickback.ParseToken(text)
	if err != nil || text == t.given || c.State().Match != match {
		return // a member without a seat gets no token
	}
	t.given = text
	_ = t.set(token) // there is no error: the tokens of a room are valid, and only a match that nobody can join does not take one
}
