package desync

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// audit checks the bookkeeping of snapshots, and returns their states.
func audit(t *testing.T, s *snapshots) (states []uint32) {
	t.Helper()
	size := 0
	for i, x := range s.list {
		size += len(x.bytes) + snapshotCost
		if i > 0 && x.state <= s.list[i-1].state {
			t.Fatalf("state %d is behind state %d", x.state, s.list[i-1].state)
		}
		if i > 0 && x.state%s.unit != 0 {
			t.Fatalf("state %d is none in %d", x.state, s.unit)
		}
		for _, b := range x.bytes {
			if b != byte(x.state) {
				t.Fatalf("state %d has been overwritten", x.state)
			}
		}
		states = append(states, x.state)
	}
	if s.size != size || size > s.budget {
		t.Fatalf("%d bytes are held, in the books %d of %d", size, s.size, s.budget)
	}
	if bits.OnesCount64(s.stride) != 1 {
		t.Fatalf("one in %d", s.stride)
	}
	if s.off && (len(s.list) > 0 || s.next != None || s.spare != nil) {
		t.Fatal("something is kept by what is off")
	}
	return states
}

// Rule: whatever the sizes, and whenever states are verified, the bookkeeping is right and
// the budget is kept; the snapshots needed to continue from the last state that was equal
// everywhere are there; and nothing is dropped once there is a desync to be explained.
func TestSnapshotsAreWhatIsNeeded(t *testing.T) {
	seeds := uint64(100)
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 7))
		c := Config{
			HashEvery: []uint32{1, 2, 5}[r.IntN(3)], Every: 10 * (1 + r.Uint32N(12)), Budget: 1000 + r.IntN(60_000),
			Slow: r.IntN(4) == 0, Marshals: true,
		}
		var s snapshots
		s.reset(&c)
		if s.budget != c.Budget-c.Budget/4 {
			t.Fatalf("%d of %d bytes", s.budget, c.Budget)
		}
		least, verified, freeze := r.IntN(300), uint32(0), uint32(400+r.IntN(400))
		var held []uint32
		for n := uint32(0); n < 1000 && !s.off; n++ {
			frozen := n >= freeze
			if n == s.next {
				b := s.buffer()
				for range least + r.IntN(100) {
					b = append(b, byte(n))
				}
				s.keep(n, b, frozen)
				if now := audit(t, &s); frozen && (len(now) < len(held) || len(held) > 0 && now[len(held)-1] != held[len(held)-1]) {
					t.Fatalf("seed %d, state %d: once frozen, %v became %v", seed, n, held, now)
				}
				if held = audit(t, &s); !s.off && !frozen && n-held[len(held)-1] >= uint32(s.stride)*s.unit {
					t.Fatalf("seed %d: the newest state is %d, and not %d", seed, held[len(held)-1], n)
				}
			}
			if s.off {
				break
			}
			if s.next <= n || s.next-n > uint32(s.stride)*s.unit || s.next%s.unit != 0 {
				t.Fatalf("seed %d, state %d, one in %d: the next is %d", seed, n, s.stride, s.next)
			}
			if !frozen && n%c.Every == 9 && n > 20 && r.IntN(8) > 0 {
				verified = n - n%c.Every
				oldest, ok := s.forget(verified, n)
				now := audit(t, &s)
				if !ok || oldest != now[0] || oldest > verified {
					t.Fatalf("seed %d, verified %d: the oldest is %d, %v", seed, verified, oldest, ok)
				}
				if before := verified - min(verified, lead); len(now) > 1 && now[1] <= before {
					t.Fatalf("seed %d, verified %d: %v are held", seed, verified, now)
				}
				held = now
			}
			if at, ok := s.at(verified); !ok || at.state > verified {
				t.Fatalf("seed %d, verified %d: %v, %v", seed, verified, at.state, ok)
			}
		}
	}
}

// Rule: while a desync is being explained, states that fit are still kept, to the byte.
func TestFrozenSnapshotsFillTheirRoom(t *testing.T) {
	for _, over := range []int{0, 1} {
		var s snapshots
		s.reset(&Config{HashEvery: 1, Every: 60, Budget: 4000, Marshals: true})
		for s.size < 2000 {
			s.keep(s.next, make([]byte, 36), false)
		}
		room := s.budget - s.size
		n, spare := len(s.list), len(s.spare)
		s.keep(s.next, make([]byte, room-snapshotCost+over), true)
		if len(s.list) != n+1-over || len(s.spare) != spare+over || s.size > s.budget {
			t.Errorf("%d bytes too many: %d snapshots, %d before; %d bytes", over, len(s.list), n, s.size)
		}
	}
}

// Rule: of states that are expensive to encode, one in a second or so is kept, at a multiple
// of the interval in which states are compared.
func TestStatesThatAreExpensiveAreKeptSeldom(t *testing.T) {
	for every, want := range map[uint32]uint32{1: 60, 7: 63, 20: 60, 30: 60, 59: 118, 60: 60, 61: 61, 100: 100} {
		var s snapshots
		if s.reset(&Config{HashEvery: 1, Every: every, Budget: 1 << 20, Marshals: true, Slow: true}); s.unit != want {
			t.Errorf("compared every %d: kept every %d, want %d", every, s.unit, want)
		}
	}
}

// Rule: the stride is the smallest at which there is room for the states that are needed,
// and two more.
func TestTheStrideIsTheLeastThatHasRoom(t *testing.T) {
	for _, c := range []struct {
		states int // that have room
		unit   uint32
		span   uint32
		stride uint64
	}{
		{10, 1, 8, 1},
		{10, 1, 9, 2},
		{10, 1, 16, 2},
		{10, 1, 17, 4},
		{10, 5, 40, 1},
		{10, 5, 41, 2},
		{4, 1, 4, 2},
		{3, 1, 4, 4},
		{2, 1, 4, 4},
		{1, 1, 4, 4},
	} {
		s := snapshots{budget: 100*c.states + 99, unit: c.unit, span: c.span, stride: 64}
		if s.fit(100); s.stride != c.stride {
			t.Errorf("%+v: one in %d", c, s.stride)
		}
	}
}

// Rule: from the first state on, enough states are kept to cover two comparison intervals
// and a second more, without any that have to be dropped for the others.
func TestTheFirstStateSettlesTheStride(t *testing.T) {
	for _, c := range []struct {
		budget int
		stride uint64
	}{{186 * 100, 1}, {186*100 - 1, 2}, {94 * 100, 2}, {94*100 - 1, 4}} {
		var s snapshots
		s.reset(&Config{HashEvery: 1, Every: 60, Budget: 1 << 20, Marshals: true}) // 2 × 60 + 64 frames
		s.budget = c.budget
		if s.keep(0, make([]byte, 100-snapshotCost), false); s.stride != c.stride || s.next != uint32(c.stride) {
			t.Errorf("%d bytes: one in %d, the next is %d, want one in %d", c.budget, s.stride, s.next, c.stride)
		}
	}
}

// Rule: when states become smaller, more of them are kept again.
func TestTheStrideBecomesSmallerAgain(t *testing.T) {
	k := newKeeper(t, Config{HashEvery: 1, Every: 60, Budget: 60_000}, 1000-snapshotCost, 20)
	k.run(1000)
	if k.e.snapshots.stride != 4 {
		t.Fatalf("at first one in %d is kept", k.e.snapshots.stride)
	}
	k.size = 36
	k.run(1000)
	if k.e.snapshots.stride != 1 {
		t.Errorf("then one in %d is kept", k.e.snapshots.stride)
	}
}

// Rule: if two states do not fit, none are kept.
func TestTwoStatesHaveRoomOrNoneAreKept(t *testing.T) {
	for over := range 2 {
		var s snapshots
		s.reset(&Config{HashEvery: 1, Every: 60, Budget: 4000, Marshals: true}) // 3000 bytes
		s.keep(0, make([]byte, 1500-snapshotCost), false)
		s.keep(s.next, bytes.Repeat([]byte{byte(s.next)}, 1500-snapshotCost+over), false)
		if audit(t, &s); s.off != (over > 0) {
			t.Errorf("%d bytes too many: off %v", over, s.off)
		}
	}
}

// Rule: memory to be reused is bounded by the rest of the budget.
func TestMemoryThatWaitsIsWithinTheBudget(t *testing.T) {
	for _, c := range []struct{ waiting, left int }{{0, 0}, {6, 6}, {7, 7}, {8, 7}, {100, 7}} {
		s := snapshots{budget: 1099, unit: 1, stride: 1, span: 1}
		for n := range uint32(3) {
			s.keep(n, bytes.Repeat([]byte{byte(n)}, 100-snapshotCost), false)
		}
		s.spare = make([][]byte, c.waiting)
		if s.forget(0, 2); len(s.list) != 3 || len(s.spare) != c.left {
			t.Errorf("of %d buffers %d are left, beside %d states", c.waiting, len(s.spare), len(s.list))
		}
	}
}

// Rule: if a game cannot encode its state, no state is requested, and its inputs are
// dropped, too.
func TestAGameWithoutStatesIsNotAskedForAny(t *testing.T) {
	inputs := &noInputs{}
	var e Evidence
	e.Init(Config{HashEvery: 1, Every: 60, Budget: 1 << 20}, inputs)
	for n := range uint32(500) {
		if e.Wants(n) {
			t.Fatalf("state %d is wanted", n)
		}
	}
	if e.Verified(480, 500); inputs.forgotten != 480-120 {
		t.Errorf("inputs are forgotten before frame %d", inputs.forgotten)
	}
}

// Rule: the number of states that are kept settles at what the comparisons of the match
// need, so that they are evenly spaced, and memory is reused and within the budget.
func TestTheStrideSettles(t *testing.T) {
	for _, c := range []struct {
		late   uint32
		budget int
		stride uint64
	}{{20, 60_000, 1}, {400, 60_000, 2}, {400, 30_000, 4}, {20, 30_000, 1}, {20, 15_000, 2}, {1000, 30_000, 8}} {
		k := newKeeper(t, Config{HashEvery: 1, Every: 60, Budget: c.budget}, 36, c.late)
		k.run(3000)
		for range 300 {
			k.run(7)
			s := &k.e.snapshots
			if s.stride != c.stride {
				t.Fatalf("%d frames late, %d bytes: one in %d", c.late, c.budget, s.stride)
			}
			for i := 1; i < len(s.list); i++ {
				if gap := s.list[i].state - s.list[i-1].state; uint64(gap) != c.stride {
					t.Fatalf("%d frames late, %d bytes: a gap of %d", c.late, c.budget, gap)
				}
			}
			if n := len(s.list) + len(s.spare); n*100 > s.budget+100 {
				t.Fatalf("%d frames late: memory of %d snapshots", c.late, n)
			}
		}
	}
}

// Rule: the memory of a dropped state is used for the next one.
func TestMemoryOfSnapshotsIsUsedAgain(t *testing.T) {
	s := snapshots{spare: [][]byte{make([]byte, 5, 8)}}
	if b := s.buffer(); len(b) != 0 || cap(b) != 8 || len(s.spare) != 0 {
		t.Errorf("%d of %d bytes, and %d buffers are left", len(b), cap(b), len(s.spare))
	}
	if b := s.buffer(); b != nil {
		t.Error("it is used twice")
	}
}

// Rule: a report of a state that is small enough can begin some frames before the last state
// that was equal everywhere; for larger states, none that old is held.
func TestStatesBeforeTheOneThatWasTheSame(t *testing.T) {
	for _, c := range []struct {
		size   int
		before uint32
	}{{maxState, 64}, {maxState + 1, 0}, {10, 64}} {
		k := newKeeper(t, Config{HashEvery: 1, Every: 60, Budget: 40 << 20}, c.size, 20)
		k.run(320)
		if s := &k.e.snapshots; s.stride != 1 || k.e.horizon-s.list[0].state != c.before {
			t.Errorf("%d bytes: from state %d on, verified %d, one in %d", c.size, s.list[0].state, k.e.horizon, s.stride)
		}
		if got := k.e.inputs.(*noInputs).forgotten; got != k.e.horizon-120 {
			t.Errorf("inputs are forgotten before frame %d, verified %d", got, k.e.horizon)
		}
	}
	k := newKeeper(t, Config{HashEvery: 1, Every: 200, Budget: 1 << 20, Slow: true}, 10, 20)
	k.run(1050)
	if got := k.e.inputs.(*noInputs).forgotten; got != 800 || k.e.snapshots.list[0].state != 800 {
		t.Errorf("inputs are forgotten before frame %d, and state %d is held", got, k.e.snapshots.list[0].state)
	}
	k.e.Verified(1000, 1050)
	if k.e.Verified(999, 1050); k.e.horizon != 1000 {
		t.Errorf("verified up to %d", k.e.horizon)
	}
	k.e.Freeze()
	if k.e.Verified(1200, 1250); k.e.horizon != 1000 {
		t.Error("it goes on, though there is a desync to be explained")
	}
}
