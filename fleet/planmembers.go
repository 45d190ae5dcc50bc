package fleet

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// group is a set of players' machines: bit i is machine i.
type group uint16

func (g group) has(machine int) bool { return g>>machine&1 != 0 }

// len counts the machines.
func (g group) len() (n int) {
	for ; g != 0; g &= g - 1 {
		n++
	}
	return n
}

// continues reports whether the others play on when a machine leaves.
func (p *Plan) continues() bool { return p.OnLeave == session.Continue }

func (p *Plan) quorumTimeout() time.Duration {
	if p.QuorumTimeout == 0 {
		return session.DefaultQuorumTimeout
	}
	return p.QuorumTimeout
}

func (p *Plan) maxPause() time.Duration {
	if p.MaxPause == 0 {
		return session.DefaultMaxPause
	}
	return p.MaxPause
}

// machinesOf returns the machines that have any of these players.
func (p *Plan) machinesOf(players rollback.PlayerSet) (g group) {
	for i := range p.Machines {
		if p.Machines[i].Players&players != 0 {
			g |= 1 << i
		}
	}
	return g
}

// able reports whether a side of the members of a match can go on without the others: it has more than half of them, or
// half including the first, or is one of two.
func able(side, members group) bool {
	in, all := (side & members).len(), members.len()
	first := members & -members
	return 2*in > all || 2*in == all && side&first != 0 || all == 2 && in == 1
}
