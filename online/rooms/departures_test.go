//go:build !js

package rooms

import (
	"errors"
	"net/netip"
	"slices"
	"testing"

	"github.com/tickback/tickback/session/shares"
)

// Who was kicked is known by the secret and the address; who has left and lost its seat is told to whom. The newest 64
// are kept.
func TestDepartures(t *testing.T) {
	from := shares.Origin{Near: netip.MustParsePrefix("10.0.0.1/32")}
	var d departures
	taken := &TakenError{"Bo"}
	d.add(departed{1, "one", from, nil})
	d.add(departed{2, "two", shares.Origin{}, taken})
	if d.hasKicked("one") || d.hasKickedFrom(from) || d.kick(3) {
		t.Error("nobody was kicked yet")
	}
	if !errors.Is(d.reason("two"), taken) || !errors.Is(d.reason("one"), ErrMember) || !errors.Is(d.reason("three"), ErrMember) {
		t.Errorf("%v, %v, %v", d.reason("two"), d.reason("one"), d.reason("three"))
	}
	if !d.kick(1) || d.kick(1) || !d.hasKicked("one") || d.hasKicked("two") || !d.hasKickedFrom(from) || d.hasKickedFrom(shares.Origin{}) {
		t.Errorf("%+v", d)
	}
	for range 63 {
		d.add(departed{id: 9})
	}
	if len(d.left) != 64 || d.left[0].id != 2 {
		t.Errorf("%d are kept, from %d on", len(d.left), d.left[0].id)
	}
	d.add(departed{id: 9})
	if len(d.left) != 64 || d.kick(2) {
		t.Errorf("with one more %d are kept, and the oldest is still there", len(d.left))
	}
}

// A match is played from its beginning to its end; a starter can leave the newest one only.
func TestARound(t *testing.T) {
	var r round
	if r.runs(0) {
		t.Error("one is played before the first")
	}
	r.begin([]Starter{{ID: 5, Seat: 0}, {ID: 7, Seat: 1}})
	if !r.runs(1) || r.runs(0) || r.runs(2) {
		t.Errorf("%+v", r)
	}
	r.gone(5, 2)
	r.gone(7, 1)
	if want := []Starter{{ID: 5, Seat: 0}, {ID: 7, Seat: 1, Gone: true}}; !slices.Equal(r.starters, want) {
		t.Errorf("%+v, want %+v", r.starters, want)
	}
	if r.end(); r.runs(1) || r.number != 1 {
		t.Errorf("after its end: %+v", r)
	}
}
