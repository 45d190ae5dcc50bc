package served

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/session/sight"
)

// Rule: a whole state that is none ends the match of its client, with what is wrong.
func TestAWholeStateThatIsNone(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	n := f.server.Frame() + 9
	for _, m := range [][]byte{appendState(nil, n, 2), {messageChunk, 1, 2}} {
		if err := f.server.clients.of[p].pipe.Channel.Send(m); err != nil {
			t.Fatal(err)
		}
	}
	f.run(100 * time.Millisecond)
	var wrong *sight.DataError
	if !errors.As(f.other.Err(), &wrong) || wrong.State != n {
		t.Errorf("it plays on: %v", f.other.Err())
	}
	f.unharmed()
}
