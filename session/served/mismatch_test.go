package served

import (
	"errors"
	"strings"
	"testing"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: the first item that differs is named, with what both have in words, never as bits or bare numbers
// that stand for something, and with what to do.
func TestWhatDiffersIsSaidInWords(t *testing.T) {
	ours := (&Game{ID: "sum", Build: "1", Players: 4, TickRate: 20, MaxOrders: 8}).items(2, 0xabc)
	for _, c := range []struct {
		change  func(i *datagram.Items)
		version byte
		want    string
	}{
		{nil, 1, "the protocol version differs: here 2, at the server 1: both sides need the same version of Tickback"},
		{func(i *datagram.Items) { i.Game = "duel" }, 2, `the game differs: here "sum", at the server "duel": look at its address, and at GameID`},
		{func(i *datagram.Items) { i.OnLeave = byte(session.End) }, 2, "there is a match between peers, and here a match that a server owns: Connect plays at what Serve runs"},
		{func(i *datagram.Items) { i.OnLeave = byte(session.Continue) }, 2, "there is a match between peers, and here a match that a server owns: Connect plays at what Serve runs"},
		{func(i *datagram.Items) { i.OnLeave++ }, 2, "the Sight is not given here, and given at the server: give the same one to Serve and Connect, or none to both"},
		{func(i *datagram.Items) { i.Build = "" }, 2, `the build differs: here "1", at the server "": both sides need the same build of the game`},
		{func(i *datagram.Items) { i.Platform = "arm64" }, 2, `the platform differs: here none, since there are no floats, at the server "arm64": a step with floats needs`},
		{func(i *datagram.Items) { i.Players = 16 }, 2, "the number of players differs: here 4, at the server 16: Players has to be that of the server"},
		{func(i *datagram.Items) { i.InputSize = 3 }, 2, "the size of an input in bytes differs: here 2, at the server 3: both sides need the same build of the game"},
		{func(i *datagram.Items) { i.TickRate = 60 }, 2, "the tick rate differs: here 20, at the server 60: TickRate has to be that of the server"},
		{func(i *datagram.Items) { i.MaxOrders = 0 }, 2, "the limit of orders in bytes differs: here 8, at the server none: MaxOrders has to be that of the server"},
		{func(i *datagram.Items) { i.State = 1 }, 2, "the hash of state 0 differs: here 0000000000000abc, at the server 0000000000000001: Init makes another state here"},
	} {
		theirs := ours
		if c.change != nil {
			c.change(&theirs)
		}
		err := differs(&ours, c.version, &theirs)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("it says %v, want %s", err, c.want)
		}
		if of := (*session.MismatchError)(nil); !errors.As(err, &of) {
			t.Errorf("%v is no mismatch of a session", err)
		}
	}
	if err := differs(&ours, datagram.Version, &ours); err != nil {
		t.Errorf("nothing differs: %v", err)
	}
	begin := &MismatchError{itemBegin, hex(1), hex(2)}
	if !strings.HasSuffix(begin.Error(), "Start makes another state here, or what it reads is another one") {
		t.Error(begin)
	}
}
