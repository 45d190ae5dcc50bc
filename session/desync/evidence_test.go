package desync

import (
	"slices"
	"testing"

	"github.com/tickback/tickback/wire/agreed"
)

// noInputs are the inputs of a match that keeps no inputs.
type noInputs struct{ forgotten uint32 }

func (*noInputs) First() uint32              { return 0 }
func (*noInputs) Next() uint32               { return 0 }
func (*noInputs) Frame(uint32) *agreed.Frame { return nil }
func (*noInputs) Freeze()                    {}
func (n *noInputs) Forget(before uint32)     { n.forgotten = before }

// keeper runs a match whose states have a size, and are verified some frames late.
type keeper struct {
	testing.TB
	e    Evidence
	size int
	late uint32
	now  uint32
}

func newKeeper(tb testing.TB, c Config, size int, late uint32) *keeper {
	c.Shape = agreed.Shape{Players: 2, InputSize: 2}
	c.Marshals = true
	k := &keeper{TB: tb, size: size, late: late}
	k.e.Init(c, &noInputs{})
	k.capture()
	return k
}

func (k *keeper) capture() {
	if !k.e.Wants(k.now) {
		return
	}
	b := k.e.Buffer()
	for len(b) < k.size {
		b = append(b, byte(k.now))
	}
	k.e.Keep(k.now, b)
}

func (k *keeper) run(frames int) {
	every := k.e.cfg.Every
	for range frames {
		k.now++
		k.capture()
		if k.now%k.e.cfg.HashEvery == 0 {
			k.e.Hash(k.now, uint64(k.now)*3)
		}
		if k.now > k.late && (k.now-k.late)%every == 0 {
			k.e.Verified(k.now-k.late, k.now)
		}
	}
}

// memory returns the memory that the snapshots take, including memory to be reused.
func (k *keeper) memory() (n int) {
	for _, s := range k.e.snapshots.list {
		n += cap(s.bytes)
	}
	for _, b := range k.e.snapshots.spare {
		n += cap(b)
	}
	return n
}

// As many snapshots are kept as fit: all, or one in so many; always one of a verified state, so
// that everything after it can be resimulated; never more than the budget.
func TestSnapshotsFitTheBudget(t *testing.T) {
	for _, c := range []struct {
		size, budget int
		stride       uint64 // 0: none are kept
	}{
		{100, 1 << 20, 1},
		{1000, 1 << 20, 1},
		{10_000, 1 << 20, 4},
		{100_000, 4 << 20, 8},
		{1 << 20, 4 << 20, 256},
		{1 << 20, 3 << 20, 256},
		{100, 3 * (100 + 64) * 4 / 3, 256},
		{100, 2*(100+64)*4/3 + 1, 512},
		{100, 2*(100+64)*4/3 - 2, 0},
		{1 << 20, 2 << 20, 0},
		{100, 100, 0},
		{0, 1 << 20, 1},
	} {
		k := newKeeper(t, Config{HashEvery: 1, Every: 60, Budget: c.budget}, c.size, 20)
		times := 200
		if testing.Short() {
			times = 80 // and a third of them after frame 1000
		}
		for range times {
			k.run(17)
			s := &k.e.snapshots
			if c.stride == 0 && k.now > 1000 {
				if len(s.list) > 0 || k.e.Wants(k.now+1) {
					t.Errorf("%d bytes in %d: %d snapshots", c.size, c.budget, len(s.list))
				}
				break
			}
			if c.stride == 0 {
				continue
			}
			if len(s.list) == 0 || s.list[0].state > k.e.horizon {
				t.Fatalf("%d bytes in %d, frame %d: nothing was verified up to %d", c.size, c.budget, k.now, k.e.horizon)
			}
			if s.size > s.budget {
				t.Fatalf("%d bytes in %d: %d are used", c.size, c.budget, s.size)
			}
			if k.now > 1000 && s.stride > c.stride {
				t.Fatalf("%d bytes in %d: one in %d states", c.size, c.budget, s.stride)
			}
			// The distance between two of the newest is at most the stride.
			for i := 1; i < len(s.list); i++ {
				if gap := uint64(s.list[i].state - s.list[i-1].state); gap > 2*c.stride && k.now > 1000 {
					t.Fatalf("%d bytes in %d: a gap of %d", c.size, c.budget, gap)
				}
			}
		}
		if n := k.memory(); n > 2*c.budget {
			t.Errorf("%d bytes in %d: %d are taken", c.size, c.budget, n)
		}
	}
}

// States that are expensive to encode are encoded once per comparison interval.
func TestSlowStatesAreKeptSeldom(t *testing.T) {
	for every, want := range map[uint32]uint32{60: 60, 10: 60, 45: 90, 200: 200} {
		k := newKeeper(t, Config{HashEvery: 1, Every: every, Budget: 1 << 20, Slow: true}, 100, 20)
		k.run(2000)
		for _, s := range k.e.snapshots.list {
			if s.state%want != 0 {
				t.Errorf("every %d: state %d is kept", every, s.state)
			}
		}
		if len(k.e.snapshots.list) < 2 {
			t.Errorf("every %d: %d are kept", every, len(k.e.snapshots.list))
		}
	}
}

// The steady state allocates nothing.
func TestEvidenceAllocatesNothing(t *testing.T) {
	k := newKeeper(t, Config{HashEvery: 1, Every: 60, Budget: 1 << 20}, 100, 20)
	k.run(1000)
	if n := testing.AllocsPerRun(10, func() { k.run(600) }); n > 0 {
		t.Errorf("%v allocations in 600 frames", n)
	}
}

// It makes no difference how often a state is reported as equal at all peers: each peer reports
// it at a different time.
func TestToldTwiceIsToldOnce(t *testing.T) {
	for _, size := range []int{100, 1000, 3000} {
		once := newKeeper(t, Config{HashEvery: 1, Every: 60, Budget: 100_000}, size, 20)
		twice := newKeeper(t, Config{HashEvery: 1, Every: 60, Budget: 100_000}, size, 20)
		for range 2000 {
			once.run(1)
			twice.run(1)
			twice.e.Verified(twice.e.horizon, twice.now)
			a, b := &once.e.snapshots, &twice.e.snapshots
			if a.next != b.next || a.stride != b.stride || !slices.EqualFunc(a.list, b.list, func(x, y snapshot) bool { return x.state == y.state }) {
				t.Fatalf("%d bytes, frame %d: state %d is wanted next and %d are held, once told %d and %d",
					size, once.now, b.next, len(b.list), a.next, len(a.list))
			}
		}
	}
}

// Hashes are held for a while, at any interval, unchanged; once frozen, no hash that may be
// requested is overwritten.
func TestHashesAreHeld(t *testing.T) {
	for _, every := range []uint32{1, 20} {
		k := newKeeper(t, Config{HashEvery: every, Every: 60, Budget: 1 << 20}, 10, 20)
		if _, ok := k.e.HashOf(every); ok {
			t.Error("a hash that nobody has given")
		}
		k.run(50_000)
		held := uint32(0)
		for state := uint32(1); state <= k.now+100; state++ {
			h, ok := k.e.HashOf(state)
			if ok && (h != uint64(state)*3 || state%every != 0) {
				t.Fatalf("state %d has %d", state, h)
			}
			if ok {
				held++
			}
		}
		if held != firstHashes {
			t.Errorf("every %d: %d are held", every, held)
		}
		k.e.Freeze()
		horizon := k.e.horizon
		k.run(100_000)
		for _, state := range []uint32{horizon, horizon + every, horizon + (leastHashes-1)*every} {
			if h, ok := k.e.HashOf(state); !ok || h != uint64(state)*3 || k.e.horizon != horizon {
				t.Errorf("every %d: state %d has %d, verified %d", every, state, h, k.e.horizon)
			}
		}
		if _, ok := k.e.HashOf(horizon + leastHashes*every); ok {
			t.Errorf("every %d: there is room for more", every)
		}
		if _, ok := k.e.snapshots.at(horizon); !ok {
			t.Error("the snapshot to begin with is gone")
		}
	}
}

// Rule: when the room for hashes grows, those that were overwritten before are still unknown.
func TestHashesAreHeldWhenThereIsRoomForMore(t *testing.T) {
	k := newKeeper(t, Config{HashEvery: 1, Every: 60, Budget: 1 << 20}, 10, 20)
	k.run(700)
	k.e.Freeze()
	k.run(400)
	known := 0
	for state := uint32(1); state <= 1100; state++ {
		if h, ok := k.e.HashOf(state); ok && h != uint64(state)*3 {
			t.Fatalf("state %d has %d", state, h)
		} else if ok {
			known++
		}
	}
	if len(k.e.hashes) <= firstHashes || known < firstHashes {
		t.Errorf("%d of at most %d are known", known, len(k.e.hashes))
	}
}

// Switched off, or released, nothing is kept.
func TestNothingIsKept(t *testing.T) {
	for _, c := range []Config{{}, {HashEvery: 1, Every: 60}, {Every: 60, Budget: 100}} {
		var e Evidence
		if e.Init(c, nil); e.On() || e.Wants(0) || e.Wants(1) {
			t.Errorf("%+v", c)
		}
		e.Verified(1, 2)
		e.Freeze()
		e.Release()
		e.Reset()
	}
	var least Evidence
	if least.Init(Config{HashEvery: 1, Every: 1, Budget: 1}, &noInputs{}); !least.On() {
		t.Error("a byte is a budget")
	}
	k := newKeeper(t, Config{HashEvery: 1, Every: 60, Budget: 1 << 20}, 100, 20)
	k.run(500)
	k.e.Release()
	k.run(500)
	if _, ok := k.e.HashOf(900); ok || len(k.e.snapshots.list) > 0 {
		t.Error("something is kept after the release")
	}
	k.now = 0
	k.e.Reset()
	k.capture()
	if k.run(500); len(k.e.snapshots.list) == 0 {
		t.Error("nothing is kept of the next match")
	}
}
