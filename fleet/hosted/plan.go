package hosted

import (
	"slices"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
)

// Plan is everything about a run of [Play]: which machines join when, how they are connected, and what goes wrong. It
// is plain data: the same plan and the same game give the same run, bit by bit. [Draw] makes one from a seed;
// [Plan.String] shows it, [Plan.JSON] and [ParsePlan] keep it in a file.
//
// All times are virtual, from the start of the server.
type Plan struct {
	// Seed decides everything random: the fate of datagrams, nonces, inputs, orders.
	Seed uint64
	// Profile names the profile from which the links were drawn. A run ignores it.
	Profile string `json:",omitzero"`

	Places   int // the number of places in the match
	TickRate int
	Frames   Frame // the number of frames in the match, unless the game ends it earlier
	// States is how many updates a client gets per second; 0 means one for each tick.
	States int `json:",omitzero"`
	// Partial says that clients are only told what the game's Sight leaves.
	Partial bool `json:",omitzero"`
	// DropAfter is as in served.ServerConfig and served.ClientConfig.
	DropAfter time.Duration
	// Delay is how many frames spectators are behind.
	Delay int `json:",omitzero"`
	// Cost is how long the work of the server takes.
	Cost fleet.Cost `json:",omitzero"`

	// Guarded says that clients and spectators need a token.
	Guarded bool `json:",omitzero"`

	Clients    []Client
	Spectators []SpectatorPlan `json:",omitempty"`
	Strangers  []Stranger      `json:",omitempty"`
	Faults     []fleet.Fault   `json:",omitempty"`
}

// Client is one client of a plan.
type Client struct {
	Comes   time.Duration `json:",omitzero"` // when it is switched on
	Drift   int64         `json:",omitzero"` // the deviation of its clock, in parts per million
	PerTick int           `json:",omitzero"` // datagrams, as in served.ClientConfig; 0 means 2
	Up      netem.Link    // the link to the server
	Down    netem.Link    // the link from the server
	Cost    fleet.Cost    `json:",omitzero"` // how long its work takes
}

// SpectatorPlan is one spectator of a plan.
type SpectatorPlan struct {
	Comes time.Duration `json:",omitzero"`
	Drift int64         `json:",omitzero"`
	Up    netem.Link
	Down  netem.Link
	Cost  fleet.Cost `json:",omitzero"`
}

// honest returns the number of machines without strangers, which come last, and machines the number including them.
func (p *Plan) honest() int { return 1 + len(p.Clients) + len(p.Spectators) }

func (p *Plan) machines() int { return p.honest() + len(p.Strangers) }

// isClient and watches report the role of a machine.
func (p *Plan) isClient(machine int) bool { return machine >= 1 && machine <= len(p.Clients) }

func (p *Plan) watches(machine int) bool {
	return machine > len(p.Clients) && machine < p.honest()
}

// ways returns the links of a machine to the server and from it.
func (p *Plan) ways(machine int) (up, down netem.Link) {
	if p.isClient(machine) {
		c := &p.Clients[machine-1]
		return c.Up, c.Down
	}
	if s := machine - p.honest(); s >= 0 {
		return p.Strangers[s].Up, p.Strangers[s].Down
	}
	w := &p.Spectators[machine-1-len(p.Clients)]
	return w.Up, w.Down
}

// length returns how long the match takes.
func (p *Plan) length() time.Duration {
	return time.Duration(p.Frames) * time.Second / time.Duration(p.TickRate)
}

// Clone returns a copy that shares nothing with the plan.
func (p *Plan) Clone() Plan {
	c := *p
	c.Clients, c.Spectators, c.Faults = slices.Clone(p.Clients), slices.Clone(p.Spectators), slices.Clone(p.Faults)
	c.Strangers = slices.Clone(p.Strangers)
	return c
}

// Equal reports whether two plans are the same, field by field.
func (p *Plan) Equal(o *Plan) bool {
	return p.head() == o.head() && slices.Equal(p.Clients, o.Clients) && slices.Equal(p.Spectators, o.Spectators) &&
		slices.Equal(p.Strangers, o.Strangers) && slices.Equal(p.Faults, o.Faults)
}

// head is a plan without its lists.
type head struct {
	seed                 uint64
	profile              string
	places, rate, states int
	frames               Frame
	partial              bool
	dropAfter            time.Duration
	delay                int
	cost                 fleet.Cost
	guarded              bool
}

func (p *Plan) head() head {
	return head{p.Seed, p.Profile, p.Places, p.TickRate, p.States, p.Frames, p.Partial, p.DropAfter, p.Delay, p.Cost, p.Guarded}
}

// JSON returns the plan as a file: times in nanoseconds, probabilities in parts per million.
func (p *Plan) JSON() []byte { return fleet.EncodePlan(p) }

// ParsePlan reads a plan as [Plan.JSON] writes it. Errors wrap fleet.ErrPlan.
func ParsePlan(b []byte) (Plan, error) {
	var p Plan
	if err := fleet.DecodePlan(b, &p); err != nil {
		return Plan{}, err
	}
	return p, nil
}
