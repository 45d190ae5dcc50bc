package session

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/agreed"
)

// Reel is a recorder that keeps everything.
type Reel struct {
	Start  *RecordBegin
	Frames []agreed.Frame // from Start.First on
	Hashes map[Frame]uint64
	States map[Frame]string
	Done   *RecordEnd
	wrong  string // what came out of order
}

func (r *Reel) Begin(b *RecordBegin) {
	if r.Start != nil {
		r.wrong = "a second Begin"
	}
	c := *b
	c.Parameters.Data = slices.Clone(b.Parameters.Data)
	r.Start, r.Hashes, r.States = &c, map[Frame]uint64{}, map[Frame]string{}
}

func (r *Reel) State(f Frame, encoded []byte) {
	if f != r.next() {
		r.wrong = fmt.Sprintf("state %d before frame %d", f, r.next())
	}
	r.States[f] = string(encoded)
}

func (r *Reel) Frame(f *agreed.Frame, hash uint64, hashed bool) {
	if Frame(f.Number) != r.next() {
		r.wrong = fmt.Sprintf("frame %d, want %d", f.Number, r.next())
	}
	c := agreed.Frame{Number: f.Number, Inputs: slices.Clone(f.Inputs), Gone: f.Gone, Finished: f.Finished, Result: f.Result}
	for _, o := range f.Orders {
		c.Orders = append(c.Orders, slices.Clone(o))
	}
	r.Frames = append(r.Frames, c)
	if hashed {
		r.Hashes[r.next()] = hash
	}
}

func (r *Reel) End(e *RecordEnd) {
	if r.Done != nil {
		r.wrong = "a second End"
	}
	c := *e
	c.Log = slices.Clone(e.Log)
	r.Done = &c
}

// next is the frame that comes next.
func (r *Reel) next() Frame { return r.Start.First + Frame(len(r.Frames)) }

// Differs returns where two reels of a match differ in what both have, or "".
func (r *Reel) Differs(o *Reel) string {
	if r.wrong != "" || r.Start == nil {
		return "not a reel: " + r.wrong
	}
	a, b := *r.Start, *o.Start
	if a.Parameters.Seed != b.Parameters.Seed || a.Parameters.Frames != b.Parameters.Frames || a.Initial != b.Initial || a.Shape != b.Shape || a.Match != b.Match {
		return fmt.Sprintf("they begin with %+v and %+v", a, b)
	}
	for f := max(a.First, b.First); f < min(r.next(), o.next()); f++ {
		if x, y := fmt.Sprintf("%+v", r.Frames[f-a.First]), fmt.Sprintf("%+v", o.Frames[f-b.First]); x != y {
			return fmt.Sprintf("frame %d is %s and %s", f, x, y)
		}
		if x, y := r.Hashes[f+1], o.Hashes[f+1]; x != y {
			return fmt.Sprintf("hash %d is %x and %x", f+1, x, y)
		}
		if x, y := r.States[f], o.States[f]; x != y && f > max(a.First, b.First) {
			return fmt.Sprintf("state %d is %x and %x", f, x, y)
		}
	}
	return ""
}

// Replays returns an error if the frames do not lead to the recorded hashes, from the beginning and from each
// state.
func Replays[S any](r *Reel, game rollback.Definition[S, uint16]) error {
	starts := map[Frame]string{r.Start.First: string(r.Start.State)}
	for f, s := range r.States {
		starts[f] = s
	}
	for first, state := range starts {
		e, err := rollback.New(game, rollback.Config{Players: r.Start.Shape.Players, MaxOrders: 300})
		if err == nil && first > 0 {
			err = e.Load(first, []byte(state))
		}
		for f := first; err == nil && f < r.next(); f++ {
			g, in := &r.Frames[f-r.Start.First], make([]uint16, r.Start.Shape.Players)
			for p := range in {
				in[p] = le.Uint16(g.Inputs[2*p:])
			}
			if err = e.Feed(in, g.Orders, PlayerSet(g.Gone)); err != nil {
				break
			}
			want, hashed := r.Hashes[f+1]
			if got, _ := e.Hash(); hashed && got != want {
				err = fmt.Errorf("from state %d, state %d is %x, recorded is %x", first, f+1, got, want)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// EveryFrame is what recordings contain in these tests.
var EveryFrame = RecordWants{States: 60, Hashes: 1}

func (m *mesh) record(n *node) *Reel {
	m.Helper()
	r := new(Reel)
	if err := n.Record(r, EveryFrame); err != nil {
		m.Fatal(err)
	}
	return r
}

// Rule: the machines of a match record the same, with loss, a dropped player, a player that joins, and however late
// a recording begins; and the recording replays, from each state.
func TestAllMachinesRecordTheSame(t *testing.T) {
	m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match = Parameters{Seed: 9, Frames: 1500} })
	m.loss = 5
	count := 0
	m.orders = func(*node) []byte {
		if count++; count%50 != 0 {
			return nil
		}
		return make([]byte, count%300)
	}
	reels := []*Reel{m.record(m.nodes[0]), nil, m.record(m.nodes[2])}
	m.playing()
	m.run(3 * time.Second)
	reels[1] = m.record(m.nodes[1])
	m.nodes[2].down = true // and is dropped
	m.until("the others", 10*time.Second, func() bool { _, c := m.nodes[0].saw(Dropped); return c == 1 })
	n := m.join(m.somewhere(), 3, addrOf(1))
	reels = append(reels, m.record(n))
	m.theEnd(60 * time.Second)
	for i, r := range reels {
		if s := reels[0].Differs(r); s != "" {
			t.Errorf("recorders 0 and %d: %s", i, s)
		}
		if err := Replays(r, sumGame()); err != nil {
			t.Errorf("recorder %d: %v", i, err)
		}
		t.Logf("recorder %d: frames %d to %d, %d states", i, r.Start.First, r.next(), len(r.States))
		if i == 2 {
			continue
		}
		o, _ := m.nodes[i].Outcome()
		if e := r.Done; e == nil || !e.Ended || e.Next != 1500 || e.Outcome.Hash != o.Hash || e.Outcome.Chain != o.Chain || e.Failed != nil || e.Over != nil || r.next() != 1500 {
			t.Errorf("recorder %d ends at %d with %+v, the match with %+v", i, r.next(), e, o)
		}
		if i < 2 && len(r.Done.Log) != 2 {
			t.Errorf("recorder %d has the log %v", i, r.Done.Log)
		}
	}
	if r := reels[0]; r.Start.First != 0 || len(r.States) != 1499/60 || len(r.Hashes) != 1500 {
		t.Errorf("from %d, %d states and %d hashes", r.Start.First, len(r.States), len(r.Hashes))
	}
	if r := reels[3]; r.Start.First == 0 || len(r.States) < 5 {
		t.Errorf("the newcomer has recorded from %d, with %d states", r.Start.First, len(r.States))
	}
	if r := reels[1]; r.Start.First < 100 || len(r.States) < 15 {
		t.Errorf("the late one has recorded from %d, with %d states", r.Start.First, len(r.States))
	}
	// The check can fail.
	reels[1].Frames[200].Gone ^= 1
	if reels[0].Differs(reels[1]) == "" || Replays(reels[1], sumGame()) == nil {
		t.Error("a false status was not noticed")
	}
}

// Rule: with a window that is used up and slow agreement, states are still kept for their frames: all of them, if
// all are requested.
func TestStatesWaitForAgreement(t *testing.T) {
	m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames, c.Window = 600, 3 })
	m.way, m.loss = 150*time.Millisecond, 10
	var reels []*Reel
	for _, n := range m.nodes {
		r := new(Reel)
		if err := n.Record(r, RecordWants{States: 1}); err != nil {
			t.Fatal(err)
		}
		reels = append(reels, r)
	}
	m.theEnd(120 * time.Second)
	for i, r := range reels {
		if s := reels[0].Differs(r); s != "" || len(r.States) != 599 || len(r.Frames) != 600 {
			t.Errorf("recorders 0 and %d: %s; %d states", i, s, len(r.States))
		}
	}
}

// Rule: states are kept even if several frames run in one call, and only the newest state is held.
func TestStatesAreKeptWhenFramesRunAtOnce(t *testing.T) {
	s, err := New(sumGame(), Config{GameID: "sum", Players: 1, Match: Parameters{Frames: 300}}, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 3 }})
	if err != nil {
		t.Fatal(err)
	}
	r := new(Reel)
	if err := s.Record(r, RecordWants{States: 1}); err != nil {
		t.Fatal(err)
	}
	for now := time.Duration(0); r.Done == nil && now < 10*time.Second; now += 100 * time.Millisecond {
		for s.Update(now) <= now && r.Done == nil {
		}
	}
	if len(r.Frames) != 300 || len(r.States) != 299 || Replays(r, sumGame()) != nil {
		t.Errorf("%d frames, %d states, %v", len(r.Frames), len(r.States), Replays(r, sumGame()))
	}
}

// Rule: a recording ends with the session, whatever happens to the match, and says so.
func TestARecordingEndsWithTheSession(t *testing.T) {
	m := newMesh(t, 2, 0, func(_ int, c *Config) { c.Match.Frames = 10000 })
	r, other := m.record(m.nodes[0]), m.record(m.nodes[1])
	if err := m.nodes[0].Record(new(Reel), EveryFrame); !errors.Is(err, ErrRecording) {
		t.Errorf("a second recording: %v", err)
	}
	m.playing()
	m.run(2 * time.Second)
	m.nodes[0].Leave("enough")
	m.until("the end", 10*time.Second, func() bool { return m.nodes[0].Phase() == Over })
	if e := r.Done; e == nil || e.Ended || !errors.Is(e.Over, ErrClosed) || e.Failed != nil || e.Next != r.next() || e.Next < 60 {
		t.Errorf("it ends with %+v", e)
	}
	if err := m.nodes[0].Record(new(Reel), EveryFrame); !errors.Is(err, ErrClosed) {
		t.Errorf("a recording of a session that is over: %v", err)
	}
	m.run(2 * time.Second)
	m.nodes[1].StopRecording(errors.New("enough"))
	if e := other.Done; e == nil || e.Ended || e.Failed == nil || e.Next <= r.Done.Next || len(e.Log) != 1 {
		t.Errorf("the other one: %+v", e)
	}
	if s := r.Differs(other); s != "" {
		t.Error(s)
	}
	again := m.record(m.nodes[1])
	m.run(2 * time.Second)
	if again.Start == nil || again.Start.First < other.Done.Next || len(again.Frames) < 60 {
		t.Errorf("another recording: %+v", again.Start)
	}
}

// withoutMarshal is a mesh whose game has states that cannot be encoded.
func withoutMarshal(t *testing.T) *mesh {
	m := newMesh(t, 0, 0, nil)
	m.game = rollback.OwnMemory[sum, sum, uint16]{
		Init: func(s *sum) { *s = sum{} }, Step: sumGame().Step,
		Save: func(s, slot *sum) { *slot = *s }, Restore: func(s, slot *sum) { *s = *slot },
		Hash: func(s *sum) uint64 { return s.Total + s.Frame },
	}
	m.cfg = func(_ int, c *Config) { c.Match.Frames = 900 }
	for i := range 2 {
		m.add(addrOf(i), i, Config{Players: 3, Peers: []Peer{{PlayerSet(1) << (1 - i), addrOf(1 - i)}}, Reserved: 0b100})
	}
	return m
}

// Rule: a newcomer's recording from a host at fault is ended, with that reason: it may contain frames that were not
// played. Another recording may begin.
func TestARecordingOfAHostAtFaultEnds(t *testing.T) {
	m := withoutMarshal(t)
	m.playing()
	m.run(2 * time.Second)
	n := m.join(m.somewhere(), 2, addrOf(0))
	r := new(Reel)
	if err := n.Record(r, EveryFrame); err != nil {
		t.Fatal(err)
	}
	m.until("its frames", 5*time.Second, func() bool { return n.lateJoin != nil && n.lateJoin.loaded && r.Start != nil && len(r.Frames) > 0 })
	err := n.take(&spectate.Item{Frames: []byte{255, 255}, Count: 1})
	if err == nil {
		t.Fatal("nonsense is taken")
	}
	n.agreed = nil // it begins anew
	if n.rejectHost(err); r.Done == nil || !errors.Is(r.Done.Failed, errFault) {
		t.Errorf("it ends with %+v", r.Done)
	}
	if err := n.Record(new(Reel), EveryFrame); err != nil {
		t.Errorf("another recording: %v", err)
	}
}

// Rule: without Marshal, a recording can only begin with frame 0; that also holds for a newcomer.
func TestAGameWithoutMarshalIsRecordedFromFrame0(t *testing.T) {
	m := withoutMarshal(t)
	first := m.record(m.nodes[0])
	m.playing()
	m.run(2 * time.Second)
	var missing *rollback.CapabilityError
	if err := m.nodes[1].Record(new(Reel), EveryFrame); !errors.As(err, &missing) || missing.Missing != "Marshal" {
		t.Errorf("from the middle: %v", err)
	}
	n := m.join(m.somewhere(), 2, addrOf(0))
	r := m.record(n)
	m.theEnd(60 * time.Second)
	if s := first.Differs(r); s != "" || r.Start.First != 0 || r.next() != 900 || len(r.States) != 0 {
		t.Errorf("who has joined: %s, from %d to %d", s, r.Start.First, r.next())
	}
}
