package fleet

import (
	"net/netip"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// How a plan changes the members of a match.

// joinToken is known only to the machines of a plan.
var joinToken = []byte("a token of this fleet's machines")

// configureJoins sets the part of a configuration that concerns joining.
func (r *run[S, I]) configureJoins(machine int, c *session.Config) {
	p := r.plan
	if !p.invites() {
		return
	}
	var reserved rollback.PlayerSet
	for i := range p.Machines {
		if p.Machines[i].Joins {
			reserved |= p.Machines[i].Players
		}
	}
	c.Token = joinToken
	if p.Machines[machine].Joins {
		r.joins(machine, c)
		return
	}
	c.Reserved = reserved
	peers := c.Peers[:0]
	for _, peer := range c.Peers {
		if peer.Players&reserved == 0 {
			peers = append(peers, peer)
		}
	}
	c.Peers = peers
}

// invites reports whether a machine can join a match of the plan.
func (p *Plan) invites() bool {
	for i := range p.Machines {
		if p.Machines[i].Joins {
			return true
		}
	}
	for _, f := range p.Faults {
		if f.Kind == Return || f.Kind == Restart && f.Value != RestartAsBefore {
			return true
		}
	}
	return false
}

// joins makes the configuration of a machine join a match: it asks all others.
func (r *run[S, I]) joins(machine int, c *session.Config) {
	var join session.Join
	for i := range r.plan.Machines {
		if i == machine {
			continue
		}
		at := Addr(i)
		if r.Fleet != nil {
			at = r.places[i].addr
		}
		join.Hosts = append(join.Hosts, at)
	}
	c.Join, c.Peers, c.Reserved = &join, nil, 0
	c.Match = session.Parameters{}
}

// comeBack makes a machine that is gone join, from another address or from its old one.
func comeBack[S any, I comparable](r *run[S, I], machine int, stays bool) {
	m := r.machines[machine]
	if m.gone == through || r.leaving || !m.dead && !m.over {
		return
	}
	err := r.Fleet.Rejoin(machine, func(c *session.Config) { r.joins(machine, c) })
	if err != nil {
		panic(err) // the plan is valid, and so is its configuration
	}
	if v := &r.revenants[machine]; !stays {
		*v = restartedProcess{before: v.before || v.at > 0}
		r.Move(machine, r.disturbances.move(machine))
	}
	fresh := &watched{live: r.Peers[machine], players: m.players, fresh: true, roll: roll{members: r.plan.founders()}}
	fresh.at = -1
	*m = *fresh
	r.disturbances.recovers(machine)
	r.crashes[machine] = crash{}
	r.noteTrouble(r.plan.DropAfter)
}

// kick makes the host kick a machine.
func (r *run[S, I]) kick(machine int) {
	host := r.Peers[0]
	if host.Down || host.hung || r.machines[0].gone != "" {
		return
	}
	if err := host.Kick(r.machines[machine].players, "kicked"); err != nil {
		return // the machine is not there, or there is no match
	}
	r.machines[machine].kicked = true
	r.enough()
	r.noteTrouble(r.plan.DropAfter)
	r.flush(0)
}

// pause makes a machine ask for a pause, or for its end.
func (r *run[S, I]) pause(machine int, begins bool) {
	p := r.Peers[machine]
	if p.Down || p.hung || r.machines[machine].gone != "" {
		return
	}
	ask := p.Unpause
	if begins {
		ask = p.Pause
	}
	if ask() == nil {
		r.flush(machine)
	}
}

// hears returns which machines currently hear each other, in both directions.
func (r *run[S, I]) hears() (of [MaxMachines]group) {
	strange := r.plan.network().movedPairs(r.Now)
	up := func(i int) bool {
		return !r.machines[i].dead && !r.machines[i].fresh && r.disturbances.acts(i) && r.Peers[i].Phase() != session.Over
	}
	astray := func(i, j int) bool { // j does not follow a machine that it has given up at another address
		return lostAt(r.machines[j], r.machines[i].players, r.places[i].addr)
	}
	for i := range r.machines {
		for j := range r.machines {
			if up(i) && up(j) && r.disturbances.connected(i, j) && !astray(i, j) && !astray(j, i) {
				of[i] |= 1 << j
			}
		}
	}
	for i := range r.machines {
		if strange.has(i) {
			of[i] = 0 // it is not known which machines it hears, so no side that includes it is clear
		}
	}
	return of
}

// lostAt reports whether a machine has given up these players, and knows them only at other addresses.
func lostAt(m *watched, players rollback.PlayerSet, addr netip.AddrPort) (lost bool) {
	for _, l := range m.stats.Links {
		if l.Players&players == 0 {
			continue
		}
		if l.Connected || l.Addr == addr {
			return false
		}
		lost = m.started
	}
	return lost
}
