package online

import (
	"sync/atomic"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
)

// tokens gives a running match the room's token whenever that changes: a kick revokes the
// old one, and nobody could join or come back any more. The zero value does nothing.
type tokens struct {
	changed atomic.Bool                // the room, since the last look
	given   string                     // what the match has
	set     func(tickback.Token) error // nil: there is no match to be joined
}

// follow begins with the token that the match was opened with.
func (t *tokens) follow(given string, set func(tickback.Token) error) {
	t.given, t.set = given, set
	t.changed.Store(true) // perhaps since the options were made
}

// renew gives the match the room's token, if it is still that of the same match. It is called
// where the match is.
func (t *tokens) renew(c *rooms.Client, match uint32) {
	if t.set == nil || !t.changed.Load() || !t.changed.Swap(false) {
		return
	}
	text := c.Token() // before the state: at worst that is newer, and says that it is for another match
	token, err := tickback.ParseToken(text)
	if err != nil || text == t.given || c.State().Match != match {
		return // a member without a seat gets none
	}
	t.given = text
	_ = t.set(token) // the room's tokens are valid; a match that nobody can join needs none
}
