package rollback

// Aside is a game whose states are copied aside, although they are small.
type Aside[S any, I comparable] struct{ Game[S, I] }

func (g Aside[S, I]) build(cfg *Config) (memory[S, I], common[I], error) {
	bare := *cfg
	bare.RunAhead = 0
	m, c, err := g.Game.build(&bare)
	ring, plain := m.(*plain[S, I])
	if err != nil || !plain {
		return m, c, err
	}
	if cfg.Snapshots == 1 {
		return led(m, ring, cfg.RunAhead), c, err
	}
	// As with large states, there are no more than are requested.
	ring.count = Frame(cfg.Snapshots)
	clear(ring.slots[cfg.Snapshots:])
	live := newAside(ring, cfg.SyncTest > 0)
	return led(live, live, cfg.RunAhead), c, live.init(nil)
}

// HashInterval is for tests from outside.
var HashInterval = hashInterval
