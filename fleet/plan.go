package fleet

import (
	"slices"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Plan is everything about a run of [Play]: which players are on which machine, how the machines are connected, and
// what goes wrong when. It is plain data: the same plan and the same game give the same run, bit by bit. [Draw] makes
// one from a seed; [Plan.String] shows it, [Plan.JSON] and [ParsePlan] keep it in a file.
//
// All times are virtual, from the start of the run.
type Plan struct {
	// Seed decides everything random: the fate of datagrams, nonces, inputs, orders.
	Seed uint64
	// Profile names the profile from which the links were drawn. A run ignores it.
	Profile string `json:",omitzero"`

	// Matches is how many matches are played one after another: more than 1 means rematches.
	Matches int
	// Frames is how many frames each match has, unless it is ended earlier.
	Frames session.Frame
	// Rest is how long all machines stay in the lobby after a match, before the next one and
	// before they leave.
	Rest time.Duration `json:",omitzero"`
	// Until is when machines leave that have not played everything: on a network that is too slow, a match goes on until
	// then and no longer.
	Until time.Duration

	TickRate   int
	OnLeave    session.OnLeave `json:",omitzero"`
	HashEvery  int             // as in session.Config
	ChainEvery int             // as in session.Config
	MaxOrders  int             `json:",omitzero"` // bytes; 0 means no orders
	DropAfter  time.Duration
	// QuorumTimeout and MaxPause are as in session.Config.
	QuorumTimeout time.Duration `json:",omitzero"`
	MaxPause      time.Duration `json:",omitzero"`
	// Framed makes machines look at the network only when a frame is due; see Setup.
	Framed bool `json:",omitzero"`

	Machines []Machine
	// Hosting configures the hosts for spectators, and Spectators are the spectators.
	Hosting    SpectatorHosting `json:",omitzero"`
	Spectators []SpectatorPlan  `json:",omitempty"`
	// Link is the link from each machine to each other one, except for those in Links.
	Link   netem.Link
	Links  []Way   `json:",omitempty"`
	Faults []Fault `json:",omitempty"`
}

// Machine is one peer of a plan.
type Machine struct {
	Players   rollback.PlayerSet
	Window    int           `json:",omitzero"` // frames; 0 means lockstep
	Delay     int           `json:",omitzero"` // frames, of each player here
	AutoDelay bool          `json:",omitzero"`
	Late      time.Duration `json:",omitzero"` // when it is switched on
	Drift     int64         `json:",omitzero"` // the deviation of its clock, in parts per million
	// Cost is how long its work takes.
	Cost Cost `json:",omitzero"`
	// Joins means that the machine's place is reserved, and that it joins when it is switched on.
	Joins bool `json:",omitzero"`
}

// Way is the link from one machine to another.
type Way struct {
	From, To int
	Link     netem.Link
}

// Players returns the number of players on all machines.
func (p *Plan) Players() (n int) {
	for _, m := range p.Machines {
		n += m.Players.Len()
	}
	return n
}

// Clone returns a copy that shares nothing with the plan.
func (p *Plan) Clone() Plan {
	c := *p
	c.Machines, c.Links, c.Faults = slices.Clone(p.Machines), slices.Clone(p.Links), slices.Clone(p.Faults)
	c.Spectators = slices.Clone(p.Spectators)
	for i := range c.Spectators {
		c.Spectators[i].Hosts = slices.Clone(c.Spectators[i].Hosts)
	}
	return c
}

// Equal reports whether two plans are the same, field by field.
func (p *Plan) Equal(o *Plan) bool {
	return p.Seed == o.Seed && p.Profile == o.Profile && p.Matches == o.Matches && p.Frames == o.Frames && p.Rest == o.Rest && p.Until == o.Until &&
		p.TickRate == o.TickRate && p.OnLeave == o.OnLeave && p.HashEvery == o.HashEvery && p.ChainEvery == o.ChainEvery &&
		p.MaxOrders == o.MaxOrders && p.DropAfter == o.DropAfter && p.QuorumTimeout == o.QuorumTimeout && p.MaxPause == o.MaxPause && p.Framed == o.Framed && p.Link == o.Link &&
		p.Hosting == o.Hosting && slices.EqualFunc(p.Spectators, o.Spectators, SpectatorPlan.equal) &&
		slices.Equal(p.Machines, o.Machines) && slices.Equal(p.Links, o.Links) && slices.Equal(p.Faults, o.Faults)
}
