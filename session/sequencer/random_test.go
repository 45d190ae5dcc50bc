package sequencer

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// naive is a sequencer that remembers everything and follows the rules.
type naive struct {
	next    Frame
	ahead   Frame
	players [rollback.MaxPlayers]*naivePlayer
}

type naivePlayer struct {
	from    Frame
	came    map[Frame]byte // all first copies
	late    []byte         // to be carried
	margins []Margin
	counts  map[Verdict]uint64
}

const naiveHold = 5

func (n *naive) add(p Player, f Frame, input byte, at time.Duration) Verdict {
	if n.players[p] == nil {
		return Absent
	}
	pl := n.players[p]
	v := Taken
	_, came := pl.came[f]
	switch {
	case f < pl.from:
		v = Absent
	case f > n.next+n.ahead:
		v = Early
	case f+64 < n.next:
		v = Stale
	case came:
		v = Repeated
	case f < n.next:
		v = Late
	}
	pl.counts[v]++
	if v == Taken || v == Late {
		pl.came[f] = input
		if len(pl.margins) == 16 { // the first that came earliest gives way
			earliest := slices.MaxFunc(pl.margins, func(a, b Margin) int { return cmp.Compare(a.Early, b.Early) })
			i := slices.Index(pl.margins, earliest)
			pl.margins = slices.Delete(pl.margins, i, i+1)
		}
		pl.margins = append(pl.margins, Margin{f, time.Duration(f)*50*time.Millisecond - at})
		if v == Late && f+naiveHold >= n.next {
			pl.late = append(pl.late, input)
		}
	}
	return v
}

// close returns the input of a player, and whether it came; in is false for one that is not in.
func (n *naive) close(p Player) (input byte, came, in bool) {
	pl := n.players[p]
	if pl == nil || n.next < pl.from {
		return 0, false, false
	}
	input, came = pl.came[n.next]
	for back := Frame(1); !came && back <= naiveHold && back <= n.next; back++ {
		if last, known := pl.came[n.next-back]; known {
			input = last
			break
		}
	}
	for _, late := range pl.late {
		input |= late & 0xF0
	}
	pl.late = nil
	return input, came, true
}

// Rule: whatever arrives, in any order, the sequencer decides by the rules, and remembers enough.
func TestRandomInputsAreOrderedByTheRules(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 60
	}
	var seen [verdicts]uint64
	var replaced, carried int
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 19))
		ahead := 1 + rng.IntN(9)
		s, err := New(Config{Width: 1, Rate: 20, Ahead: ahead, Carry: func(late, next []byte) { next[0] |= late[0] & 0xF0 }})
		if err != nil {
			t.Fatal(err)
		}
		n := naive{ahead: Frame(ahead)}
		for range 1500 {
			p := Player(rng.IntN(3)) * (rollback.MaxPlayers - 1) / 2
			switch rng.IntN(40) {
			case 0:
				from := n.next + Frame(rng.IntN(3))
				if ok := s.Join(p, from); ok != (n.players[p] == nil) {
					t.Fatalf("seed %d: joining is %v", seed, ok)
				} else if ok {
					n.players[p] = &naivePlayer{from: from, came: map[Frame]byte{}, counts: map[Verdict]uint64{}}
				}
			case 1:
				if rng.IntN(8) == 0 {
					if ok := s.Leave(p); ok != (n.players[p] != nil) {
						t.Fatalf("seed %d: leaving is %v", seed, ok)
					}
					n.players[p] = nil
				}
			case 2, 3, 4, 5, 6, 7, 8:
				inputs, who := s.Close(n.next, time.Duration(n.next)*50*time.Millisecond)
				for p := range Player(rollback.MaxPlayers) {
					input, came, in := n.close(p)
					if (inputs[p] != nil) != in || who.Has(p) != (in && !came) || in && inputs[p][0] != input {
						t.Fatalf("seed %d: tick %d: player %d has %v, replaced %v; want %v, in %v, came %v", seed, n.next, p, inputs[p], who, input, in, came)
					}
				}
				replaced += who.Len()
				n.next++
			default:
				f := n.next + Frame(rng.IntN(2*ahead)) - min(n.next, Frame(rng.IntN(1+rng.IntN(80))))
				input, at := byte(rng.Uint32()), time.Duration(rng.Int64N(1e12))
				v := s.Add(p, f, []byte{input}, at)
				if want := n.add(p, f, input, at); v != want {
					t.Fatalf("seed %d: an input for tick %d before tick %d: %v, want %v", seed, f, n.next, v, want)
				}
				seen[v]++
			}
			pl := n.players[p]
			if pl == nil {
				continue
			}
			for v := range Verdict(verdicts) {
				if s.Count(p, v) != pl.counts[v] {
					t.Fatalf("seed %d: %d are %v, want %d", seed, s.Count(p, v), v, pl.counts[v])
				}
			}
			if rng.IntN(20) == 0 {
				var got []Margin
				for m, any := s.TakeMargin(p); any; m, any = s.TakeMargin(p) {
					got = append(got, m)
				}
				if !slices.Equal(got, pl.margins) {
					t.Fatalf("seed %d: the margins are %v, want %v", seed, got, pl.margins)
				}
				pl.margins = nil
			}
			carried = max(carried, int(s.Carried(p)))
		}
	}
	t.Logf("%v of each verdict, %d replaced, up to %d carried", seen, replaced, carried)
	if slices.Min(seen[:Misfit]) < 200 || replaced < 1000 || carried < 10 {
		t.Error("the test does not try enough")
	}
}
