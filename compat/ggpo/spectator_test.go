package ggpo_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/compat/ggpo"
	"github.com/tickback/tickback/netem"
)

// A spectator shows all frames of the match, whether it comes before it or late, and catches up by the callback.
func TestSpectators(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1}, spectators: 2, link: lossy, seed: 20})
	loops := loopsOf(players)
	loops[3].stop = true
	w.run(10*time.Second, loops, nil)
	loops[3].stop = false
	w.run(10*time.Second, loops, nil)
	equal(t, 900, players...)
	healthy(t, players[:2]...)
	early, late := players[2], players[3]
	for i, p := range players[2:] {
		if p.loads != 0 || p.saves != 0 || p.count(ggpo.EventCodeRunning) != 1 || p.count(ggpo.EventCodeConnectedToPeer) != 1 || p.count(ggpo.EventCodeDesync) != 0 {
			t.Errorf("spectator %d: %d loads, %d saves, %v", i, p.loads, p.saves, p.events)
		}
	}
	if late.again < 400 || early.again > 100 {
		t.Errorf("the early spectator has caught up on %d frames, and the late one on %d", early.again, late.again)
	}
	if behind := len(players[0].sums) - len(late.sums); behind > 60 {
		t.Errorf("the late spectator is %d frames behind", behind)
	}
	if n := players[0].count(ggpo.EventCodeSpectatorJoined); n != 2 {
		t.Errorf("the host is told of %d spectators", n)
	}
	if n := players[0].count(ggpo.EventCodeConnectedToPeer); n != 1 {
		t.Errorf("the host is told of %d players", n)
	}
	w.meanwhile = loops[2:]
	closeAll(t, players[:2])
	w.run(5*time.Second, loops[2:], nil)
	for i, p := range players[2:] {
		if e := p.event(ggpo.EventCodeDisconnectedFromPeer); p.count(e.Code) != 1 || !errors.Is(e.Err, tickback.ErrEnd) && e.Text == "" {
			t.Errorf("spectator %d is told %+v", i, e)
		}
		if _, err := p.backend.SyncInput(nil); !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodePlayerDisconnected}) {
			t.Errorf("spectator %d: %v", i, err)
		}
	}
	closeAll(t, players[2:])
}

// The flags of disconnected players reach spectators, too.
func TestASpectatorSeesWhoIsDisconnected(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1, 1}, spectators: 1, link: lossy, seed: 21})
	loops := loopsOf(players)
	w.run(4*time.Second, loops, nil)
	w.meanwhile = []*loop{loops[0], loops[1], loops[3]}
	ok(t, players[2].backend.Close())
	w.run(5*time.Second, w.meanwhile, nil)
	equal(t, 350, players[0], players[1], players[3])
	watching := players[3]
	if last := len(watching.flags) - 1; watching.flags[last] != 1<<2 || watching.flags[60] != 0 {
		t.Errorf("flags %b, and then %b", watching.flags[60], watching.flags[last])
	}
}

// Without the token a spectator sees nothing.
func TestSpectatorsNeedTheToken(t *testing.T) {
	token := tickback.NewToken()
	w, players := meet(t, plan{machines: []int{1, 1}, spectators: 2, link: netem.Link{Delay: 10 * ms}, seed: 22, change: func(i int, o *ggpo.Options) {
		if i == 0 || i == 2 {
			o.Token = token
		}
	}})
	w.run(5*time.Second, loopsOf(players), nil)
	if len(players[2].sums) < 100 || len(players[3].sums) > 0 {
		t.Errorf("%d frames with the token, and %d without", len(players[2].sums), len(players[3].sums))
	}
}

// A match of two players on one machine can be watched, too.
func TestASpectatorOfALocalMatch(t *testing.T) {
	w, players := meet(t, plan{machines: []int{2}, spectators: 1, link: lossy, seed: 23})
	w.run(5*time.Second, loopsOf(players), nil)
	equal(t, 200, players...)
	closeAll(t, players)
	if w.ports[0].closed != 1 || w.ports[1].closed != 1 {
		t.Errorf("the transports were closed %d and %d times", w.ports[0].closed, w.ports[1].closed)
	}
}
