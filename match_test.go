package tickback_test

import (
	"errors"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// counter is a game that adds up the players' inputs.
type counter struct{ Sum, Frames uint64 }

var counting = rollback.Game[counter, uint32]{Step: func(s *counter, t *rollback.Tick[uint32]) {
	for p := range t.Players() {
		s.Sum += uint64(t.Input(p))
	}
	s.Frames++
}}

// watch is a clock that the test sets, even while another goroutine reads it.
type watch struct {
	now time.Time
	mu  sync.Mutex
}

func newWatch() *watch { return &watch{now: time.Unix(1000, 0)} }

func (w *watch) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *watch) advance(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

const period = time.Second / 60

// local makes a match without a network, which counts its samples.
func local(t *testing.T, o tickback.Options[counter, uint32]) (m *tickback.Match[counter, uint32], w *watch, samples *int) {
	t.Helper()
	w, samples = newWatch(), new(int)
	o.Advanced.Now = w.Now
	o.Sample = func(tickback.Player) uint32 { *samples++; return 1 }
	m, err := tickback.Local(counting, o)
	if err != nil {
		t.Fatal(err)
	}
	return m, w, samples
}

func update(t *testing.T, s tickback.Session[counter]) time.Duration {
	t.Helper()
	wait, err := s.Update()
	if err != nil {
		t.Fatal(err)
	}
	return wait
}

// Update runs a frame for each tick period, however often it is called, and returns when the next one is due. In each
// frame every player is sampled once.
func TestUpdateRunsWhatIsDue(t *testing.T) {
	m, w, samples := local(t, tickback.Options[counter, uint32]{Players: 2})
	for range 600 {
		wait := update(t, m)
		if wait <= 0 || wait > period {
			t.Fatalf("wait %v", wait)
		}
		w.advance(5 * time.Millisecond)
	}
	v := m.View()
	if frames := int(v.Frame); frames < 179 || frames > 181 || *samples != 2*frames || v.Current.Sum != uint64(*samples) {
		t.Errorf("%d frames in three seconds, %d samples, sum %d", frames, *samples, v.Current.Sum)
	}
}

// After the wait that Update returns, a frame is due, and not before.
func TestWaitEndsWhenAFrameIsDue(t *testing.T) {
	m, w, _ := local(t, tickback.Options[counter, uint32]{})
	for range 100 {
		wait := update(t, m)
		f := m.View().Frame
		w.advance(wait - time.Nanosecond)
		if update(t, m); m.View().Frame != f {
			t.Fatal("a frame ran before its time")
		}
		w.advance(time.Nanosecond)
		if update(t, m); m.View().Frame != f+1 {
			t.Fatal("no frame ran at its time")
		}
	}
}

// A pause is made up for at once on a machine whose frames take no time, and a long one is forgotten.
func TestCatchingUpIsBounded(t *testing.T) {
	m, w, _ := local(t, tickback.Options[counter, uint32]{})
	update(t, m)
	for _, c := range []struct {
		pause time.Duration
		all   tickback.Frame
	}{{100 * time.Millisecond, 6}, {400 * time.Millisecond, 24}, {time.Hour, 30}} {
		before := m.View().Frame
		w.advance(c.pause)
		update(t, m)
		if n := m.View().Frame - before; n > c.all+1 || n < c.all {
			t.Errorf("%d frames after %v, want about %d", n, c.pause, c.all)
		}
		if before = m.View().Frame; update(t, m) == 0 || m.View().Frame != before {
			t.Errorf("after %v more is due than one call has run", c.pause)
		}
		w.advance(update(t, m))
	}
}

// Advance runs one frame, whatever the time, and returns the period.
func TestAdvance(t *testing.T) {
	m, w, _ := local(t, tickback.Options[counter, uint32]{TickRate: 50})
	update(t, m) // the match begins
	before := m.View().Frame
	for range 100 {
		if p, err := m.Advance(); p != 20*time.Millisecond || err != nil {
			t.Fatalf("the period is %v: %v", p, err)
		}
		w.advance(time.Minute)
	}
	if n := m.View().Frame - before; n != 100 {
		t.Errorf("%d frames in 100 calls", n)
	}
	if v := m.View(); v.Fraction != 1 {
		t.Errorf("the fraction is %v, and nothing is between two calls", v.Fraction)
	}
}

// Poll runs no frame, and causes none to run later.
func TestPollRunsNoFrame(t *testing.T) {
	m, w, samples := local(t, tickback.Options[counter, uint32]{})
	update(t, m)
	f := m.View().Frame
	for range 100 {
		w.advance(time.Millisecond)
		if err := m.Poll(); err != nil {
			t.Fatal(err)
		}
	}
	if m.View().Frame != f || *samples != int(f) {
		t.Errorf("frame %d after polling, was %d", m.View().Frame, f)
	}
}

// A view has both states, and how much of the time between them has passed, whether or not frames are predicted.
func TestViewInterpolates(t *testing.T) {
	for _, window := range []int{0, 4} {
		interpolates(t, window)
	}
}

func interpolates(t *testing.T, window int) {
	t.Helper()
	m, w, _ := local(t, tickback.Options[counter, uint32]{Window: window})
	update(t, m)
	for range 10 {
		w.advance(update(t, m))
	}
	update(t, m)
	v := m.View()
	if v.Previous.Frames+1 != v.Current.Frames || !v.Running {
		t.Fatalf("frames %d and %d", v.Previous.Frames, v.Current.Frames)
	}
	last := -1.0
	for range 4 {
		v := m.View()
		if v.Fraction <= last || v.Fraction > 1 {
			t.Errorf("the fraction went from %v to %v", last, v.Fraction)
		}
		last = v.Fraction
		w.advance(period / 4)
	}
	if last < 0.7 {
		t.Errorf("after three quarters the fraction is %v", last)
	}
}

// A sync test ends with the frame and the field in which a step gives another result.
func TestSyncTestNamesTheField(t *testing.T) {
	var outside uint64
	bad := rollback.Game[counter, uint32]{Step: func(s *counter, _ *rollback.Tick[uint32]) {
		outside++
		s.Sum = outside
	}}
	w := newWatch()
	o := tickback.Options[counter, uint32]{Sample: func(tickback.Player) uint32 { return 0 }}
	o.Advanced.Now = w.Now
	m, err := tickback.SyncTest(bad, 3, o)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err = m.Update(); err != nil {
			break
		}
		w.advance(period)
	}
	var found *tickback.SyncTestError
	if !errors.As(err, &found) || found.Total == 0 || !strings.Contains(err.Error(), "Sum") {
		t.Errorf("the error is %v", err)
	}
	good, err := tickback.SyncTest(counting, 3, o)
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		if _, err := good.Update(); err != nil {
			t.Fatal(err)
		}
		w.advance(period)
	}
	if n := good.Stats().Engine.Compared; n < 50 {
		t.Errorf("%d frames were compared", n)
	}
}

// Impossible options are refused with the reason.
func TestOptionsAreRefused(t *testing.T) {
	type options = tickback.Options[counter, uint32]
	sample := func(tickback.Player) uint32 { return 0 }
	peer := []tickback.Peer{{Players: tickback.SetOf(1), Addr: netip.MustParseAddrPort("127.0.0.1:9")}}
	p2p := func(o options) error {
		_, err := tickback.P2P(counting, o)
		return err
	}
	alone := func(o options) error {
		_, err := tickback.Local(counting, o)
		return err
	}
	tube := newTube()
	for _, c := range []struct {
		err  error
		says string
	}{
		{alone(options{}), "Sample"},
		{alone(options{Sample: sample, Transport: tube}), "P2P"},
		{alone(options{Sample: sample, Peers: peer}), "P2P"},
		{alone(options{Sample: sample, Players: 17}), "Players is 17, must be 1 to 16"},
		{p2p(options{Sample: sample, Transport: tube, Peers: peer, Players: 17}), "Players is 17, must be 1 to 16"},
		{alone(options{Sample: sample, TickRate: 5000}), "TickRate is 5000"},
		{alone(options{Sample: sample, Lockstep: true, Window: 3}), "Lockstep"},
		{alone(options{Sample: sample, Orders: func(tickback.Player) []byte { return nil }}), "MaxOrders"},
		{p2p(options{Sample: sample, Peers: peer}), "Transport"},
		{p2p(options{Sample: sample, Transport: tube}), "Peers"},
		{p2p(options{Sample: sample, Transport: tube, Peers: peer, Players: 3, OnLeave: tickback.Continue}), ""},
		{p2p(options{Sample: sample, Transport: tube, Peers: append(peer, tickback.Peer{Players: tickback.SetOf(2), Addr: netip.MustParseAddrPort("127.0.0.1:10")}), OnLeave: tickback.Continue}), ""},
		{p2p(options{Sample: sample, Transport: tube, Reserved: tickback.SetOf(1)}), "Token"},
		{p2p(options{Sample: sample, Transport: tube, Reserved: tickback.SetOf(1), OnLeave: tickback.Continue, Token: tickback.NewToken()}), ""},
		{p2p(options{Sample: sample, Transport: tube, Reserved: tickback.SetOf(0), OnLeave: tickback.Continue, Token: tickback.NewToken()}), "who is the host"},
		{p2p(options{Sample: sample, Transport: tube, Peers: peer, Token: tickback.NewToken()}), "OnLeave Continue"},
		{p2p(options{Sample: sample, Transport: tube, Peers: peer, Token: tickback.Token("short"), OnLeave: tickback.Continue}), "the token has 5 bytes"},
		{alone(options{Sample: sample, Reserved: tickback.SetOf(1), Players: 2}), ""},
		{alone(options{Sample: sample, Reserved: tickback.SetOf(0), Players: 2}), "who is the host"},
		{alone(options{Sample: sample, Reserved: tickback.SetOf(1), Players: 2, Transport: tube, Spectators: tickback.Spectators{Max: 1}}), "no Reserved places if others watch"},
		{alone(options{Sample: sample, Token: tickback.NewToken()}), "nobody joins it"},
		{p2p(options{Sample: sample, Transport: tube, Peers: append(peer, peer...)}), "already"},
		{p2p(options{Sample: sample, Transport: tube, Peers: []tickback.Peer{{Players: tickback.SetOf(1)}}}), "no address"},
		{p2p(options{Sample: sample, Transport: tube, Peers: peer, Delay: [tickback.MaxPlayers]int{1: 3}}), "not local"},
		{p2p(options{Sample: sample, Transport: tube, Peers: peer, Delay: [tickback.MaxPlayers]int{3}, AutoDelay: tickback.AutoDelay{On: true}}), "AutoDelay"},
		{p2p(options{Sample: sample, Transport: tube, Peers: peer, GameID: strings.Repeat("x", 65)}), "GameID"},
	} {
		switch {
		case c.says == "" && c.err != nil:
			t.Errorf("refused: %v", c.err)
		case c.says != "" && (c.err == nil || !strings.Contains(c.err.Error(), c.says)):
			t.Errorf("the error is %v, and does not say %q", c.err, c.says)
		case c.err != nil && !errors.Is(c.err, tickback.ErrOptions):
			t.Errorf("%v wraps no sentinel", c.err)
		}
	}
}

// tube is a transport in memory: data sent at one end arrives at the other.
type tube struct {
	mu     sync.Mutex
	here   netip.AddrPort
	other  *tube
	queue  [][]byte
	notify chan struct{}
	now    func() time.Time
	closed bool
}

func newTube() *tube { return &tube{notify: make(chan struct{}, 1)} }

// tubes returns the two ends.
func tubes(now func() time.Time) (a, b *tube) {
	a, b = newTube(), newTube()
	a.other, b.other, a.now, b.now = b, a, now, now
	a.here, b.here = netip.MustParseAddrPort("10.0.0.1:1"), netip.MustParseAddrPort("10.0.0.2:1")
	return a, b
}

func (t *tube) Send(_ netip.AddrPort, datagram []byte) error {
	o := t.other
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queue = append(o.queue, append([]byte(nil), datagram...))
	select {
	case o.notify <- struct{}{}:
	default:
	}
	return nil
}

func (t *tube) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) == 0 {
		return 0, from, at, false
	}
	n = copy(buf, t.queue[0])
	t.queue = t.queue[1:]
	return n, t.other.here, t.now(), true
}

func (t *tube) Notify() <-chan struct{} { return t.notify }

func (t *tube) Close() error {
	t.closed = true
	return nil
}

// pair makes the two peers of a match.
func pair(t *testing.T, change func(me int, o *tickback.Options[counter, uint32])) (peers [2]*tickback.Match[counter, uint32], ends [2]*tube, w *watch) {
	t.Helper()
	w = newWatch()
	ends[0], ends[1] = tubes(w.Now)
	for i := range peers {
		o := tickback.Options[counter, uint32]{
			Transport: ends[i], Peers: tickback.Mesh(tickback.Player(i), ends[1-i].here),
			Sample: func(p tickback.Player) uint32 { return 1 + uint32(p) },
		}
		o.Advanced.Now = w.Now
		if change != nil {
			change(i, &o)
		}
		var err error
		if peers[i], err = tickback.P2P(counting, o); err != nil {
			t.Fatal(err)
		}
	}
	return peers, ends, w
}

// Two peers play a match of a given length, and reach the same end.
func TestP2P(t *testing.T) {
	peers, _, w := pair(t, func(_ int, o *tickback.Options[counter, uint32]) { o.Match.Frames = 120 })
	over := 0
	for i := 0; i < 2000 && over < 2; i++ {
		over = 0
		for _, m := range peers {
			update(t, m)
			if _, ok := m.Outcome(); ok {
				over++
			}
		}
		w.advance(2 * time.Millisecond)
	}
	for i, m := range peers {
		o, ok := m.Outcome()
		if !ok || o.Frames != 120 || o.Health != session.Healthy || !o.Told {
			t.Errorf("peer %d: %+v %v", i, o, ok)
		}
		if v := m.View(); v.Current.Sum != 360 || v.Running {
			t.Errorf("peer %d: the sum is %d, want 360", i, v.Current.Sum)
		}
	}
}

// Close notifies the other side, which learns it at once, and closes the transport.
func TestCloseIsAnnounced(t *testing.T) {
	peers, ends, w := pair(t, nil)
	for range 500 {
		update(t, peers[0])
		update(t, peers[1])
		w.advance(2 * time.Millisecond)
	}
	done := make(chan error)
	go func() { done <- peers[0].Close() }()
	var left bool
	var err error
	for open := true; open; {
		_, _ = peers[1].Update()
		for _, e := range peers[1].Events() {
			left = left || e.What == tickback.Left && e.Players == tickback.SetOf(0)
		}
		w.advance(time.Millisecond)
		select {
		case err = <-done:
			open = false
		case <-time.After(time.Millisecond):
		}
	}
	if err != nil || !left || !ends[0].closed {
		t.Errorf("closed: %v, seen %v, transport closed %v", err, left, ends[0].closed)
	}
	if _, err := peers[0].Update(); !errors.Is(err, session.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := peers[0].Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

// A local game can have empty places: their players are disconnected from frame 0 on, and nothing waits for them.
func TestALocalMatchWithEmptyPlaces(t *testing.T) {
	type seats struct{ Absent, Frames uint64 }
	game := rollback.Game[seats, uint32]{Step: func(s *seats, t *rollback.Tick[uint32]) {
		for p := range t.Players() {
			if t.Status(p) == rollback.Disconnected {
				s.Absent |= 1 << p
			}
		}
		s.Frames++
	}}
	w, asked := newWatch(), tickback.PlayerSet(0)
	m, err := tickback.Local(game, tickback.Options[seats, uint32]{
		Players: 4, Reserved: tickback.SetOf(1, 3), Match: tickback.Parameters{Frames: 90},
		Sample:   func(p tickback.Player) uint32 { asked |= tickback.SetOf(p); return 1 },
		Advanced: tickback.Advanced{Now: w.Now},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for range 200 {
		if _, err := m.Update(); err != nil {
			t.Fatal(err)
		}
		w.advance(period)
	}
	end, over := m.Outcome()
	if s := m.View().Current; !over || end.Frames != 90 || s.Frames != 90 || s.Absent != 1<<1|1<<3 || asked != tickback.SetOf(0, 2) {
		t.Errorf("over %v with %+v, the state is %+v, and %v were asked", over, end, s, asked)
	}
}

// Rule: a game with its own memory needs only a Step for its first match.
func TestAGameOfItsOwnMemoryNeedsOnlyAStep(t *testing.T) {
	w := newWatch()
	type sums struct{ List []uint64 }
	game := rollback.OwnMemory[sums, struct{}, uint32]{Step: func(s *sums, k *rollback.Tick[uint32]) {
		s.List = append(s.List, uint64(k.Input(0)))
	}}
	m, err := tickback.Local(game, tickback.Options[sums, uint32]{
		Players: 1, Lockstep: true, Match: tickback.Parameters{Frames: 20},
		Sample:   func(tickback.Player) uint32 { return 2 },
		Advanced: tickback.Advanced{Now: w.Now},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if _, err := m.Update(); err != nil {
			t.Fatal(err)
		}
		w.advance(5 * time.Millisecond)
	}
	o, over := m.Outcome()
	if !over || o.Frames != 20 || len(m.View().Current.List) != 20 {
		t.Fatalf("%+v, over %v, after %d frames", o, over, m.View().Frame)
	}
	var lacks *rollback.CapabilityError
	if err := m.Propose(tickback.Parameters{}); !errors.As(err, &lacks) || lacks.Missing != "Init" {
		t.Errorf("a second match: %v", err)
	}
}
