//go:build !js

package rooms

// The budgets of an address, of its network and of all together are derived from the configuration. They are sized
// for a school: 30 players behind one address, or side by side in one /24, connect at once when a lesson begins, and
// again after a short failure of its network, and share that address with other classes.
const (
	// wideAddresses is how many times the budget of one address a /24 or a /56 has: less than its 256 addresses,
	// since one customer may have them all, and four times as much as a household.
	wideAddresses = 4

	// shareOf is the number of parts into which the connections and rooms of a server are divided when all are taken:
	// a prefix keeps up to one part. So an attacker would need that many prefixes to keep others out; and one part of
	// 8192 connections, 64, is enough for two classes.
	shareOf = 128

	// backIn is the time in seconds within which all members of a full server can reconnect after a network failure; a
	// quarter of them can do so at once.
	backIn = 16

	// leastConnects is the lower bound on how many new connections all clients together may make per second, even on a
	// small server; four times as many may come at once. They take a hundredth of a core.
	leastConnects = 64

	// nearMembers is how many members' worth of messages one address may send: it may have 64 members, of which this
	// many send at the same time. All clients together may send as much as totalMembers members, without bursts, which
	// one core can handle: see docs/benchmarks.md.
	nearMembers  = 16
	totalMembers = 512

	// emptyShares is how many shares of rooms without connections a prefix may have: more than a whole school needs
	// when its network fails for a moment.
	emptyShares = 2

	// pressedGrace is the divisor of the grace period of rooms without connections when more than half of all places
	// are taken: then it is 15 s instead of two minutes.
	pressedGrace = 8
)

// budget has the limits that are derived from a configuration.
type budget struct {
	member, nearMessages, wideMessages, messages flow // in units of request.cost
	nearConnects, wideConnects, connects         flow
	wideConnections, wideRooms                   int
	connectionShare, roomShare, empty            int
	entering                                     int // connections that are in no room yet
	maxVisitors                                  int // for each table
}

func (f flow) times(n float64) flow { return flow{f.burst * n, f.perSecond * n} }

func newBudget(c *Config) budget {
	b := budget{
		member:          flow{float64(c.Burst), float64(c.MessagesPerSecond)},
		nearConnects:    flow{float64(c.ConnectsPerMinute), float64(c.ConnectsPerMinute) / 60},
		connects:        flow{max(float64(c.MaxConnections)/4, 4*leastConnects), max(float64(c.MaxConnections)/backIn, leastConnects)},
		wideConnections: wideAddresses * c.PerAddress, wideRooms: wideAddresses * c.RoomsPerAddress,
		connectionShare: max(c.MaxConnections/shareOf, 1), roomShare: max(c.MaxRooms/shareOf, 1),
		entering:    max(c.MaxConnections/4, 1),
		maxVisitors: maxIdleVisitors + c.MaxConnections + c.MaxRooms,
	}
	second := b.member.perSecond * totalMembers
	b.nearMessages, b.messages = b.member.times(nearMembers), flow{second, second}
	b.wideMessages, b.wideConnects = b.nearMessages.times(wideAddresses), b.nearConnects.times(wideAddresses)
	b.empty = emptyShares * b.roomShare
	return b
}
