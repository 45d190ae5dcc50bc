package rollback_test

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

// halfSeen is a state with a part that Equal does not examine.
type halfSeen struct{ seen, hidden uint64 }

// Rule: a sync test also compares by the hash: differences that Equal does not see
// are noticed, in the frame in which they occur.
func TestASyncTestNoticesWhatOnlyTheHashSees(t *testing.T) {
	for name, step := range map[string]func(s *halfSeen, calls uint64){
		"the same":     func(*halfSeen, uint64) {},
		"only in hash": func(s *halfSeen, calls uint64) { s.hidden = calls },
	} {
		for depth := 1; depth <= 2; depth++ {
			halfSeenIs(t, name, depth, step)
		}
	}
}

func halfSeenIs(t *testing.T, name string, depth int, step func(s *halfSeen, calls uint64)) {
	t.Helper()
	var calls uint64
	cfg := two(4)
	cfg.SyncTest = depth
	e, err := rollback.New(rollback.OwnMemory[halfSeen, halfSeen, button]{
		Init:    func(s *halfSeen) { *s = halfSeen{} },
		Step:    func(s *halfSeen, _ *rollback.Tick[button]) { s.seen++; calls++; step(s, calls) },
		Save:    func(s, slot *halfSeen) { *slot = *s },
		Restore: func(s, slot *halfSeen) { *s = *slot },
		Equal:   func(s, slot *halfSeen) bool { return s.seen == slot.seen },
		Hash:    func(s *halfSeen) uint64 { return s.seen*31 + s.hidden },
	}, cfg)
	must(err)
	for f := range Frame(6) {
		must(e.AddLocal(0, 1, nil))
		must(e.AddInput(1, f, 2, nil))
		if err = e.Tick(); err != nil {
			break
		}
	}
	if name == "the same" {
		must(err)
		return
	}
	m := refused[*rollback.SyncTestError](t, err)
	want(t, name, m.Frame, 0)
}
