//go:build !js

package webrtc

import (
	"errors"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
)

// rate is the number of frames per second of these matches, high so that they do not
// take long.
const rate = 240

// length is the length of the matches in frames.
func length() tickback.Frame {
	if testing.Short() {
		return 120
	}
	return 1200
}

// play runs a session until it ends, or done says so.
func play[S any](t *testing.T, name string, s tickback.Session[S], done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		wait, err := s.Update()
		if _, over := s.Outcome(); over || errors.Is(err, tickback.ErrEnd) {
			return // others may have left before we look
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if done != nil && done() {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("%s: no end; %+v", name, s.Stats())
			return
		}
		time.Sleep(min(wait, 2*time.Millisecond))
	}
}

// ends checks that all have the same end, and know it.
func ends(t *testing.T, frames tickback.Frame, outcomes map[string]tickback.Outcome) {
	t.Helper()
	var first tickback.Outcome
	for name, o := range outcomes {
		if first.Frames == 0 {
			first = o
		}
		if o.Frames != frames || o.Hash != first.Hash || o.Health == tickback.Desynced {
			t.Errorf("%s ends with %+v, another with %+v", name, o, first)
		}
	}
}

// Two play a duel over WebRTC, and agree on its last state; both say that it is healthy.
func TestADuel(t *testing.T) {
	t.Parallel()
	x := newExchange()
	game, err := duel.Game(7)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	outcomes := map[string]tickback.Outcome{}
	for me := range tickback.Player(2) {
		c := x.open(t, uint32(me+1), 1, 2)
		f := uint32(0)
		script, _ := duel.Scripted("random", 3)
		m, err := tickback.P2P(game, tickback.Options[duel.State, duel.Input]{
			Transport: c, Peers: tickback.Mesh(me, AddrOf(uint32(2-me))), TickRate: rate,
			Timeouts: tickback.Timeouts{Linger: 200 * time.Millisecond},
			Match:    tickback.Parameters{Seed: 7, Frames: length()},
			Sample:   func(p tickback.Player) duel.Input { f++; return script(f - 1)[p] },
		})
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			defer m.Close()
			play(t, tickback.SetOf(me).String(), tickback.Session[duel.State](m), nil)
			o, _ := m.Outcome()
			mu.Lock()
			defer mu.Unlock()
			outcomes[tickback.SetOf(me).String()] = o
			if o.Health != tickback.Healthy {
				t.Errorf("%v: %+v", me, o)
			}
		})
	}
	all.Wait()
	ends(t, length(), outcomes)
	// The checksum is that of the same inputs without a network.
	s, _ := duel.New(7)
	script, _ := duel.Scripted("random", 3)
	for f := range uint32(length()) {
		duel.Step(&s, script(f))
	}
	local, err := tickback.Local(game, tickback.Options[duel.State, duel.Input]{
		Players: 2, TickRate: 1000, Match: tickback.Parameters{Seed: 7, Frames: length()}, Sample: replayed(),
	})
	if err != nil {
		t.Fatal(err)
	}
	play(t, "alone", tickback.Session[duel.State](local), nil)
	alone, _ := local.Outcome()
	if duel.Checksum(local.View().Current) != duel.Checksum(&s) || alone.Hash != outcomes[tickback.SetOf(1).String()].Hash {
		t.Errorf("the match ends with %x, and the same one without a network with %x", outcomes[tickback.SetOf(1).String()].Hash, alone.Hash)
	}
}

// replayed samples the inputs of the duel again.
func replayed() func(tickback.Player) duel.Input {
	script, _ := duel.Scripted("random", 3)
	f, now := uint32(0), [2]duel.Input{}
	return func(p tickback.Player) duel.Input {
		if p == 0 {
			now = script(f)
			f++
		}
		return now[p]
	}
}

// fighter is a machine in a match of four, with its configuration.
type fighter struct {
	token tickback.Token
	match *tickback.Match[arena.State, arena.Input]
}

func (f *fighter) open(t *testing.T, c *Transport, me tickback.Player, join ...netip.AddrPort) {
	t.Helper()
	bot := arena.Bot{Seed: 5, Skill: arena.Normal}
	o := tickback.Options[arena.State, arena.Input]{
		Players: 4, Local: tickback.SetOf(me), Transport: c, TickRate: rate,
		OnLeave: tickback.Continue, Token: f.token, Spectators: tickback.Spectators{Max: 4},
		Match:    tickback.Parameters{Seed: 7, Frames: 2000},
		Timeouts: tickback.Timeouts{Drop: time.Second, Warn: 500 * time.Millisecond},
	}
	o.Sample = func(p tickback.Player) arena.Input {
		v := f.match.View()
		return bot.Input(p, v.Frame, v.Current)
	}
	if join == nil {
		o.Peers = tickback.Mesh(me, slices.DeleteFunc([]netip.AddrPort{AddrOf(1), AddrOf(2), AddrOf(3), AddrOf(4)},
			func(a netip.AddrPort) bool { return a == AddrOf(uint32(me+1)) })...)
	}
	var err error
	if join == nil {
		f.match, err = tickback.P2P(arena.Game(7), o)
	} else {
		f.match, err = tickback.Join(arena.Game(7), join, o)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Four play; one of them is lost, and joins again with the token; a spectator watches
// from the middle. All see the same end.
func TestFourWithALossAComebackAndASpectator(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes 9 s")
	}
	x := newExchange()
	token := tickback.NewToken()
	everybody := []uint32{1, 2, 3, 4, 5}
	var all sync.WaitGroup
	var mu sync.Mutex
	outcomes := map[string]tickback.Outcome{}
	over := func(name string, o tickback.Outcome) {
		mu.Lock()
		defer mu.Unlock()
		outcomes[name] = o
	}
	begun := make(chan struct{})
	for me := range tickback.Player(3) {
		f := &fighter{token: token}
		f.open(t, x.open(t, uint32(me+1), everybody...), me)
		all.Go(func() {
			defer f.match.Close()
			play(t, tickback.SetOf(me).String(), tickback.Session[arena.State](f.match), func() bool {
				if me == 0 && f.match.View().Frame >= 60 && begun != nil {
					close(begun)
					begun = nil
				}
				return false
			})
			o, _ := f.match.Outcome()
			over(tickback.SetOf(me).String(), o)
		})
	}
	started := begun
	lost := &fighter{token: token}
	c := x.open(t, 4, everybody...)
	lost.open(t, c, 3)
	all.Go(func() {
		play(t, "who is lost", tickback.Session[arena.State](lost.match), func() bool { return lost.match.View().Frame >= 60 })
		c.Close() // without a goodbye
		back := &fighter{token: token}
		back.open(t, x.open(t, 4, everybody...), 3, AddrOf(1), AddrOf(2))
		defer back.match.Close()
		play(t, "who is back", tickback.Session[arena.State](back.match), nil)
		o, _ := back.match.Outcome()
		over("4 again", o)
	})
	<-started
	watcher, err := tickback.Spectate(arena.Game(7), tickback.SpectatorOptions[arena.State, arena.Input]{
		Hosts: []netip.AddrPort{AddrOf(2), AddrOf(3)}, Transport: x.open(t, 5, everybody...), TickRate: rate, Token: token,
	})
	if err != nil {
		t.Fatal(err)
	}
	play(t, "who watches", tickback.Session[arena.State](watcher), nil)
	o, _ := watcher.Outcome()
	over("who watches", o)
	all.Wait()
	watcher.Close()
	if len(outcomes) != 5 {
		t.Fatalf("%d have an end", len(outcomes))
	}
	ends(t, 2000, outcomes)
}
