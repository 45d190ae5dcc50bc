package ggpo_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/compat/ggpo"
	"github.com/tickback/tickback/netem"
)

// Each misuse is an error with the code of the ports of GGPO, and a text that says what to do.
func TestMisuse(t *testing.T) {
	w := newWorld(t, 2, 40, netem.Link{Delay: 10 * ms})
	p := newPlayer(t, 3, 40)
	var none ggpo.Peer
	var h ggpo.PlayerHandle
	local, remote := ggpo.NewLocalPlayer(20, 1), ggpo.NewRemotePlayer(20, 2, ip(1), 7000)
	nobody, nowhere, strange := ggpo.NewLocalPlayer(20, 3), ggpo.NewRemotePlayer(20, 2, "", 7000), ggpo.Player{PlayerType: 7, PlayerNum: 2}
	noPort := ggpo.NewRemotePlayer(20, 2, ip(1), 0)
	peer := ggpo.NewPeer(p, 7000, 2, 3)
	p.backend = &peer
	test := ggpo.NewSyncTest(p, 2, 4, 3, true)
	watch := ggpo.NewSpectator(p, 7000, 2, 3, ip(0), 7000)
	bad := func(b ggpo.Backend) error { return b.Idle(0) }
	one, two, three, four := ggpo.NewPeer(nil, 7000, 2, 3), ggpo.NewPeer(p, 7000, 0, 3), ggpo.NewPeer(p, 7000, 2, 65), ggpo.NewPeer(p, -1, 2, 3)
	five, six := ggpo.NewSyncTest(p, 2, 0, 3, true), ggpo.NewSpectator(p, 7000, 2, 3, "10.0.0.1", 0)
	sync := func(b ggpo.Backend) error { _, err := b.SyncInput(nil); return err }
	stats := func(b ggpo.Backend, h ggpo.PlayerHandle) error { _, err := b.GetNetworkStats(h); return err }
	for i, c := range []struct {
		code ggpo.ErrorCode
		text string
		call func() error
	}{
		{ggpo.ErrorCodeInvalidSession, "NewPeer", func() error { return none.Idle(0) }},
		{ggpo.ErrorCodeInvalidSession, "NewPeer", func() error { return none.Close() }},
		{ggpo.ErrorCodeInvalidSession, "NewPeer", func() error { return none.SetDisconnectTimeout(1) }},
		{ggpo.ErrorCodeInvalidSession, "nil", func() error { return bad(&one) }},
		{ggpo.ErrorCodeInvalidSession, "0 players", func() error { return bad(&two) }},
		{ggpo.ErrorCodeInvalidSession, "65 bytes", func() error { return bad(&three) }},
		{ggpo.ErrorCodeInvalidSession, "port -1", func() error { return bad(&four) }},
		{ggpo.ErrorCodeInvalidSession, "0 frames", func() error { return bad(&five) }},
		{ggpo.ErrorCodeInvalidSession, "host", func() error { return bad(&six) }},

		{ggpo.ErrorCodeInvalidRequest, "without a player", func() error { return peer.AddPlayer(nil, &h) }},
		{ggpo.ErrorCodeInvalidRequest, "handle", func() error { return peer.AddPlayer(&local, nil) }},
		{ggpo.ErrorCodePlayerOutOfRange, "1 to 2", func() error { return peer.AddPlayer(&nobody, &h) }},
		{ggpo.ErrorCodeInvalidRequest, "address of player 2", func() error { return peer.AddPlayer(&nowhere, &h) }},
		{ggpo.ErrorCodeInvalidRequest, "address of player 2", func() error { return peer.AddPlayer(&noPort, &h) }},
		{ggpo.ErrorCodeInvalidRequest, "type 7", func() error { return peer.AddPlayer(&strange, &h) }},
		{ggpo.ErrorCodeSuccess, "", func() error { return peer.AddPlayer(&local, &h) }},
		{ggpo.ErrorCodeInvalidRequest, "added before", func() error { return peer.AddPlayer(&local, &h) }},
		{ggpo.ErrorCodeInvalidPlayerHandle, "1 to 2", func() error { return peer.AddLocalInput(0, []byte{1, 2, 3}, 3) }},
		{ggpo.ErrorCodeInvalidPlayerHandle, "AddPlayer", func() error { return peer.AddLocalInput(2, []byte{1, 2, 3}, 3) }},
		{ggpo.ErrorCodeInvalidRequest, "input size of this match is 3", func() error { return peer.AddLocalInput(1, []byte{1, 2}, 2) }},
		{ggpo.ErrorCodeInvalidRequest, "2 are given", func() error { return peer.AddLocalInput(1, []byte{1, 2}, 3) }},
		{ggpo.ErrorCodeNotSynchronized, "Start", func() error { return peer.AddLocalInput(1, []byte{1, 2, 3}, 3) }},
		{ggpo.ErrorCodeInvalidRequest, "AddLocalInput", func() error { return sync(&peer) }},
		{ggpo.ErrorCodeInvalidRequest, "AddLocalInput", func() error { return peer.AdvanceFrame(1) }},
		{ggpo.ErrorCodeInvalidRequest, "-1 frames", func() error { return peer.SetFrameDelay(1, -1) }},
		{ggpo.ErrorCodeInvalidRequest, "61 frames", func() error { return peer.SetFrameDelay(1, 61) }},
		{ggpo.ErrorCodeInvalidRequest, "-1 milliseconds", func() error { return peer.SetDisconnectTimeout(-1) }},
		{ggpo.ErrorCodeInvalidRequest, "400", func() error { return peer.SetDisconnectTimeout(399) }},
		{ggpo.ErrorCodeInvalidRequest, "milliseconds", func() error { return peer.SetDisconnectNotifyStart(1 << 30) }},
		{ggpo.ErrorCodeInvalidRequest, "Window of -1", func() error { return peer.SetOptions(ggpo.Options{Window: -1}) }},
		{ggpo.ErrorCodeInvalidRequest, "2 transports", func() error { return peer.InitializeConnection(w.ports[0], w.ports[1]) }},
		{ggpo.ErrorCodeInvalidRequest, "nil", func() error { return peer.InitializeConnection(nil) }},
		{ggpo.ErrorCodeSuccess, "", func() error { return peer.InitializeConnection(w.ports[0]) }},
		{ggpo.ErrorCodeInvalidRequest, "connection", func() error { return peer.InitializeConnection() }},
		{ggpo.ErrorCodeSuccess, "", func() error { peer.Start(); return peer.Idle(0) }},
		{ggpo.ErrorCodeNotSynchronized, "player 2 is missing", func() error { return peer.AddLocalInput(1, []byte{1, 2, 3}, 3) }},
		{ggpo.ErrorCodeSuccess, "", func() error { return peer.AddPlayer(&remote, &h) }},
		{ggpo.ErrorCodeInvalidPlayerHandle, "remote", func() error { return peer.AddLocalInput(2, []byte{1, 2, 3}, 3) }},
		{ggpo.ErrorCodeInvalidPlayerHandle, "its own players", func() error { return peer.SetFrameDelay(2, 1) }},
		{ggpo.ErrorCodeSuccess, "", func() error { return stats(&peer, 2) }},
		{ggpo.ErrorCodeInvalidPlayerHandle, "handle 3", func() error { return stats(&peer, 3) }},
		{ggpo.ErrorCodeSuccess, "", func() error { return peer.SetOptions(w.ports[0].options(1)) }},
		{ggpo.ErrorCodeNotSynchronized, "Idle", func() error { return peer.AddLocalInput(1, []byte{1, 2, 3}, 3) }},
		{ggpo.ErrorCodeInvalidRequest, "was built", func() error { return peer.SetOptions(ggpo.Options{}) }},
		{ggpo.ErrorCodeUnsupported, "was built", func() error { return peer.SetDisconnectTimeout(3000) }},
		{ggpo.ErrorCodeInvalidRequest, "was built", func() error { return peer.AddSpectator(ip(1), 7000) }},
		{ggpo.ErrorCodeSuccess, "", func() error { return peer.Close() }},
		{ggpo.ErrorCodeInvalidSession, "after Close", func() error { return peer.Idle(0) }},
		{ggpo.ErrorCodeSuccess, "", func() error { return peer.Close() }},

		{ggpo.ErrorCodeInvalidRequest, "local", func() error { return test.AddPlayer(&remote, &h) }},
		{ggpo.ErrorCodeInvalidPlayerHandle, "0 to 1", func() error { return test.AddLocalInput(2, []byte{1, 2, 3}, 3) }},
		{ggpo.ErrorCodeInvalidRequest, "Peer", func() error { return test.DisconnectPlayer(0) }},
		{ggpo.ErrorCodeInvalidRequest, "Peer", func() error { return stats(&test, 0) }},
		{ggpo.ErrorCodeInvalidRequest, "Peer", func() error { return test.AddSpectator(ip(1), 7000) }},
		{ggpo.ErrorCodeInvalidRequest, "host", func() error { return watch.AddPlayer(&local, &h) }},
		{ggpo.ErrorCodeInvalidRequest, "Spectator", func() error { return watch.SetFrameDelay(1, 1) }},
		{ggpo.ErrorCodeInvalidRequest, "Spectator", func() error { return watch.SetDisconnectTimeout(1000) }},
		{ggpo.ErrorCodeNotSynchronized, "Start", func() error { return sync(&watch) }},
		{ggpo.ErrorCodeSuccess, "", func() error { return watch.AddLocalInput(1, nil, 0) }},
		{ggpo.ErrorCodeSuccess, "", func() error { return watch.Close() }},
	} {
		err := c.call()
		if c.code == ggpo.ErrorCodeSuccess {
			if err != nil {
				t.Errorf("call %d: %v", i, err)
			}
			continue
		}
		var e ggpo.Error
		if !errors.As(err, &e) || e.Code != c.code || e.Name != c.code.String() || !strings.Contains(err.Error(), c.text) || !errors.Is(err, ggpo.Error{Code: c.code}) {
			t.Errorf("call %d: %v, want %v with %q", i, err, c.code, c.text)
		}
	}
	full := ggpo.NewPeer(p, 7000, 2, 3)
	for range ggpo.MaxSpectators {
		ok(t, full.AddSpectator("", 0))
	}
	if err := full.AddSpectator("", 0); !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeTooManySpectators}) {
		t.Error(err)
	}
}

// A match that cannot be built says why, in each call.
func TestAMatchThatCannotBeBuilt(t *testing.T) {
	w := newWorld(t, 2, 41, netem.Link{})
	p := newPlayer(t, 3, 41)
	peer := ggpo.NewPeer(p, 7000, 2, 3)
	var h ggpo.PlayerHandle
	local, remote := ggpo.NewLocalPlayer(20, 1), ggpo.NewRemotePlayer(20, 2, ip(1), 7000)
	ok(t, peer.AddPlayer(&local, &h))
	ok(t, peer.AddPlayer(&remote, &h))
	ok(t, peer.InitializeConnection(w.ports[0]))
	ok(t, peer.SetOptions(ggpo.Options{TickRate: -5}))
	peer.Start()
	for _, err := range []error{peer.Idle(0), peer.AddLocalInput(1, []byte{1, 2, 3}, 3)} {
		if !errors.Is(err, tickback.ErrOptions) || !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeGeneralFailure}) || !strings.Contains(err.Error(), "TickRate") {
			t.Error(err)
		}
	}
	if ok(t, peer.Close()); w.ports[0].closed != 1 {
		t.Errorf("the transport was closed %d times", w.ports[0].closed)
	}
}

// Machines with another input size do not play together: both are told why.
func TestPeersThatDiffer(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1}, link: netem.Link{Delay: 10 * ms}, seed: 42, change: func(i int, o *ggpo.Options) { o.Build = fmt.Sprint(i) }})
	w.run(3*time.Second, loopsOf(players), nil)
	for i, p := range players {
		var differ *tickback.MismatchError
		e := p.event(ggpo.EventCodeDisconnectedFromPeer)
		if err := p.turn(); !errors.As(err, &differ) || !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodePlayerDisconnected}) || e.Err == nil {
			t.Errorf("machine %d: %v, and is told %+v", i, err, e)
		}
	}
}

// Calls in any order, in and out of callbacks, and with any arguments, return errors and never panic. After Close the
// transport is free.
func FuzzCalls(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, 400)
	}
	f.Fuzz(func(t *testing.T, seed uint64, calls int) { callAnything(t, seed, min(max(calls, 0), 2000)) })
}

// TestCallsInAnyOrder does what the fuzz target does, for more seeds.
func TestCallsInAnyOrder(t *testing.T) {
	seeds := uint64(400)
	if testing.Short() {
		seeds = 30
	}
	seen := map[ggpo.ErrorCode]int{}
	for seed := range seeds {
		for code, n := range callAnything(t, seed, 600) {
			seen[code] += n
		}
	}
	for _, code := range []ggpo.ErrorCode{
		ggpo.ErrorCodeSuccess, ggpo.ErrorCodeInvalidSession, ggpo.ErrorCodeInvalidPlayerHandle, ggpo.ErrorCodePlayerOutOfRange,
		ggpo.ErrorCodePredictionThreshod, ggpo.ErrorCodeNotSynchronized, ggpo.ErrorCodeInRollback, ggpo.ErrorCodeInvalidRequest,
	} {
		if seen[code] == 0 {
			t.Errorf("%v never occurred: %v", code, seen)
		}
	}
}

func callAnything(t *testing.T, seed uint64, calls int) map[ggpo.ErrorCode]int {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	w := newWorld(t, 3, seed, netem.Link{Delay: 5 * ms, Loss: 5 * netem.Percent})
	seen := map[ggpo.ErrorCode]int{}
	note := func(err error) {
		var e ggpo.Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("seed %d: %T: %v", seed, err, err)
		}
		seen[e.Code]++
	}
	var backends []ggpo.Backend
	depth := 0
	var call func(b ggpo.Backend)
	for i := range 3 {
		wild := &anything{act: func() {
			if depth++; depth < 4 && r.IntN(3) == 0 {
				call(backends[i])
			}
			depth--
		}}
		var b ggpo.Backend
		switch {
		case i == 2 && seed%3 == 0:
			s := ggpo.NewSpectator(wild, 7000, 2, 3, ip(0), 7000)
			note(s.SetOptions(w.ports[i].options(seed)))
			b = &s
		case i == 2:
			s := ggpo.NewSyncTest(wild, 2, 1+r.IntN(9), 3, seed%2 == 0)
			note(s.SetOptions(w.ports[i].options(seed)))
			b = &s
		default:
			p := ggpo.NewPeer(wild, 7000, 2, 3)
			note(p.SetOptions(w.ports[i].options(seed)))
			b = &p
		}
		wild.backend = b
		note(b.InitializeConnection(w.ports[i]))
		backends = append(backends, b)
	}
	handle := func() ggpo.PlayerHandle { return ggpo.PlayerHandle(r.IntN(5) - 1) }
	call = func(b ggpo.Backend) {
		var h ggpo.PlayerHandle
		switch r.IntN(40) {
		case 0:
			p := ggpo.Player{PlayerType: ggpo.PlayerType(r.IntN(4)), PlayerNum: r.IntN(4), Remote: ggpo.RemotePlayer{IpAdress: ip(r.IntN(2)), Port: 7000}}
			note(b.AddPlayer(&p, &h))
		case 1, 2, 3, 4: // most often, what makes a match
			for n := 1; n <= 2; n++ {
				p := ggpo.NewRemotePlayer(20, n, ip(n-1), 7000)
				if b == backends[n-1] || b == backends[2] {
					p = ggpo.NewLocalPlayer(20, n)
				}
				note(b.AddPlayer(&p, &h))
			}
			b.Start()
		case 5:
			note(b.SetFrameDelay(handle(), r.IntN(9)-1))
		case 6:
			note(b.SetDisconnectTimeout(r.IntN(9000) - 100))
			note(b.SetDisconnectNotifyStart(r.IntN(9000) - 100))
		case 7:
			_, err := b.GetNetworkStats(handle())
			note(err)
		case 8:
			if r.IntN(20) == 0 {
				note(b.DisconnectPlayer(handle()))
			}
		case 9:
			if r.IntN(30) == 0 {
				note(b.Close())
			}
		case 10:
			note(b.AddSpectator(ip(2), 7000))
		case 11:
			note(b.AdvanceFrame(0))
		case 12, 13:
			var flags int
			_, err := b.SyncInput(&flags)
			note(err)
		case 14:
			note(b.AddLocalInput(handle(), make([]byte, r.IntN(5)), r.IntN(5)))
		case 15, 16, 17, 18, 19, 20, 21, 22, 23:
			note(b.Idle(r.IntN(2)))
		default: // a frame, as it should be
			for _, h := range []ggpo.PlayerHandle{0, 1, 2} {
				note(b.AddLocalInput(h, []byte{byte(r.Uint32()), 0, 0}, 3))
			}
			if _, err := b.SyncInput(nil); err == nil {
				note(b.AdvanceFrame(0))
			}
		}
	}
	for range calls {
		call(backends[r.IntN(3)])
		if r.IntN(3) == 0 {
			w.pass(time.Duration(r.IntN(30)) * ms)
		}
	}
	for i, b := range backends {
		ok(t, b.Close())
		if _, test := b.(*ggpo.SyncTest); !test && w.ports[i].closed != 1 {
			t.Errorf("seed %d: the transport of machine %d was closed %d times", seed, i, w.ports[i].closed)
		}
	}
	return seen
}

// anything is a game whose callbacks do something, and sometimes something else as well.
type anything struct {
	backend ggpo.Backend
	act     func()
}

func (a *anything) SaveGameState(int) int { a.act(); return 0 }
func (a *anything) LoadGameState(int)     { a.act() }
func (a *anything) OnEvent(*ggpo.Event)   { a.act() }

func (a *anything) AdvanceFrame(int) {
	a.act()
	if _, err := a.backend.SyncInput(nil); err == nil {
		a.act()
		_ = a.backend.AdvanceFrame(0)
	}
}
