package tickback_test

import (
	"bytes"
	"errors"
	"net/netip"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/transport/udp"
)

type (
	options  = tickback.Options[counter, uint32]
	watching = tickback.SpectatorOptions[counter, uint32]
)

// loud has effects, so that the options about them count.
var loud = func() rollback.Game[counter, uint32] {
	g := counting
	g.Effects = []effects.Declaration{effects.OneShot[uint32](1, "bang")}
	return g
}()

// checkOptionsError fails unless ErrOptions is wrapped, and the message names the options, and their fields as they are
// called there. It mentions nothing of packages session and rollback, which the author of a game has never seen.
func checkOptionsError(t *testing.T, of, says string, err error) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("%s: no error, want %q", of, says)
	case !errors.Is(err, tickback.ErrOptions):
		t.Errorf("%v: does not wrap ErrOptions", err)
	case !strings.HasPrefix(err.Error(), "invalid tickback."+of+": "):
		t.Errorf("%v: does not say that it is about %s", err, of)
	case !strings.Contains(err.Error(), says):
		t.Errorf("%v: does not say %q", err, says)
	case strings.Contains(err.Error(), "session.") || strings.Contains(err.Error(), "rollback.") || strings.Contains(err.Error(), "Config"):
		t.Errorf("%v: names what the front door has not", err)
	}
}

// Every field of Options that can be wrong is refused by its name.
func TestMistakesInOptionsAreNamedAsInOptions(t *testing.T) {
	other := netip.MustParseAddrPort("127.0.0.1:9")
	for says, change := range map[string]func(o *options){
		"Players is 17": func(o *options) { o.Players = 17 },
		"Local has player 5, and the match has 2 players":              func(o *options) { o.Local = tickback.SetOf(5) },
		"player 1 is local and at a peer":                              func(o *options) { o.Local = tickback.SetOf(0, 1) },
		"Peers[0] has no players":                                      func(o *options) { o.Peers[0].Players, o.Players = 0, 2 },
		"Peers have no address for player 1 (players count from 0)":    func(o *options) { o.Peers[0].Addr = netip.AddrPort{} },
		"for players 1, 2, 3 and 4":                                    func(o *options) { o.Peers = tickback.Mesh(5, other) },
		"for players 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 14": func(o *options) { o.Peers = tickback.Mesh(200, other) },
		"Peers[0] and Peers[1] have the same address":                  func(o *options) { o.Peers = tickback.Mesh(0, other, other) },
		"Players is 18": func(o *options) {
			o.Peers = tickback.Mesh(0, make([]netip.AddrPort, 17)...)
			o.Players = 18
			fill(o.Peers)
		},
		"P2P needs a Transport":                               func(o *options) { o.Transport = nil },
		"P2P needs Peers":                                     func(o *options) { o.Peers = nil },
		"Sample is required":                                  func(o *options) { o.Sample = nil },
		"Orders is given, but MaxOrders is 0":                 func(o *options) { o.Orders = func(tickback.Player) []byte { return nil } },
		"MaxOrders is 5000":                                   func(o *options) { o.MaxOrders = 5000 },
		"GameID has 65 bytes":                                 func(o *options) { o.GameID = strings.Repeat("x", 65) },
		"Build has 65 bytes":                                  func(o *options) { o.Build = strings.Repeat("x", 65) },
		"TickRate is -1":                                      func(o *options) { o.TickRate = -1 },
		"Window is 121":                                       func(o *options) { o.Window = 121 },
		"Lockstep predicts nothing":                           func(o *options) { o.Lockstep, o.Window = true, 3 },
		"Delay[1] is 3, but player 1 is not local":            func(o *options) { o.Delay[1] = 3 },
		"the input delay of player 0 is 61 frames":            func(o *options) { o.Delay[0] = 61 },
		"AutoDelay chooses it":                                func(o *options) { o.Delay[0], o.AutoDelay.On = 3, true },
		"AutoDelay is -1 to 8":                                func(o *options) { o.AutoDelay = tickback.AutoDelay{On: true, Min: -1} },
		"OnLeave is OnLeave(7)":                               func(o *options) { o.OnLeave = 7 },
		"Token: the token has 5 bytes":                        func(o *options) { o.Token, o.OnLeave = tickback.Token("short"), tickback.Continue },
		"which takes OnLeave Continue":                        func(o *options) { o.Token = tickback.NewToken() },
		"it needs OnLeave Continue and a Token":               func(o *options) { o.Reserved, o.Players = tickback.SetOf(2), 3 },
		"Reserved has player 0":                               func(o *options) { o.Reserved, o.Players, o.Peers = tickback.SetOf(0), 3, nil },
		"Spectators.Max is 33":                                func(o *options) { o.Spectators.Max = 33 },
		"Spectators.MaxPerAddress is 3":                       func(o *options) { o.Spectators.Max, o.Spectators.MaxPerAddress = 2, 3 },
		"Spectators.Delay is -1":                              func(o *options) { o.Spectators.Max, o.Spectators.Delay = 2, -1 },
		"Spectators.Rate is 1 ":                               func(o *options) { o.Spectators.Max, o.Spectators.Rate = 2, 1 },
		"Spectators.LogBytes is 1,":                           func(o *options) { o.Spectators.Max, o.Spectators.LogBytes = 2, 1 },
		"Spectators.Timeout is 1ms":                           func(o *options) { o.Spectators.Max, o.Spectators.Timeout = 2, time.Millisecond },
		"Match.Data has 65537 bytes":                          func(o *options) { o.Match.Data = make([]byte, 64<<10+1) },
		"Match.Frames is not a valid number of frames":        func(o *options) { o.Match.Frames = rollback.NoFrame },
		"Recording: 65 fields of Meta":                        func(o *options) { o.Record, o.Recording.Meta = new(bytes.Buffer), make([]tickback.MetaField, 65) },
		"Timeouts.Drop is 3m0s":                               func(o *options) { o.Timeouts.Drop = 3 * time.Minute },
		"Timeouts.Warn, 6s, is longer than Timeouts.Drop, 5s": func(o *options) { o.Timeouts.Warn = 6 * time.Second },
		"Timeouts.Connect is -1ns":                            func(o *options) { o.Timeouts.Connect = -1 },
		"Timeouts.Ready is -1ns":                              func(o *options) { o.Timeouts.Ready = -1 },
		"Timeouts.Warn is -1ns":                               func(o *options) { o.Timeouts.Warn = -1 },
		"Timeouts.Linger is -1ns":                             func(o *options) { o.Timeouts.Linger = -1 },
		"Timeouts.Quorum is -1ns":                             func(o *options) { o.Timeouts.Quorum = -1 },
		"Timeouts.Pause is -1ns":                              func(o *options) { o.Timeouts.Pause = -1 },
		"Advanced.ChainEvery is -1":                           func(o *options) { o.Advanced.ChainEvery = -1 },
		"must be a multiple of Advanced.HashEvery, 7":         func(o *options) { o.Advanced.HashEvery, o.Advanced.ChainEvery = 7, 60 },
		"Advanced.Snapshots is 1,":                            func(o *options) { o.Advanced.Snapshots = 1 },
		"Advanced.History is 3,":                              func(o *options) { o.Advanced.History = 3 },
		"Advanced.MaxEffects is -1":                           func(o *options) { o.Advanced.MaxEffects = -1 },
		"Advanced.EffectTolerance is 2000":                    func(o *options) { o.Advanced.EffectTolerance = 2000 },
		"Advanced.Evidence is 2147483648":                     func(o *options) { o.Advanced.Evidence = 1 << 31 },
	} {
		o := options{Transport: newTube(), Peers: tickback.Mesh(0, other), Sample: func(tickback.Player) uint32 { return 0 }}
		change(&o)
		_, err := tickback.P2P(loud, o)
		checkOptionsError(t, "Options", says, err)
	}
}

func fill(peers []tickback.Peer) {
	for i := range peers {
		peers[i].Addr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(i+9))
	}
}

// elsewhere is the address of a match that can be joined.
var elsewhere = []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:9")}

// joining are options with which a match is joined.
func joining() options {
	return options{
		Players: 2, Local: tickback.SetOf(1), Transport: newTube(), Sample: func(tickback.Player) uint32 { return 1 },
		OnLeave: tickback.Continue, Token: tickback.NewToken(),
	}
}

// A match is joined with what only the newcomer knows, and the hosts supply the rest.
func TestMistakesOfJoining(t *testing.T) {
	for says, change := range map[string]func(o *options){
		"Join needs a Transport":                    func(o *options) { o.Transport = nil },
		"Players is required to join":               func(o *options) { o.Players = 0 },
		"says whose places it wants":                func(o *options) { o.Local = 0 },
		"there must be no Peers":                    func(o *options) { o.Peers = tickback.Mesh(1, elsewhere...) },
		"nobody Reserved":                           func(o *options) { o.Reserved = tickback.SetOf(0) },
		"who joins needs the Token of the match":    func(o *options) { o.Token = nil },
		"Token: the token has 0 bytes":              func(o *options) { o.Token = tickback.Token{} },
		"matches with OnLeave End cannot be joined": func(o *options) { o.OnLeave = tickback.End },
		"Lobby must be false":                       func(o *options) { o.Lobby = true },
		"Advanced.MaxState is -1":                   func(o *options) { o.Advanced.MaxState = -1 },
	} {
		o := joining()
		change(&o)
		_, err := tickback.Join(counting, elsewhere, o)
		checkOptionsError(t, "Options", says, err)
	}
	for says, hosts := range map[string][]netip.AddrPort{
		"hosts: there must be one machine at least": nil,
		"hosts[1] is no address":                    append(slices.Clone(elsewhere), netip.AddrPort{}),
	} {
		_, err := tickback.Join(counting, hosts, joining())
		checkOptionsError(t, "Options", says, err)
	}
	m, err := tickback.Join(counting, elsewhere, joining())
	if err != nil {
		t.Fatal(err)
	}
	_ = m.Close()
}

// The same holds for matches without other machines.
func TestMistakesOfMatchesAlone(t *testing.T) {
	other := netip.MustParseAddrPort("127.0.0.1:9")
	for says, change := range map[string]func(o *options){
		"Local has no Peers":                func(o *options) { o.Peers = tickback.Mesh(0, other) },
		"Local has a Transport for":         func(o *options) { o.Transport = newTube() },
		"Local has no Reserved":             func(o *options) { o.Players, o.Reserved, o.Transport, o.Spectators.Max = 2, 2, newTube(), 1 },
		"nobody joins it":                   func(o *options) { o.Token = tickback.NewToken() },
		"Sample is required":                func(o *options) { o.Sample = nil },
		"Advanced.EffectTolerance is 2000,": func(o *options) { o.Advanced.EffectTolerance = 2000 },
	} {
		o := options{Sample: func(tickback.Player) uint32 { return 0 }}
		change(&o)
		_, err := tickback.Local(loud, o)
		checkOptionsError(t, "Options", says, err)
	}
	for depth, says := range map[int]string{0: "a sync test of depth 0", 200: "the depth of SyncTest is 200"} {
		_, err := tickback.SyncTest(loud, depth, options{Sample: func(tickback.Player) uint32 { return 0 }})
		checkOptionsError(t, "Options", says, err)
	}
}

// And for spectators, replays and recordings.
func TestMistakesOfSpectatorsAndReplays(t *testing.T) {
	at := netip.MustParseAddrPort("127.0.0.1:9")
	for says, change := range map[string]func(o *watching){
		"Spectate needs a Transport":            func(o *watching) { o.Transport = nil },
		"Hosts is empty":                        func(o *watching) { o.Hosts = nil },
		"Hosts[0] has no address":               func(o *watching) { o.Hosts = make([]netip.AddrPort, 1) },
		"Hosts[0] and Hosts[1] have the same":   func(o *watching) { o.Hosts = []netip.AddrPort{at, at} },
		"Players is 17":                         func(o *watching) { o.Players = 17 },
		"TickRate is -1":                        func(o *watching) { o.TickRate = -1 },
		"JitterBuffer is -1":                    func(o *watching) { o.JitterBuffer = -1 },
		"CatchUp is -1":                         func(o *watching) { o.CatchUp = -1 },
		"MaxOrders is 5000":                     func(o *watching) { o.MaxOrders = 5000 },
		"Timeouts.Connect is 1ms and Timeouts.": func(o *watching) { o.Timeouts.Connect = time.Millisecond },
		"Advanced.MaxEffects is -1":             func(o *watching) { o.Advanced.MaxEffects = -1 },
		"Recording: 65 fields of Meta":          func(o *watching) { o.Record, o.Recording.Meta = new(bytes.Buffer), make([]tickback.MetaField, 65) },
	} {
		o := watching{Transport: newTube(), Hosts: []netip.AddrPort{at}}
		change(&o)
		_, err := tickback.Spectate(loud, o)
		checkOptionsError(t, "SpectatorOptions", says, err)
	}
	tape, _ := tour(t)
	for says, change := range map[string]func(o *tickback.ReplayOptions[counter, uint32]){
		"Advanced.MaxEffects is -1":        func(o *tickback.ReplayOptions[counter, uint32]) { o.Advanced.MaxEffects = -1 },
		"Advanced.EffectTolerance is 2000": func(o *tickback.ReplayOptions[counter, uint32]) { o.Advanced.EffectTolerance = 2000 },
	} {
		var o tickback.ReplayOptions[counter, uint32]
		change(&o)
		_, err := tickback.Replay(loud, bytes.NewReader(tape), int64(len(tape)), o)
		checkOptionsError(t, "ReplayOptions", says, err)
	}
}

// Each field of the configurations below the public API has the same name in Options, or is renamed in errors.
func TestEveryFieldHasANameInOptions(t *testing.T) {
	inside := map[string]bool{ // no option sets it, and no error names it
		"Platform": true, "Machine": true, "Observe": true, "Probe": true, "Clock": true, "Stream": true,
		"Join": true, // which is a constructor
	}
	known := map[string]bool{}
	for _, o := range []any{options{}, watching{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(o)) {
			known[f.Name] = true
		}
	}
	for _, c := range []any{session.Config{}, session.SpectatorConfig{}, rollback.Config{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(c)) {
			if !known[f.Name] && !inside[f.Name] && tickback.OptionNames[f.Name] == "" {
				t.Errorf("%T.%s has no name in the options", c, f.Name)
			}
		}
	}
	field := regexp.MustCompile(`^[A-Z]\w*(\.[A-Z]\w*)?$`)
	for _, name := range tickback.OptionNames {
		if !field.MatchString(name) {
			continue // words
		}
		of := reflect.TypeOf(options{})
		for part := range strings.SplitSeq(name, ".") {
			f, ok := of.FieldByName(part)
			if !ok {
				t.Errorf("Options has no %s", name)
				break
			}
			of = f.Type
		}
	}
}

// The error of a call for a player on another machine names only fields of the public API.
func TestTheDelayOfAnotherPlayer(t *testing.T) {
	m, err := tickback.P2P(counting, options{Transport: newTube(), Peers: tickback.Mesh(0, netip.MustParseAddrPort("127.0.0.1:9")), Sample: func(tickback.Player) uint32 { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var of *rollback.PlayerError
	err = m.SetDelay(1, 3)
	if !errors.As(err, &of) || of.Player != 1 || !strings.Contains(err.Error(), "plays elsewhere") || strings.Contains(err.Error(), "AddInput") {
		t.Errorf("the delay of a player who is far away: %v", err)
	}
}

// An address that the transport can never reach is refused at once, with the name of the field.
func TestWhatATransportCanNeverReach(t *testing.T) {
	far := netip.MustParseAddrPort("192.0.2.1:7000")
	for name, open := range map[string]func(conn tickback.Transport, at netip.AddrPort) error{
		"Options: Peers[0]": func(conn tickback.Transport, at netip.AddrPort) error {
			_, err := tickback.P2P(counting, tickback.Options[counter, uint32]{Transport: conn, Sample: noInput, Peers: []tickback.Peer{{Players: 1, Addr: at}}})
			return err
		},
		"Options: hosts": func(conn tickback.Transport, at netip.AddrPort) error {
			_, err := tickback.Join(counting, []netip.AddrPort{at}, tickback.Options[counter, uint32]{
				Transport: conn, Sample: noInput, Players: 2, Local: 1, OnLeave: tickback.Continue, Token: tickback.NewToken(),
			})
			return err
		},
		"ClientOptions: Server": func(conn tickback.Transport, at netip.AddrPort) error {
			_, err := tickback.Connect(counting, tickback.ClientOptions[counter, uint32]{Transport: conn, Sample: noInput, Players: 1, Server: at})
			return err
		},
		"SpectatorOptions: Hosts": func(conn tickback.Transport, at netip.AddrPort) error {
			_, err := tickback.Spectate(counting, tickback.SpectatorOptions[counter, uint32]{Transport: conn, Hosts: []netip.AddrPort{at}})
			return err
		},
	} {
		for listen, reaches := range map[string]bool{"127.0.0.1:0": false, ":0": true} {
			conn, err := udp.Listen(listen)
			if err != nil {
				t.Fatal(err)
			}
			err = open(conn, far)
			if says := errors.Is(err, tickback.ErrOptions) && errors.Is(err, udp.ErrLoopback) && strings.Contains(err.Error(), "tickback."+name); says == reaches || reaches && err != nil {
				t.Errorf("%s from %s: %v", name, listen, err)
			}
			conn.Close()
		}
	}
}

func noInput(tickback.Player) uint32 { return 0 }
