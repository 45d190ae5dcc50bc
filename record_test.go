package tickback_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
)

// hall is a set of machines in virtual time that reach each other, with delay and loss.
type hall struct {
	*watch
	r      *rand.Rand
	loss   int // percent
	ends   []*door
	flying []letter
}

// door is the transport of a machine in a hall.
type door struct {
	hall   *hall
	here   netip.AddrPort
	queue  []letter
	notify chan struct{}
	shut   bool
}

type letter struct {
	at       time.Time
	from, to netip.AddrPort
	bytes    []byte
}

func newHall() *hall { return &hall{watch: newWatch(), r: rand.New(rand.NewPCG(3, 4))} }

func (h *hall) door() *door {
	d := &door{hall: h, notify: make(chan struct{}, 1), here: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, byte(len(h.ends) + 1)}), 7)}
	h.ends = append(h.ends, d)
	return d
}

func (d *door) Send(to netip.AddrPort, b []byte) error {
	if d.hall.r.IntN(100) >= d.hall.loss {
		d.hall.flying = append(d.hall.flying, letter{d.hall.now.Add(30 * time.Millisecond), d.here, to, bytes.Clone(b)})
	}
	return nil
}

func (d *door) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	if len(d.queue) == 0 {
		return 0, from, at, false
	}
	l := d.queue[0]
	d.queue = d.queue[1:]
	return copy(buf, l.bytes), l.from, l.at, true
}

func (d *door) Notify() <-chan struct{} { return d.notify }
func (d *door) Close() error            { d.shut = true; return nil }

// deliver lets time pass.
func (h *hall) deliver(d time.Duration) {
	h.advance(d)
	h.flying = slices.DeleteFunc(h.flying, func(l letter) bool {
		if l.at.After(h.now) {
			return false
		}
		for _, d := range h.ends {
			if d.here == l.to && !d.shut {
				d.queue = append(d.queue, l)
			}
		}
		return true
	})
}

// film is a recording in memory, and the session that makes it.
type film struct {
	tickback.Session[counter]
	bytes.Buffer
	events []tickback.Event
	err    error
	dead   bool
}

func (f *film) open(t *testing.T) *tbr.Reader {
	t.Helper()
	r, err := tbr.Open(bytes.NewReader(f.Bytes()), int64(f.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (f *film) saw(what ...any) *tickback.Event {
	for i := range f.events {
		if f.events[i].What == what[0] {
			return &f.events[i]
		}
	}
	return nil
}

// recorded waits for the event that the recording is complete.
func (f *film) recorded(t *testing.T) *tickback.Event {
	t.Helper()
	for range 10000 {
		f.events = append(f.events, f.Events()...)
		if e := f.saw(tickback.Recorded); e != nil {
			return e
		}
		f.Poll()
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the recording does not end")
	return nil
}

// body lists the chunks that all machines of a match write identically, from a frame on.
func body(t *testing.T, r *tbr.Reader, from uint32) (list []string) {
	t.Helper()
	for c, err := range r.Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Flags&tbr.Body == 0 || c.Frame < from {
			continue
		}
		p, err := r.Payload(c)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%v %x %d: %x", c.Kind, c.Flags, c.Frame, p))
	}
	return list
}

const slowRate = 10 // frames per second, so that a segment has 640 frames

// Rule: all machines of a match write the same body, byte for byte: players, with loss, when a player is dropped and
// when one joins, and spectators; those that come late from the next segment on.
func TestAllMachinesWriteTheSameBody(t *testing.T) {
	h := newHall()
	h.loss = 3
	token := tickback.NewToken()
	all := func(o tickback.Options[counter, uint32], f *film) tickback.Options[counter, uint32] {
		o.Players, o.OnLeave, o.Token, o.Reserved, o.TickRate = 4, tickback.Continue, token, tickback.SetOf(3), slowRate
		o.Match, o.MaxOrders, o.Record = tickback.Parameters{Seed: 5, Frames: 2000, Data: []byte("stage")}, 40, f
		o.Spectators.Max, o.Advanced.Now = 4, h.Now
		r := rand.New(rand.NewPCG(1, uint64(len(h.ends))))
		in := uint32(0)
		o.Sample = func(tickback.Player) uint32 {
			if r.IntN(6) == 0 {
				in = r.Uint32()
			}
			return in
		}
		o.Orders = func(tickback.Player) []byte { return make([]byte, r.IntN(60)/58*r.IntN(40)) }
		return o
	}
	var films []*film
	doors := []*door{h.door(), h.door(), h.door()}
	for i := range doors {
		var peers []tickback.Peer
		for k, d := range doors {
			if k != i {
				peers = append(peers, tickback.Peer{Players: tickback.SetOf(tickback.Player(k)), Addr: d.here})
			}
		}
		f := new(film)
		m, err := tickback.P2P(counting, all(tickback.Options[counter, uint32]{Transport: doors[i], Peers: peers}, f))
		if err != nil {
			t.Fatal(err)
		}
		f.Session = m
		films = append(films, f)
	}
	spectate := func() {
		f := new(film)
		s, err := tickback.Spectate(counting, tickback.SpectatorOptions[counter, uint32]{
			Hosts: []netip.AddrPort{doors[1].here, doors[0].here}, Transport: h.door(), TickRate: slowRate, MaxOrders: 40, Token: token,
			Advanced: tickback.Advanced{Now: h.Now}, Record: f,
		})
		if err != nil {
			t.Fatal(err)
		}
		f.Session = s
		films = append(films, f)
	}
	run := func(d time.Duration) {
		for end := h.now.Add(d); h.now.Before(end); h.deliver(20 * time.Millisecond) {
			for _, f := range films {
				if f.dead || f.err != nil {
					continue
				}
				_, f.err = f.Update()
				f.events = append(f.events, f.Events()...)
			}
		}
	}
	spectate()
	run(30 * time.Second)
	films[2].dead = true // and is dropped
	doors[2].shut = true
	run(15 * time.Second)
	newcomer := new(film)
	joined, err := tickback.Join(counting, []netip.AddrPort{doors[0].here}, func() tickback.Options[counter, uint32] {
		o := all(tickback.Options[counter, uint32]{Transport: h.door(), Local: tickback.SetOf(3)}, newcomer)
		o.Reserved = 0
		return o
	}())
	if err != nil {
		t.Fatal(err)
	}
	newcomer.Session = joined
	films = append(films, newcomer)
	run(30 * time.Second)
	spectate()
	run(200 * time.Second)
	films[0].recorded(t)
	reference := films[0].open(t)
	for i, f := range films {
		if i == 2 {
			continue
		}
		if f.saw(tickback.Ended) == nil {
			t.Fatalf("machine %d does not come to the end: %v, %v", i, f.err, f.events)
		}
		if e := f.recorded(t); e.Text != "" || e.Frame != 2000 {
			t.Errorf("machine %d: %v", i, e)
		}
		r := f.open(t)
		from := uint32(0)
		if i >= 4 != (r.First() > 0) {
			t.Errorf("machine %d records from frame %d", i, r.First())
		}
		if r.First() > 0 {
			from = (r.First() + 640 - 1) / 640 * 640
		}
		got, want := body(t, r, from), body(t, reference, from)
		if !slices.Equal(got, want) || len(got) < 20 {
			t.Errorf("machine %d: from frame %d, %d chunks and %d are not the same", i, from, len(got), len(want))
		}
		end, whole := r.End()
		o, _ := f.Outcome()
		if !whole || r.Damage() != nil || end.Next != 2000 || end.Reason != "" || end.Hash != o.Hash || end.Chain != o.Chain || end.Gone != uint16(o.Left) || !end.Hashed {
			t.Errorf("machine %d ends with %+v, and the match with %+v", i, end, o)
		}
		if err := replays(r); err != nil {
			t.Errorf("machine %d: %v", i, err)
		}
	}
	if h := reference.Header(); h.Seed != 5 || h.Length != 2000 || string(h.Data) != "stage" || h.Shape.Players != 4 || h.HashEvery != slowRate || h.Recorder != "player 0" || h.State0 == 0 || h.Created < 1000_000 || h.Created > 1001_000 {
		t.Errorf("the header is %+v", h)
	}
	// The check can fail.
	if slices.Equal(body(t, reference, 0), body(t, reference, 1)) {
		t.Error("chunks were not compared")
	}
}

// replays plays a recording, and compares the hashes.
func replays(r *tbr.Reader) error {
	e, err := rollback.New(counting, rollback.Config{Players: r.Header().Shape.Players, MaxOrders: r.Header().Shape.MaxOrders})
	if err != nil {
		return err
	}
	if r.First() > 0 {
		_, state, err := r.Keyframe(r.First())
		if err == nil {
			err = e.Load(rollback.Frame(r.First()), state)
		}
		if err != nil {
			return err
		}
	}
	hashes := map[uint32]tbr.Hash{}
	for h, err := range r.Hashes(0) {
		if err != nil {
			return err
		}
		hashes[h.State] = h
	}
	c, err := r.Frames(r.First())
	for err == nil {
		f, failed := c.Next()
		if errors.Is(failed, io.EOF) {
			break
		}
		if failed != nil {
			return failed
		}
		in := make([]uint32, len(f.Inputs)/4)
		for p := range in {
			for k := range 4 {
				in[p] |= uint32(f.Inputs[4*p+k]) << (8 * k)
			}
		}
		if err = e.Feed(in, f.Orders, rollback.PlayerSet(f.Gone)); err != nil {
			return err
		}
		hash, _ := e.Hash()
		if h, ok := hashes[f.Number+1]; ok && !h.Matches(hash) {
			return fmt.Errorf("state %d has another hash", f.Number+1)
		}
		delete(hashes, f.Number+1)
	}
	if len(hashes) > 0 {
		return fmt.Errorf("%d hashes are of no state", len(hashes))
	}
	return err
}

// filmed makes a local match of two that is recorded, and plays the given number of frames.
func filmed(t *testing.T, frames int, out io.Writer, change func(o *tickback.Options[counter, uint32])) (*film, *watch) {
	t.Helper()
	o := tickback.Options[counter, uint32]{Players: 2, TickRate: slowRate, Match: tickback.Parameters{Seed: 7}}
	f := new(film)
	if o.Record = out; out == nil {
		o.Record = f
	}
	if change != nil {
		change(&o)
	}
	m, w, _ := local(t, o)
	f.Session = m
	for i := 0; i < frames; i++ {
		if _, f.err = m.Update(); f.err != nil {
			break
		}
		f.events = append(f.events, f.Events()...)
		w.advance(time.Second / slowRate)
	}
	return f, w
}

// Rule: a recording ends with the match, the session or a call, and states the reason, in the file and with an event.
func TestARecordingSaysWhyItEnds(t *testing.T) {
	type options = tickback.Options[counter, uint32]
	f, _ := filmed(t, 120, nil, func(o *options) { o.Match.Frames = 100 })
	if e := f.recorded(t); e.Frame != 100 || e.Text != "" {
		t.Errorf("of a whole match: %v", e)
	}
	if end, ok := f.open(t).End(); !ok || end.Reason != "" || end.Next != 100 {
		t.Errorf("of a whole match: %+v", end)
	}

	f, _ = filmed(t, 100, nil, nil)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	f.events = append(f.events, f.Events()...)
	e := f.saw(tickback.Recorded)
	if e == nil || e.Text != "" || e.Frame < 98 || e.Frame > 100 {
		t.Fatalf("Close does not wait for the recording: %v", e)
	}
	r := f.open(t)
	if end, ok := r.End(); !ok || end.Next != uint32(e.Frame) || !strings.Contains(end.Reason, "closed") {
		t.Errorf("of a match that was left: %+v", end)
	}
	if err := replays(r); err != nil {
		t.Error(err)
	}

	f = new(film)
	f.Session, _ = first(local(t, options{Record: f}))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f.events = f.Events(); f.saw(tickback.Recorded) == nil {
		t.Errorf("of no match: %v", f.events)
	}
}

func first[A, B, C any](a A, b B, _ C) (A, B) { return a, b }

// Rule: a sync test is recorded like any other match, even if it fails.
func TestASyncTestIsRecorded(t *testing.T) {
	for _, odd := range []bool{false, true} {
		game, outside := counting, uint64(0)
		if odd {
			game.Step = func(s *counter, t *rollback.Tick[uint32]) {
				if counting.Step(s, t); s.Frames > 150 {
					outside++
					s.Sum += outside
				}
			}
		}
		w, f := newWatch(), new(film)
		o := tickback.Options[counter, uint32]{Players: 2, TickRate: slowRate, Record: f, Sample: func(p tickback.Player) uint32 { return uint32(p) }}
		o.Advanced.Now, o.Match.Frames = w.Now, 300
		m, err := tickback.SyncTest(game, 5, o)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < 400 && err == nil; n++ {
			_, err = m.Update()
			w.advance(time.Second / slowRate)
		}
		m.Close()
		r := f.open(t)
		end, closed := r.End()
		if closed && !odd && (end.Next != 300 || end.Reason != "" || err != nil) || odd && (end.Next < 140 || end.Next > 152 || !strings.Contains(end.Reason, "session was over")) {
			t.Errorf("odd %v: %+v, %v", odd, end, err)
		}
		if err := replays(r); err != nil {
			t.Errorf("odd %v: %v", odd, err)
		}
	}
}

// Rule: a recording can begin in the middle of a match, and again later, but only one can run at a time.
func TestAMatchIsRecordedFromTheMiddle(t *testing.T) {
	f, w := filmed(t, 300, nil, nil)
	m := f.Session.(*tickback.Match[counter, uint32])
	var late bytes.Buffer
	if err := m.Record(&late, tickback.RecordOptions{}); !errors.Is(err, tickback.ErrRecording) {
		t.Errorf("a second recording: %v", err)
	}
	other, w2 := filmed(t, 100, io.Discard, nil)
	_ = w2
	other.Close()
	if err := other.Session.(*tickback.Match[counter, uint32]).Record(&late, tickback.RecordOptions{}); !errors.Is(err, tickback.ErrClosed) {
		t.Errorf("of a session that is over: %v", err)
	}
	if err := m.Record(nil, tickback.RecordOptions{}); err == nil {
		t.Error("nothing to write to")
	}
	_ = w
	f, w = filmed(t, 300, nil, func(o *tickback.Options[counter, uint32]) { o.Record = nil })
	m = f.Session.(*tickback.Match[counter, uint32])
	for _, bad := range []tickback.RecordOptions{
		{KeyframeEvery: math.MaxInt32}, {Meta: make([]tickback.MetaField, 100)}, {Meta: []tickback.MetaField{{Value: strings.Repeat("x", 5000)}}},
	} {
		if err := m.Record(&late, bad); !errors.Is(err, tickback.ErrOptions) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if err := m.Record(f, tickback.RecordOptions{HashEvery: 3, KeyframeEvery: 1, Meta: []tickback.MetaField{{Key: "stage", Value: "4"}}}); err != nil {
		t.Fatal(err)
	}
	for range 1200 {
		update(t, m)
		w.advance(time.Second / slowRate)
	}
	f.Close()
	r := f.open(t)
	if h := r.Header(); r.First() < 290 || r.Next() < 1490 || h.HashEvery != 3 || len(h.Meta) != 1 || h.Meta[0].Value != "4" {
		t.Errorf("frames %d to %d, %+v", r.First(), r.Next(), h)
	}
	if frame, _, err := r.Keyframe(r.Next()); frame != 1280 || err != nil {
		t.Errorf("the last keyframe is that of frame %d: %v", frame, err)
	}
	if err := replays(r); err != nil {
		t.Error(err)
	}
}

// Rule: the hashes in a recording are those of the match.
func TestTheHashesOfARecordingAreReachable(t *testing.T) {
	for _, c := range []struct{ asked, match, want int }{
		{0, 0, slowRate}, {1, 0, 1}, {4, 0, 4}, {0, 4, 20}, {4, 6, 12}, {1, 6, 6}, {-1, 0, 0}, {5, -1, 0}, {12, 6, 12},
	} {
		f, _ := filmed(t, 200, nil, func(o *tickback.Options[counter, uint32]) {
			o.Recording.HashEvery, o.Advanced.HashEvery, o.Advanced.ChainEvery = c.asked, c.match, 60
			if c.match > 0 {
				o.Advanced.ChainEvery = 10 * c.match
			}
		})
		f.Close()
		r := f.open(t)
		n := 0
		for _, err := range r.Hashes(0) {
			if err != nil {
				t.Error(err)
			}
			n++
		}
		want := 0
		if c.want > 0 {
			want = int(r.Next()) / c.want
		}
		if r.Header().HashEvery != c.want || n != want || replays(r) != nil {
			t.Errorf("every %d of every %d: every %d, %d hashes, want %d", c.asked, c.match, r.Header().HashEvery, n, want)
		}
	}
}

// Rule: in the steady state, recording allocates nothing in the goroutine that plays.
func TestRecordingAllocatesNothing(t *testing.T) {
	measure := func(record bool) float64 {
		f, w := filmed(t, 2000, io.Discard, func(o *tickback.Options[counter, uint32]) {
			if o.TickRate = 60; !record {
				o.Record = nil
			}
			o.MaxOrders = 8
			o.Orders = func(tickback.Player) []byte { return nil }
		})
		m := f.Session.(*tickback.Match[counter, uint32])
		defer m.Close()
		return testing.AllocsPerRun(500, func() {
			m.Update()
			m.Effects()
			m.Events()
			runtime.Gosched() // it writes
			w.advance(time.Second / 60)
		})
	}
	if with, without := measure(true), measure(false); with > without {
		t.Errorf("%v allocations a frame, %v without", with, without)
	}
}
