package fleet

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// What a plan does with who is in a match.

// joinToken is what all machines of a plan know, and nobody else.
var joinToken = []byte("a token of this fleet's machines")

// configureJoins is the part of configure about those who join.
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

// invites reports whether somebody can join a match of a plan.
func (p *Plan) invites() bool {
	for i := range p.Machines {
		if p.Machines[i].Joins {
			return true
		}
	}
	for _, f := range p.Faults {
		if f.Kind == Return {
			return true
		}
	}
	return false
}

// joins makes a configuration one of a machine that joins: it asks all others.
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

// comeBack makes a machine that is gone join, from another address.
func (r *run[S, I]) comeBack(machine int) {
	m := r.machines[machine]
	if m.gone == through || r.leaving || !m.dead && !m.over {
		return
	}
	err := r.Fleet.Rejoin(machine, func(c *session.Config) { r.joins(machine, c) })
	if err != nil {
		panic(err) // the plan is valid, and so is its configuration
	}
	r.moveAway(machine)
	fresh := &watched{live: r.Peers[machine], players: m.players, fresh: true, roll: roll{members: r.plan.founders()}}
	fresh.at = -1
	*m = *fresh
	r.silenced[machine], r.hung[machine], r.crashes[machine] = 0, 0, crash{}
	r.disturb(r.plan.DropAfter)
}

// kick has the host send a machine away.
func (r *run[S, I]) kick(machine int) {
	host := r.Peers[0]
	if host.Down || host.hung || r.machines[0].gone != "" {
		return
	}
	if err := host.Kick(r.machines[machine].players, "kicked"); err != nil {
		return // it is not there, or there is no match
	}
	r.machines[machine].kicked = true
	r.enough()
	r.disturb(r.plan.DropAfter)
	r.flush(0)
}

// pause has a machine ask for the match to stand still, or to go on.
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

// hears returns who can hear whom now, in both directions.
func (r *run[S, I]) hears() (of [MaxMachines]group) {
	strange := r.plan.estranged(r.Now)
	up := func(i int) bool {
		return !r.machines[i].dead && !r.machines[i].fresh && r.silenced[i] == 0 && r.hung[i] == 0 && r.Peers[i].Phase() != session.Over
	}
	for i := range r.machines {
		for j := range r.machines {
			if up(i) && up(j) && r.cuts[i][j] == 0 && r.cuts[j][i] == 0 {
				of[i] |= 1 << j
			}
		}
	}
	for i := range r.machines {
		if strange.has(i) {
			of[i] = 0 // whom it hears is not known; so no side that has it is clear
		}
	}
	return of
}
