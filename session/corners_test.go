package session

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/spectate"
)

// corner is a configuration with one field, or a few that are multiplied with each other, at the minimum or
// maximum. It is either refused by name, or a match is played with it.
type corner struct {
	name   string
	change func(i int, c *Config)
	way    time.Duration // of a datagram; 0 is a millisecond
	refuse string        // the field that the refusal names; "" is none
}

// corners are those of a Config. The comments of the pairs say which values are multiplied.
func corners() (list []corner) {
	add := func(name string, change func(i int, c *Config)) {
		list = append(list, corner{name: name, change: change})
	}
	for _, rate := range []int{1, 20, 240, MaxTickRate} {
		for _, drop := range []time.Duration{max(4*time.Second/time.Duration(rate), time.Second), MaxDropAfter} { // numbers of datagrams come round
			add(fmt.Sprintf("%d Hz, DropAfter %v", rate, drop), func(_ int, c *Config) { c.TickRate, c.DropAfter = rate, drop })
		}
		for _, window := range []int{1, rollback.MaxWindow} { // inputs that come early, and are not acknowledged
			for _, delay := range []int{0, rollback.MaxDelay} {
				add(fmt.Sprintf("%d Hz, Window %d, Delay %d at one", rate, window, delay), func(i int, c *Config) {
					c.TickRate, c.Window = rate, window
					if i == 0 {
						c.Delay[0] = delay
					}
				})
			}
		}
		for _, delay := range []int{1, rollback.MaxDelay} {
			add(fmt.Sprintf("%d Hz, lockstep, Delay %d at both", rate, delay), func(i int, c *Config) { c.TickRate, c.Lockstep, c.Delay[i] = rate, true, delay })
		}
		for _, chain := range []int{1, 1 << 15} { // chain values that wait for each other
			add(fmt.Sprintf("%d Hz, ChainEvery %d", rate, chain), func(_ int, c *Config) { c.TickRate, c.ChainEvery, c.HashEvery = rate, chain, 1 })
		}
		add(fmt.Sprintf("%d Hz, AutoDelay", rate), func(_ int, c *Config) { c.TickRate, c.AutoDelay.On = rate, true })
		add(fmt.Sprintf("%d Hz, a spectator's Delay at its most", rate), func(_ int, c *Config) {
			c.TickRate, c.Spectators = rate, spectate.Config{Max: spectate.MaxSpectators, Delay: spectate.MaxDelay}
		})
		add(fmt.Sprintf("%d Hz, the shortest History", rate), func(_ int, c *Config) {
			c.TickRate, c.History, c.Window = rate, rollback.MinHistory, rollback.MaxWindow
		})
		add(fmt.Sprintf("%d Hz, the longest History", rate), func(_ int, c *Config) { c.TickRate, c.History = rate, rollback.MaxHistory })
		add(fmt.Sprintf("%d Hz, the most evidence", rate), func(_ int, c *Config) { c.TickRate, c.Evidence = rate, MaxEvidence })
		add(fmt.Sprintf("%d Hz, orders of the greatest size", rate), func(_ int, c *Config) { c.TickRate, c.MaxOrders = rate, rollback.MaxOrderBytes })
	}
	for _, far := range []struct {
		rate int
		way  time.Duration
	}{{1, time.Second}, {240, 100 * time.Millisecond}, {MaxTickRate, 100 * time.Millisecond}, {MaxTickRate, 400 * time.Millisecond}} {
		list = append(list, corner{name: fmt.Sprintf("%d Hz, %v one way", far.rate, far.way), way: far.way, change: func(_ int, c *Config) { c.TickRate = far.rate }})
	}
	never := func(name, refuse string, change func(i int, c *Config)) {
		list = append(list, corner{name: name, change: change, refuse: refuse})
	}
	never("a DropAfter longer than numbers of datagrams last", "DropAfter", func(_ int, c *Config) { c.DropAfter = MaxDropAfter + 1 })
	never("a DropAfter of three datagrams", "DropAfter", func(_ int, c *Config) { c.TickRate, c.DropAfter = 1, 4*time.Second-1 })
	never("too high a rate", "TickRate", func(_ int, c *Config) { c.TickRate = MaxTickRate + 1 })
	never("too long a window", "Window", func(_ int, c *Config) { c.Window = rollback.MaxWindow + 1 })
	never("a History that is no power of two", "History", func(_ int, c *Config) { c.History = 3 * rollback.MinHistory })
	never("comparisons too far apart", "ChainEvery", func(_ int, c *Config) { c.ChainEvery = 1<<15 + 1 })
	never("a spectator too far behind", "Spectators.Delay", func(_ int, c *Config) { c.Spectators = spectate.Config{Max: 1, Delay: spectate.MaxDelay + 1} })
	return list
}

// Rule: with each corner of a Config, a match is played, an interruption of nearly DropAfter loses nothing,
// and afterwards frames run again, and agree.
func TestAMatchIsPlayedInEachCorner(t *testing.T) {
	for _, c := range corners() {
		if c.refuse != "" {
			cfg := twoPeers()
			c.change(0, &cfg)
			_, err := New(sumGame(), cfg, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 0 }})
			if err == nil || !strings.Contains(err.Error(), c.refuse) {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		playCorner(t, &c)
	}
}

// few is some seconds plus some tick periods.
func few(n int, period time.Duration) time.Duration {
	return time.Duration(n) * max(time.Second, 3*period)
}

// fine is a time step that is short enough for a tick rate.
func fine(rate int) time.Duration {
	return max(min(time.Second/time.Duration(rate)/2, 4*time.Millisecond), time.Millisecond)
}

func playCorner(t *testing.T, c *corner) {
	t.Helper()
	m := newMesh(t, 2, 0, func(i int, cfg *Config) {
		cfg.DropAfter, cfg.WarnAfter, cfg.Match.Frames = 0, 0, 1<<24
		c.change(i, cfg)
	})
	n := m.nodes[0]
	m.way, m.step = max(c.way, time.Millisecond), fine(n.cfg.TickRate)
	period, drop := n.nominal, n.cfg.DropAfter
	if testing.Short() && drop > time.Minute && n.cfg.TickRate < MaxTickRate {
		return
	}
	defer func() {
		if t.Failed() {
			t.Logf("%s", c.name)
		}
	}()
	m.until("the match", few(10, period), func() bool { return m.nodes[0].Phase() == Playing && m.nodes[1].Phase() == Playing })
	m.run(few(2, period))
	m.cut = func(netip.AddrPort, netip.AddrPort) bool { return true }
	silence := drop - max(drop/10, 5*period/2) // the last datagrams before it arrived some time before
	m.run(silence)
	m.cut = nil
	m.run(few(2, period))
	var before [2]Frame
	for i, n := range m.nodes {
		before[i] = n.sim.Agreed()
	}
	m.run(few(3, period))
	for i, n := range m.nodes {
		frames, due := n.sim.Agreed()-before[i], Frame(few(3, period)/period)
		_, told := n.saw(Slowed)
		switch {
		case n.Phase() != Playing:
			t.Errorf("%s, machine %d: %v, %v", c.name, i, n.Phase(), n.Err())
		case frames == 0, frames < due*8/10 && told == 0:
			t.Errorf("%s, machine %d: %d frames of %d were agreed after a silence of %v: %+v", c.name, i, frames, due, silence, n.Stats(nil))
		}
	}
	m.same()
}

// Rule: a newcomer gets into a match at every tick rate, near and far.
func TestANewcomerJoinsAtEveryRate(t *testing.T) {
	for _, c := range []struct {
		rate int
		way  time.Duration
	}{{1, 10 * time.Millisecond}, {20, 100 * time.Millisecond}, {60, 150 * time.Millisecond}, {240, 5 * time.Millisecond}, {240, 100 * time.Millisecond}, {MaxTickRate, time.Millisecond}, {MaxTickRate, 100 * time.Millisecond}} {
		m := newMesh(t, 3, rollback.SetOf(2), func(_ int, cfg *Config) {
			cfg.DropAfter, cfg.WarnAfter, cfg.TickRate, cfg.Match.Frames = 0, 0, c.rate, 1<<24
		})
		m.way, m.step = c.way, fine(c.rate)
		period := m.nodes[0].nominal
		m.until("the match", few(10, period), func() bool { return m.nodes[0].Phase() == Playing })
		m.run(few(2, period))
		n := m.join(addrOf(2), 2, addrOf(0))
		end := m.now + few(12, period)
		for joined := 0; joined == 0; _, joined = n.saw(Joined) {
			if m.run(10 * time.Millisecond); m.now > end {
				t.Errorf("%d Hz, %v one way: not in the match after %v: %v, %v", c.rate, c.way, few(12, period), n.Phase(), n.Err())
				m.dump()
				break
			}
		}
		m.run(few(1, period))
		m.same()
	}
}
