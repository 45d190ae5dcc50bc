package fleet

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Datagrams that a plan sends again, from the network or an attacker, and machines that die while they send.

const (
	// preludeLength is how long the earlier session of a Replay is.
	preludeLength = 6 * time.Second
	// preludeSeed changes the seed of the plan for the earlier session.
	preludeSeed = 0x9E3779B97F4A7C15
)

// prelude plays a session of the same machines without any fault, with another seed, and records the datagrams to the
// machines that will get them again.
func (r *run[S, I]) prelude(s Setup[S, I]) error {
	if !r.repeater.wantsEarlier() {
		return nil
	}
	s.Seed ^= preludeSeed
	random, err := NewInputs[I](s.Seed)
	if err != nil {
		return err
	}
	s.Input = func(p rollback.Player, _ int) I { return random.Next(p) }
	s.Orders, s.Spectators, s.Games = nil, nil, nil
	s.Hooks = func(_ int, h *session.Hooks[S, I]) { h.Start = r.options.Start }
	f, err := New(s)
	if err != nil {
		return err
	}
	f.OnSend = func(from, to int, b []byte) { r.repeater.recordEarlier(from, to, Addr(from), b) }
	f.Run(preludeLength)
	return nil
}

// replayOn sends the recorded datagrams that are due again.
func (r *run[S, I]) replayOn() {
	r.repeater.due(r.Now, r.plan.network().way, func(to int, from netip.AddrPort, datagram []byte) {
		r.Inject(to, from, datagram)
		r.hearing.since = r.now // a datagram that was lost earlier now counts as heard
		r.noteTrouble(r.plan.DropAfter + r.plan.network().margin())
	})
}

// cannotSend reports whether datagrams of a machine can no longer leave it.
func (r *run[S, I]) cannotSend(node int) bool {
	if node >= len(r.machines) {
		return false
	}
	switch {
	case r.machines[node].dead:
		return !r.revenants[node].stray
	case !r.crashes[node].strikes(r.Peers[node].Deciding):
		return false
	}
	r.kill(node)
	return true
}

// kill kills a machine.
func (r *run[S, I]) kill(machine int) {
	w := r.machines[machine]
	if w.dead {
		return
	}
	w.dead, w.gone, w.goneAt = true, "killed", r.Now
	r.Peers[machine].Down = true
	r.noteTrouble(r.plan.DropAfter + session.DefaultLinger)
}
