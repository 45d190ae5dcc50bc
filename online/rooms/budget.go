//go:build !js

package rooms

// The budgets of an address, of its network and of all together are derived from the configuration. They are sized
// for a school: 30 players behind one address, or side by side in one /24, connect at once when a lesson begins, and
// again after a short failure of its network, and share that address with other classes.
const (
	// wideAddresses is how many times the budget of one address a /24 or a /56 has: less than its 256 addresses,
	// since one customer may have them all, and four times as much as a household.
	wideAddresses = 4

	// shareOf is into how many parts the connections and rooms of a server are divided when all are taken: a prefix
	// keeps what it has up to one part. So keeping others out takes as many prefixes; and a part of 8192 connections,
	// 64, holds two classes.
	shareOf = 128

	// backIn is the time in seconds in which all members of a full server can reconnect after a network failure: a
	// quarter of them at once.
	backIn = 16

	// leastConnects is the least number of new connections that all clients together may make in a second, and four
	// times as many at once: they take a hundredth of a core, however small the server is.
	leastConnects = 64

	// nearMembers is how many members' messages one address may send: as many as talk at once of the 64 that it may
	// have. All together may send what totalMembers do, without their bursts, which one core handles: see
	// docs/benchmarks.md.
	nearMembers  = 16
	totalMembers = 512

	// emptyShares is how many shares of rooms without connections a prefix may have: more than a whole school needs
	// when its network fails for a moment.
	emptyShares = 2

	// pressedGrace is the factor by which rooms without connections end sooner when more than half of all places are
	// taken: after 15 s instead of two minutes.
	pressedGrace = 8
)

// budget has the limits that are derived from a configuration.
type budget struct {
	member, nearMessages, wideMessages, messages flow // in units of request.cost
	nearConnects, wideConnects, connects         flow
	wideConnections, wideRooms                   int
	connectionShare, roomShare, empty            int
	entering                                     int // connections that are in no room yet
	maxVisitors                                  int // of each table
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
