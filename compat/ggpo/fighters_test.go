package ggpo_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/compat/ggpo"
)

// The miniature of a large fighting game that was written for a port of GGPO: what it calls, in which order, how it
// stores states, and what it does when something is wrong, are those of such games. It takes its states from a pool,
// gives each back when it is loaded, and drops two when it saves one. It panics where they panic.

// arena is what can change in a fight.
type arena struct {
	MatchTime, NetTime int32
	Seed               uint32
	Life, At           [2]int32
	Over               bool
}

func (a *arena) act(inputs [2][8]byte) {
	a.MatchTime++
	a.Seed = a.Seed*1664525 + 1013904223
	for i := range a.At {
		keys := binary.LittleEndian.Uint16(inputs[i][:])
		a.At[i] += int32(keys&1) - int32(keys>>1&1) + int32(int8(inputs[i][2]))/64
		if keys&4 != 0 && a.Seed>>28 == 3 {
			a.Life[1-i] -= 1 + a.At[i]&3
		}
	}
	a.Over = a.MatchTime >= fightFrames
}

const fightFrames = 500

// fighter is a program: what it keeps between fights, and the loop of one.
type fighter struct {
	t       *testing.T
	number  int
	now     func() time.Time
	connect func(p *ggpo.Peer) error
	keys    func() [8]byte

	sys     arena
	inputs  [2][8]byte
	esc     bool
	warning string
	session *fightSession
	ended   bool // the fight
	next    time.Time
	pool    []*arena
	frames  [][2][8]byte // the replay of the last fight
	fate    arena        // and how it ended
	flaw    func(s *arena)
	drop    bool // the program disappears
}

// fightSession is what it makes for each fight.
type fightSession struct {
	f           *fighter
	backend     ggpo.Backend
	saved       map[int]*arena
	me          ggpo.PlayerHandle
	syncTest    bool
	running     bool
	loads, lost int
	replay      [][2][8]byte
	log         strings.Builder
}

func (r *fightSession) SaveGameState(id int) int {
	oldest := (id + 1) % (ggpo.MaxPredictionFrames + 2)
	delete(r.saved, oldest)
	delete(r.saved, id)
	var s *arena
	if n := len(r.f.pool); n > 0 {
		s, r.f.pool = r.f.pool[n-1], r.f.pool[:n-1]
	} else {
		s = new(arena)
	}
	*s = r.f.sys
	if r.f.flaw != nil {
		r.f.flaw(s)
	}
	r.saved[id] = s
	if r.syncTest {
		fmt.Fprintf(&r.log, "saving %d: %+v\n", id, *s)
		return int(sumOf(s))
	}
	return ggpo.DefaultChecksum
}

func (r *fightSession) LoadGameState(id int) {
	r.f.sys = *r.saved[id] // a nil pointer, if it was given back before
	r.f.pool = append(r.f.pool, r.saved[id])
	delete(r.saved, id)
	r.loads++
}

func (r *fightSession) AdvanceFrame(int) {
	var flags int
	inputs, err := r.backend.SyncInput(&flags)
	if err != nil {
		return
	}
	r.f.take(inputs)
	r.f.simulate()
	if err := r.backend.AdvanceFrame(sumOf(&r.f.sys)); err != nil {
		panic(err)
	}
}

func (r *fightSession) OnEvent(e *ggpo.Event) {
	switch e.Code {
	case ggpo.EventCodeRunning:
		r.running = true
	case ggpo.EventCodeDisconnectedFromPeer:
		r.lost++
		if !r.f.sys.Over {
			r.f.warning, r.f.ended = fmt.Sprintf("player %d has left", e.Player), true
		}
	case ggpo.EventCodeDesync:
		r.f.esc, r.f.warning = true, "desync"
	}
}

func sumOf(s *arena) uint32 {
	b, _ := binary.Append(nil, binary.LittleEndian, s)
	return crc32.ChecksumIEEE(b)
}

// start begins a fight, with the calls in the order in which such programs make them.
func (f *fighter) start(remote string, port int) error {
	r := &fightSession{f: f, saved: map[int]*arena{}}
	f.session = r
	players := [2]ggpo.Player{ggpo.NewLocalPlayer(20, 1), ggpo.NewRemotePlayer(20, 2, remote, port)}
	if f.number == 2 {
		players = [2]ggpo.Player{ggpo.NewRemotePlayer(20, 1, remote, port), ggpo.NewLocalPlayer(20, 2)}
	}
	peer := ggpo.NewPeer(r, port, 2, 8)
	r.backend = &peer
	if err := f.connect(&peer); err != nil {
		return err
	}
	for i := range players {
		var h ggpo.PlayerHandle
		if peer.AddPlayer(&players[i], &h) != nil {
			panic("panic")
		}
		if i+1 == f.number {
			r.me = h
		}
	}
	_ = peer.SetDisconnectTimeout(2000)
	_ = peer.SetDisconnectNotifyStart(500)
	_ = peer.SetFrameDelay(r.me, 1)
	peer.Start()
	f.begin()
	return nil
}

func (f *fighter) begin() {
	f.sys = arena{Life: [2]int32{1000, 1000}, At: [2]int32{-50, 50}, Seed: 7}
	f.ended, f.warning, f.esc = false, "", false
}

// startTest begins a test for desyncs: it starts before its players are added.
func (f *fighter) startTest(frames int) {
	r := &fightSession{f: f, saved: map[int]*arena{}, syncTest: true}
	f.session = r
	peer := ggpo.NewSyncTest(r, 2, frames, 8, true)
	r.backend = &peer
	_ = peer.InitializeConnection()
	peer.Start()
	for n := 1; n <= 2; n++ {
		player := ggpo.NewLocalPlayer(20, n)
		var h ggpo.PlayerHandle
		if peer.AddPlayer(&player, &h) != nil {
			panic("panic")
		}
	}
	_ = peer.SetDisconnectTimeout(3000)
	_ = peer.SetDisconnectNotifyStart(1000)
	f.begin()
}

func (f *fighter) take(inputs [][]byte) {
	for i, in := range inputs {
		copy(f.inputs[i][:], in)
	}
	n := int(f.sys.NetTime) // a frame that is simulated again replaces what was recorded of it
	f.session.replay = append(f.session.replay[:n], f.inputs)
	f.sys.NetTime++
}

func (f *fighter) simulate() bool {
	f.sys.act(f.inputs)
	return !f.sys.Over
}

// runFrame is called once for each picture.
func (f *fighter) runFrame() bool {
	r := f.session
	var err error
	if r.syncTest {
		for h := range 2 {
			keys := f.keys()
			err = r.backend.AddLocalInput(ggpo.PlayerHandle(h), keys[:], len(keys))
		}
	} else {
		keys := f.keys()
		err = r.backend.AddLocalInput(r.me, keys[:], len(keys))
	}
	if err != nil {
		return true
	}
	var flags int
	inputs, err := r.backend.SyncInput(&flags)
	if err != nil {
		return true
	}
	f.take(inputs)
	going := f.simulate()
	defer func() {
		if recover() != nil && r.syncTest {
			panic("RaiseDesyncError")
		}
	}()
	if err := r.backend.AdvanceFrame(sumOf(&f.sys)); err != nil {
		panic(err)
	}
	return going && !f.esc
}

// picture is one turn of the loop of a fight.
func (f *fighter) picture() {
	now := f.now()
	if f.session == nil || f.ended || now.Before(f.next) {
		return
	}
	timeout := int(math.Max(0, float64(f.next.Sub(now).Milliseconds()-1)))
	if err := f.session.backend.Idle(timeout); err != nil {
		panic(err)
	}
	f.next = now.Add(time.Second / 60)
	if !f.esc && f.runFrame() && !f.ended {
		return
	}
	f.ended = true
}

// finish ends a fight.
func (f *fighter) finish() {
	f.frames, f.fate = f.session.replay, f.sys
	if err := f.session.backend.Close(); err != nil {
		f.t.Errorf("Close: %v", err)
	}
}

// fighters makes two programs on a bad network.
func fighters(t *testing.T, seed uint64) (*world, [2]*fighter) {
	w := newWorld(t, 2, seed, lossy)
	var list [2]*fighter
	for i := range list {
		draw := random(seed + uint64(i))
		held := [8]byte{}
		f := &fighter{t: t, number: i + 1, now: func() time.Time { return w.ports[i].clock(w.now) }}
		f.keys = func() [8]byte {
			if draw()%6 == 0 {
				binary.LittleEndian.PutUint64(held[:], draw())
			}
			return held
		}
		f.connect = func(p *ggpo.Peer) error {
			o := w.ports[i].options(draw())
			o.GameID = "fighters"
			if err := p.SetOptions(o); err != nil {
				return err
			}
			return p.InitializeConnection(w.ports[i])
		}
		list[i] = f
	}
	return w, list
}

// fight plays a fight, until both programs have ended it and closed their sessions.
func fight(w *world, list [2]*fighter) {
	var open, busy [2]bool
	turn := func() {
		for i, f := range list {
			if busy[i] || f.drop {
				continue
			}
			busy[i] = true
			f.picture()
			if f.ended && open[i] {
				open[i] = false
				f.finish()
			}
			busy[i] = false
		}
	}
	for i, f := range list {
		ok(w.t, f.start(ip(1-i), 7000))
		open[i] = !f.drop
	}
	w.also = turn
	for open[0] || open[1] {
		turn()
		w.pass(ms)
	}
	w.also = nil
}

// Two programs play fights, one after the other on the same port, with pauses between: the calls of a game for
// a port of GGPO suffice, and both have recorded the same frames.
func TestFighters(t *testing.T) {
	w, list := fighters(t, 60)
	for n := range 3 {
		fight(w, list)
		loads := 0
		for _, f := range list {
			if f.warning != "" || !f.session.running || len(f.frames) != fightFrames || f.fate.MatchTime != fightFrames {
				t.Fatalf("fight %d, player %d: %q after %d frames, running %v", n, f.number, f.warning, len(f.frames), f.session.running)
			}
			loads += f.session.loads
		}
		if loads < 20 {
			t.Errorf("fight %d: only %d states were loaded", n, loads)
		}
		const open = 10 // the loop ends in a frame that may still run on predictions
		for i := range fightFrames - open {
			if list[0].frames[i] != list[1].frames[i] {
				t.Fatalf("fight %d, frame %d: %x and %x", n, i, list[0].frames[i], list[1].frames[i])
			}
		}
		w.pass(time.Duration(n) * 700 * ms)
	}
	for i, p := range w.ports {
		if p.closed != 3 {
			t.Errorf("machine %d has closed its transport %d times in 3 fights", i, p.closed)
		}
	}
}

// What such a program does when the other disappears, or has another state, is what it did before.
func TestFightersInTrouble(t *testing.T) {
	w, list := fighters(t, 61)
	list[1].keys = func() [8]byte {
		list[1].drop = list[1].drop || list[1].sys.MatchTime > 200
		return [8]byte{}
	}
	left := list[0]
	ok(t, left.start(ip(1), 7000))
	ok(t, list[1].start(ip(0), 7000))
	for !left.ended {
		left.picture()
		if !list[1].drop {
			list[1].picture()
		}
		w.pass(ms)
	}
	left.finish()
	if left.warning != "player 2 has left" || left.session.lost != 1 || left.fate.MatchTime < 200 {
		t.Errorf("%q, told %d times, after %d frames", left.warning, left.session.lost, left.fate.MatchTime)
	}

	w, list = fighters(t, 62)
	list[0].flaw = func(s *arena) { // at one of the two, a state is another one
		if s.MatchTime == 150 {
			s.Life[1] -= 100
			list[0].sys.Life[1] -= 100
		}
	}
	fight(w, list)
	for _, f := range list {
		if f.warning != "desync" {
			t.Errorf("player %d: %q after %d frames, want a desync", f.number, f.warning, len(f.frames))
		}
	}
}

// Its test for desyncs passes with a good game, and raises its error with one that does not save all.
func TestFightersTestForDesyncs(t *testing.T) {
	test := func(flaw func(s *arena)) (raised any, frames int) {
		_, list := fighters(t, 63)
		f := list[0]
		f.flaw = flaw
		f.startTest(5)
		ok(t, f.session.backend.Idle(0))
		func() {
			defer func() { raised = recover() }()
			for f.runFrame() {
				frames++
			}
		}()
		ok(t, f.session.backend.Close())
		return raised, frames
	}
	if raised, frames := test(nil); raised != nil || frames != fightFrames-1 {
		t.Errorf("a good game: %v after %d frames", raised, frames)
	}
	if raised, frames := test(func(s *arena) { s.Seed = 0 }); raised != "RaiseDesyncError" || frames > 10 {
		t.Errorf("a state that is not saved whole: %v after %d frames", raised, frames)
	}
}
