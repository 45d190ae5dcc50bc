package membership

import "testing"

// Rule: a claim is sent at first and whenever it has changed; an empty first one is not, by a lazy member that nobody has
// stirred.
func TestWhenAClaimIsSent(t *testing.T) {
	pause := claim{wishes: wishes{pause: true}}
	for _, lazy := range []bool{false, true} {
		c := newClaims(4)
		for i, s := range []struct {
			ours claim
			want bool
		}{{claim{}, !lazy}, {claim{}, false}, {pause, true}, {pause, false}, {claim{}, true}, {claim{}, false}} {
			if got := c.say(1, &s.ours, lazy); got != s.want || c.by[1] != s.ours {
				t.Errorf("lazy %v, %d: %v, recorded %+v", lazy, i, got, c.by[1])
			}
			if c.calm(lazy) != (s.ours == claim{}) {
				t.Errorf("lazy %v, %d: calm %v", lazy, i, c.calm(lazy))
			}
		}
	}
	c := newClaims(4)
	c.stir(&message{what: tellClaim})
	if c.stirred || !c.calm(true) {
		t.Error("an empty claim stirs")
	}
	if c.stir(&message{what: tellPrepare}); c.calm(true) || !c.say(1, &claim{}, true) {
		t.Error("a lazy member that was stirred is silent")
	}
}

// Rule: inputs are sent once, from what the member claims to hold; early claims outlast the slot, and nothing else does.
func TestWhatClaimsOutlastASlot(t *testing.T) {
	c := newClaims(4)
	if first := c.take(4, &claim{held: [maxPlayers]Frame{1: 10}}); !first || c.take(4, &c.by[2]) {
		t.Error("which is the first claim?")
	}
	for i, s := range []struct {
		end, from Frame
		lacks     bool
	}{{10, 10, false}, {12, 10, true}, {12, 12, false}, {13, 12, true}} {
		if from, lacks := c.fill(2, 1, s.end); from != s.from || lacks != s.lacks {
			t.Errorf("%d: from %d, %v", i, from, lacks)
		}
	}
	c.postpone(4, 7, &claim{accused: 1})
	c.begin()
	if c.heard != 0 || c.by[2] != (claim{}) || c.filled[2][1] != 0 {
		t.Errorf("%+v", c)
	}
	if e := c.early[2]; e.from != 4 || e.slot != 7 || e.claim.accused != 1 {
		t.Errorf("%+v", e)
	}
}
