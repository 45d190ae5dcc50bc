package session

import (
	"errors"
	"math"
	"net/netip"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/spectate"
)

// twoPeers is a configuration of player 0 with only the required fields.
func twoPeers() Config {
	return Config{Players: 2, Random: func() uint64 { return 4 }, Peers: []Peer{{rollback.SetOf(1), addrOf(1)}}}
}

// newcomerConfig is a configuration of player 1, which joins.
func newcomerConfig() Config {
	return Config{
		Players: 2, Random: func() uint64 { return 4 }, Local: rollback.SetOf(1), OnLeave: Continue,
		Token: meshToken, Join: &Join{Hosts: []netip.AddrPort{addrOf(0)}},
	}
}

// rule is an accepted change of a configuration, or a refused one with its error.
type rule struct {
	refused string // empty: it is taken
	change  func(c *Config)
}

// checkRules applies the changes to a configuration, one at a time.
func checkRules(t *testing.T, base func() Config, rules []rule) {
	t.Helper()
	for i, r := range rules {
		c := base()
		r.change(&c)
		err := c.complete()
		switch {
		case r.refused == "" && err != nil:
			t.Errorf("rule %d: %v", i, err)
		case r.refused != "" && (!errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), r.refused)):
			t.Errorf("rule %d: %v, must be refused with %q", i, err, r.refused)
		}
	}
}

// Values outside their limits are refused with their name and value; values on the limits
// are accepted.
func TestLimitsOfAConfiguration(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n) }
	checkRules(t, twoPeers, []rule{
		{"Players is 0", func(c *Config) { c.Players, c.Peers = 0, nil }},
		{"Players is -1", func(c *Config) { c.Players, c.Peers = -1, nil }},
		{"", func(c *Config) { c.Players, c.Peers = 1, nil }},
		{"", func(c *Config) { c.Players = 8 }},
		{"", func(c *Config) { c.Players = 16 }},
		{"Players is 17, must be 1 to 16", func(c *Config) { c.Players = 17 }},
		{"", func(c *Config) { c.Players, c.Peers = 16, nil }},
		{"Players is 17, must be 1 to 16", func(c *Config) { c.Players, c.Peers = 17, nil }},
		{"", func(c *Config) { c.Players, c.Peers, c.Spectators.Max = 16, nil, 1 }},
		{"", func(c *Config) { c.GameID, c.Build, c.Platform, c.Machine = text(64), text(64), text(64), text(64) }},
		{"GameID has 65 bytes, more than 64", func(c *Config) { c.GameID = text(65) }},
		{"Build has 65 bytes", func(c *Config) { c.Build = text(65) }},
		{"Platform has 65 bytes", func(c *Config) { c.Platform = text(65) }},
		{"Machine has 65 bytes", func(c *Config) { c.Machine = text(65) }},
		{"", func(c *Config) { c.TickRate = 1 }},
		{"", func(c *Config) { c.TickRate = MaxTickRate }},
		{"TickRate is -1", func(c *Config) { c.TickRate = -1 }},
		{"TickRate is 1001", func(c *Config) { c.TickRate = MaxTickRate + 1 }},
		{"", func(c *Config) { c.Lockstep = true }},
		{"Window must be 0, not 1", func(c *Config) { c.Lockstep, c.Window = true, 1 }},
		{"OnLeave is OnLeave(2)", func(c *Config) { c.OnLeave = Continue + 1 }},
		{"Random is required", func(c *Config) { c.Random = nil }},
		{"Random is required", func(c *Config) { c.Players, c.Peers, c.Random, c.Spectators.Max = 1, nil, nil, 1 }},
		{"", func(c *Config) { c.Players, c.Peers, c.Random = 1, nil, nil }},
		{"SyncTest simulates every frame twice", func(c *Config) { c.SyncTest = 1 }},
		{"", func(c *Config) { c.Players, c.Peers, c.SyncTest = 1, nil, 1 }},
		{"", func(c *Config) { c.History = rollback.MinHistory }},
		{"", func(c *Config) { c.History = rollback.MaxHistory }},
		{"History is", func(c *Config) { c.History = rollback.MinHistory / 2 }},
		{"History is", func(c *Config) { c.History = rollback.MaxHistory * 2 }},
		{"History is 1023, must be a power of two", func(c *Config) { c.History = 1023 }},
		{"History is -1", func(c *Config) { c.History = -1 }},
		{"", func(c *Config) { c.ChainEvery = 1 }},
		{"", func(c *Config) { c.ChainEvery = 1 << 15 }},
		{"ChainEvery is -1, must be 1 to 32768", func(c *Config) { c.ChainEvery = -1 }},
		{"ChainEvery is 32769", func(c *Config) { c.ChainEvery = 1<<15 + 1 }},
		{"", func(c *Config) { c.HashEvery = -7 }}, // nothing is hashed
		{"", func(c *Config) { c.HashEvery = 20 }},
		{"", func(c *Config) { c.HashEvery = MaxHashEvery }},
		{"HashEvery is 32769, must be at most 32768", func(c *Config) { c.HashEvery = MaxHashEvery + 1 }},
		{"HashEvery is 2147483647, must be at most 32768", func(c *Config) { c.HashEvery = math.MaxInt32 }},
		{"ChainEvery is 60, must be a multiple of HashEvery, 7", func(c *Config) { c.HashEvery, c.ChainEvery = 7, 60 }},
		{"", func(c *Config) { c.Evidence = MaxEvidence }},
		{"Evidence is", func(c *Config) { c.Evidence = MaxEvidence + 1 }},
		{"", func(c *Config) { c.WarnAfter = DefaultDropAfter }},
		{"WarnAfter, 5.000000001s, is longer than DropAfter, 5s", func(c *Config) { c.WarnAfter = DefaultDropAfter + 1 }},
		{"ConnectTimeout is -1ns", func(c *Config) { c.ConnectTimeout = -1 }},
		{"ReadyTimeout is -1ns", func(c *Config) { c.ReadyTimeout = -1 }},
		{"WarnAfter is -1ns", func(c *Config) { c.WarnAfter = -1 }},
		{"Linger is -1ns", func(c *Config) { c.Linger = -1 }},
		{"QuorumTimeout is -1ns", func(c *Config) { c.QuorumTimeout = -1 }},
		{"MaxPause is -1ns", func(c *Config) { c.MaxPause = -1 }},
		{"", func(c *Config) {
			c.ConnectTimeout, c.ReadyTimeout, c.WarnAfter, c.Linger, c.QuorumTimeout, c.MaxPause = 1, 1, 1, 1, 1, 1
		}},
		{"Spectators.Max is -1", func(c *Config) { c.Spectators.Max = -1 }},
		{"", func(c *Config) { c.Match.Data = make([]byte, MaxData) }},
		{"Match.Data has 65537 bytes, more than 65536", func(c *Config) { c.Match.Data = make([]byte, MaxData+1) }},
		{"", func(c *Config) { c.Match.Frames = NoFrame - 1 }},
		{"Match.Frames is not a valid number of frames", func(c *Config) { c.Match.Frames = NoFrame }},
	})
}

// The input delay is bounded, applies to players on this machine, and is either given or
// chosen.
func TestLimitsOfDelays(t *testing.T) {
	auto := func(least, most, rollback int) func(c *Config) {
		return func(c *Config) { c.AutoDelay = AutoDelay{On: true, Min: least, Max: most, Rollback: rollback} }
	}
	checkRules(t, twoPeers, []rule{
		{"", auto(0, 0, 0)}, // at most 8
		{"", auto(8, 0, 0)},
		{"AutoDelay is 9 to 8 frames", auto(9, 0, 0)},
		{"", auto(3, 3, 5)},
		{"AutoDelay is 4 to 3 frames", auto(4, 3, 0)},
		{"AutoDelay is -1 to 8 frames", auto(-1, 8, 0)},
		{"AutoDelay is -2 to -1 frames", auto(-2, -1, 0)},
		{"", auto(0, rollback.MaxDelay, 0)},
		{"AutoDelay is 0 to", auto(0, rollback.MaxDelay+1, 0)},
		{"with -1 of rollback", auto(0, 8, -1)},
		{"", func(c *Config) { c.AutoDelay = AutoDelay{Min: 9, Max: 3, Rollback: -1} }}, // it is off
		{"", func(c *Config) { c.Delay[0] = 3 }},
		{"Delay[1] is 3, but player 1 is not local", func(c *Config) { c.Delay[1] = 3 }},
		{"Delay[0] is 3, but AutoDelay chooses it", func(c *Config) { c.Delay[0], c.AutoDelay.On = 3, true }},
	})
}

// Each player has one place: here, at one peer, or reserved.
func TestEachPlayerHasOnePlace(t *testing.T) {
	peer := func(players PlayerSet, i int) Peer { return Peer{players, addrOf(i)} }
	reserved := func(c *Config) {
		c.Players, c.Reserved, c.OnLeave, c.Token = 3, 0b100, Continue, meshToken
	}
	checkRules(t, twoPeers, []rule{
		{"Peers[1] has no players; spectators are not peers", func(c *Config) { c.Peers = append(c.Peers, peer(0, 2)) }},
		{"Peers[0] has player 2, and the match has 2 players", func(c *Config) { c.Peers[0].Players = 0b110 }},
		{"Peers[1] has player 1, who is at another peer already", func(c *Config) { c.Players, c.Peers = 3, append(c.Peers, peer(0b110, 2)) }},
		{"Peers[0] has no address", func(c *Config) { c.Peers[0].Addr = netip.AddrPort{} }},
		{"Peers[0] has no address", func(c *Config) { c.Peers[0].Addr = netip.AddrPortFrom(addrOf(1).Addr(), 0) }},
		{"Peers[0] and Peers[1] have the same address", func(c *Config) { c.Players, c.Peers = 3, append(c.Peers, peer(0b100, 1)) }},
		{"", func(c *Config) { c.Players, c.Peers = 3, append(c.Peers, peer(0b100, 2)) }},
		{"", func(c *Config) { c.Local = 0b01 }},
		{"Local has player 2, and the match has 2 players", func(c *Config) { c.Local = 0b101 }},
		{"player 1 is local and at a peer", func(c *Config) { c.Local = 0b11 }},
		{"player 2 is neither local nor at a peer, nor reserved", func(c *Config) { c.Players, c.Local = 3, 1 }},
		{"nobody plays here", func(c *Config) { c.Peers[0].Players = 0b11 }},
		{"", reserved},
		{"Reserved has player 3, and the match has 3 players", func(c *Config) { reserved(c); c.Reserved = 0b1100 }},
		{"Reserved has player 0, who is the host", func(c *Config) { reserved(c); c.Reserved = 0b101 }},
		{"player 1 is reserved, and plays", func(c *Config) { reserved(c); c.Reserved = 0b110 }},
		{"player 2 is reserved, and plays", func(c *Config) { reserved(c); c.Local = 0b101 }},
		{"it needs OnLeave Continue and a Token", func(c *Config) { reserved(c); c.OnLeave = End }},
		{"it needs OnLeave Continue and a Token", func(c *Config) { reserved(c); c.Token = nil }},
	})
}

// A newcomer says for which players it joins, and where the match is, and leaves the rest
// to the members.
func TestLimitsOfWhoJoins(t *testing.T) {
	checkRules(t, newcomerConfig, []rule{
		{"", func(*Config) {}},
		{"", func(c *Config) { c.Local = 0b11 }},
		{"there must be one machine at least", func(c *Config) { c.Join.Hosts = nil }},
		{"Join.Hosts[1] is no address", func(c *Config) { c.Join.Hosts = append(c.Join.Hosts, netip.AddrPort{}) }},
		{"Join.Hosts[0] is no address", func(c *Config) { c.Join.Hosts[0] = netip.AddrPortFrom(addrOf(0).Addr(), 0) }},
		{"Token: the token has 15 bytes", func(c *Config) { c.Token = c.Token[:15] }},
		{"who joins needs the Token", func(c *Config) { c.Token = nil }},
		{"there must be no Peers and nobody Reserved", func(c *Config) { c.Peers = []Peer{{0b01, addrOf(0)}} }},
		{"there must be no Peers and nobody Reserved", func(c *Config) { c.Reserved = 0b10 }},
		{"Local has no player: who joins says whose places it wants", func(c *Config) { c.Local = 0 }},
		{"Local has player 2", func(c *Config) { c.Local = 0b100 }},
		{"matches with OnLeave End cannot be joined", func(c *Config) { c.OnLeave = End }},
		{"", func(c *Config) { c.Join.MaxState = spectate.MaxState }},
		{"Join.MaxState is -1", func(c *Config) { c.Join.MaxState = -1 }},
		{"Join.MaxState is", func(c *Config) { c.Join.MaxState = spectate.MaxState + 1 }},
		{"Lobby must be false", func(c *Config) { c.Lobby = true }},
		{"Random is required", func(c *Config) { c.Random = nil }},
	})
	c, given := newcomerConfig(), netip.AddrPortFrom(netip.AddrFrom16(addrOf(0).Addr().As16()), addrOf(0).Port())
	c.Join.Hosts[0] = given
	was := c.Join
	if err := c.complete(); err != nil {
		t.Fatal(err)
	}
	if c.Join.Hosts[0] != addrOf(0) || was.Hosts[0] != given || c.Reserved != 0b01 || string(c.Token) != string(meshToken) {
		t.Errorf("it becomes %+v with %v reserved, and was %+v", *c.Join, c.Reserved, *was)
	}
}
