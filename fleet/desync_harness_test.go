package fleet

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/desync"
)

// field is the game for the tests of reports: units that move, in a state of some
// hundred fields.
type field struct {
	Frame uint32
	Units [12]unit
	Mix   [8]uint64
	Bias  uint32
	Rare  [40]uint16 // which no step ever touches
}

type unit struct {
	X, Y int32
	Hp   int16
	Dead bool
}

func fieldStep(s *field, t *rollback.Tick[note]) {
	s.Frame++
	for p := range t.Players() {
		s.Mix[p] = (s.Mix[p] ^ uint64(t.Input(p))) * prime
	}
	for i := range s.Units {
		u := &s.Units[i]
		u.X += int32(s.Mix[i%int(t.Players())] >> 60)
		u.Y -= u.X >> 8
		u.Hp = int16(u.Y)
		u.Dead = u.Hp < -1000
	}
}

// corruption changes fields of a peer's state, in the step of a frame.
type corruption struct {
	peers  []int
	frame  session.Frame // whose step does it: the state after it differs
	fields []int         // which ones
	heals  session.Frame // after so many frames; 0: never
	once   bool          // only as long as the frame is not agreed: no machine can reproduce it
}

// spoilable are the fields that can be corrupted, by path.
func spoilable(s *field, n int) (path string, spoil func()) {
	switch k := n % 60; {
	case k == 0:
		return "Bias", func() { s.Bias ^= 4 }
	case k < 13:
		i := k - 1
		return fmt.Sprintf("Units[%d].X", i), func() { s.Units[i].X ^= 1 << 20 }
	case k < 17:
		i := k - 13
		return fmt.Sprintf("Units[%d].Dead", i), func() { s.Units[i].Dead = !s.Units[i].Dead }
	case k < 20:
		i := k - 17
		return fmt.Sprintf("Mix[%d]", i), func() { s.Mix[i] ^= 1 }
	default:
		i := k - 20
		return fmt.Sprintf("Rare[%d]", i), func() { s.Rare[i] ^= 0x8000 }
	}
}

// trial is a fleet with a corruption.
type trial struct {
	testing.TB
	*Fleet[field, note]
	c     corruption
	setup Setup[field, note]
	short session.Frame // the match's length
}

// newTrial makes a fleet in which some peers are corrupted.
func newTrial(tb testing.TB, s Setup[field, note], c corruption) *trial {
	tb.Helper()
	t := &trial{TB: tb, c: c}
	s.Game = rollback.Game[field, note]{Step: fieldStep}
	s.Input = func(p rollback.Player, n int) note { return note(n/5*7 + int(p)) }
	for p := range s.Players {
		s.Seats = append(s.Seats, rollback.SetOf(rollback.Player(p)))
	}
	configured := s.Configure
	s.Configure = func(peer int, cfg *session.Config) {
		cfg.Build, cfg.Machine = "b1", fmt.Sprintf("machine %d", peer)
		cfg.Match.Seed, cfg.Match.Data = 77, []byte("stage 3")
		if configured != nil {
			configured(peer, cfg)
		}
		t.short = cfg.Match.Frames
	}
	t.setup = s
	var err error
	if t.Fleet, err = New(s); err != nil {
		tb.Fatal(err)
	}
	for _, i := range c.peers {
		t.corrupt(i)
	}
	return t
}

// corrupt gives a peer a new session, with a step that is corrupted.
func (t *trial) corrupt(peer int) {
	s, agreed := t.setup, false
	s.Hooks = func(_ int, h *session.Hooks[field, note]) {
		h.Agreed = func(a *rollback.Agreed[note]) { agreed = agreed || a.Frame == t.c.frame }
	}
	s.Game = rollback.Game[field, note]{Step: func(s *field, k *rollback.Tick[note]) {
		fieldStep(s, k)
		f, c := k.Frame(), &t.c
		if c.once && agreed {
			return
		}
		if f == c.frame || c.heals > 0 && f == c.frame+c.heals {
			for _, n := range c.fields {
				_, spoil := spoilable(s, n)
				spoil()
			}
		}
	}}
	p, err := newPeer(&s, peer)
	if err != nil {
		t.Fatal(err)
	}
	t.Peers[peer] = p
}

// paths are the fields that were corrupted, in order of the state.
func (t *trial) paths() map[string]bool {
	set := map[string]bool{}
	for _, n := range t.c.fields {
		path, _ := spoilable(&field{}, n)
		set[path] = true
	}
	return set
}

// run plays to the end, and returns the report, which must be the same at all peers.
func (t *trial) run(limit time.Duration) *desync.Report {
	t.Helper()
	t.play(limit)
	return t.report()
}

func (t *trial) play(limit time.Duration) {
	t.Helper()
	if !t.RunUntil(t.Now+limit, func() bool {
		for _, p := range t.Peers {
			if _, over := p.Outcome(); !over && !p.Down {
				return false
			}
		}
		return true
	}) {
		t.fail("the match has not ended within %v", limit)
	}
}

func (t *trial) report() *desync.Report {
	t.Helper()
	var first []byte
	for i, p := range t.Peers {
		if p.Down {
			continue
		}
		var got []byte
		for _, e := range p.Events {
			if e.What == session.Reported {
				if got != nil || e.Data == nil {
					t.fail("peer %d: %v", i, e)
				}
				got = e.Data
			}
		}
		if got == nil || !bytes.Equal(got, p.Report()) {
			t.fail("peer %d has no report, or another one than it says", i)
		}
		if first == nil {
			first = got
		}
		if !bytes.Equal(got, first) {
			t.fail("peer %d has another report", i)
		}
	}
	r, err := desync.Decode(first)
	if err != nil {
		t.fail("%v", err)
	}
	return r
}

func (t *trial) fail(format string, args ...any) {
	t.Helper()
	for i, p := range t.Peers {
		t.Logf("peer %d: %v, frame %d, %v, error %v", i, p.Phase(), p.Frame(), p.Health(), p.Err())
		for _, e := range p.Events {
			t.Logf("  %v", e)
		}
	}
	t.Fatalf("%+v: %s", t.c, fmt.Sprintf(format, args...))
}

// noticed checks that all have noticed at the first comparison after it.
func (t *trial) noticed() {
	t.Helper()
	state := t.c.frame + 1
	want := min((state+59)/60*60, t.short)
	for i, p := range t.Peers {
		noticed := 0
		for _, e := range p.Events {
			if e.What != session.Desync {
				continue
			}
			if noticed++; e.Frame != want {
				t.fail("peer %d has noticed at state %d, not %d", i, e.Frame, want)
			}
		}
		if noticed != 1 {
			t.fail("peer %d has noticed %d times", i, noticed)
		}
	}
}

// named checks that a report names the state, the groups and the fields.
func (t *trial) named(r *desync.Report) {
	t.Helper()
	t.noticed()
	var bad uint16
	for _, p := range t.c.peers {
		bad |= 1 << p
	}
	all := uint16(1<<len(t.Peers) - 1)
	a, b := r.Members(0), r.Members(1)
	if r.State != uint32(t.c.frame)+1 || len(r.Groups) != 2 || !(a == bad && b == all&^bad || b == bad && a == all&^bad) {
		t.fail("state %d, groups %b and %b of %d", r.State, a, b, len(r.Groups))
	}
	paths := t.paths()
	if len(r.Fields) != len(paths) || int(r.Total) != len(paths) || r.AtLeast {
		t.fail("%d fields of %d: %v", len(r.Fields), r.Total, r.Fields)
	}
	for _, f := range r.Fields {
		if !paths[f.Path] || f.Values[0].Text == f.Values[1].Text || f.Values[0].Kind != desync.Present || f.Values[1].Kind != desync.Present {
			t.fail("the field %v, and %v were corrupted", f, paths)
		}
	}
	if r.Begin == nil || r.State-r.First < min(r.State, 60) {
		t.fail("inputs from frame %d to %d, and %d bytes of a state", r.First, r.State, len(r.Begin))
	}
}

// randomCorruption makes a setup and a corruption.
func randomCorruption(r *rand.Rand) (Setup[field, note], corruption) {
	players := 2 + r.IntN(7)
	length := session.Frame(100 + r.IntN(200))
	s := Setup[field, note]{Players: players, Seed: r.Uint64(), Link: netem.Link{Delay: time.Duration(r.IntN(60)) * time.Millisecond}}
	switch r.IntN(3) {
	case 0:
		s.Link.Loss = netem.PPM(r.IntN(8)) * netem.Percent
	case 1:
		s.Link.Jitter, s.Link.Distribution = 10*time.Millisecond, netem.Exponential
	}
	s.Configure = func(_ int, c *session.Config) { c.Match.Frames = length }
	c := corruption{frame: session.Frame(r.IntN(int(length)))}
	for range 1 + r.IntN(max(1, players/2)) {
		c.peers = append(c.peers, r.IntN(players))
	}
	for range 1 + r.IntN(3) {
		c.fields = append(c.fields, r.IntN(60))
	}
	c.peers, c.fields = unique(c.peers), unique(c.fields)
	if r.IntN(3) == 0 { // a field that no step changes, so that it heals
		c.fields, c.heals = []int{[]int{0, 20 + r.IntN(40)}[r.IntN(2)]}, session.Frame(1+r.IntN(40))
	}
	return s, c
}

func unique(list []int) (set []int) {
	seen := map[int]bool{}
	for _, n := range list {
		if !seen[n] {
			set = append(set, n)
		}
		seen[n] = true
	}
	return set
}
