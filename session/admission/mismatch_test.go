package admission

import (
	"errors"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

func peersItems() datagram.Items {
	return datagram.Items{Game: "sum", Build: "1", Players: 4, InputSize: 2, TickRate: 60, MaxOrders: 8, ChainEvery: 60, HashEvery: 1, State: 0xabc}
}

func serversItems() datagram.Items {
	return datagram.Items{Game: "sum", Build: "1", Players: 4, InputSize: 2, TickRate: 20, MaxOrders: 8, Rule: datagram.RuleServer, State: 0xabc}
}

// Rule: the first item that differs is named, with both values in words, never as bits or bare numbers
// that stand for something, and with advice.
func TestWhatDiffersIsSaidInWords(t *testing.T) {
	for _, c := range []struct {
		ours    datagram.Items
		change  func(i *datagram.Items)
		version byte
		want    string
	}{
		{serversItems(), nil, 1, "the protocol version differs: here 2, at the server 1: both sides need the same version of Tickback"},
		{serversItems(), func(i *datagram.Items) { i.Game = "duel" }, 2, `the game differs: here "sum", at the server "duel": look at its address, and at GameID`},
		{serversItems(), func(i *datagram.Items) { i.Rule = datagram.RuleEnd }, 2, "there is a match between peers, and here a match that a server owns: Connect plays at what Serve runs"},
		{serversItems(), func(i *datagram.Items) { i.Rule = datagram.RuleContinue }, 2, "there is a match between peers, and here a match that a server owns: Connect plays at what Serve runs"},
		{serversItems(), func(i *datagram.Items) { i.Rule = datagram.RuleSight }, 2, "the Sight is not given here, and given at the server: give the same one to Serve and Connect, or none to both"},
		{serversItems(), func(i *datagram.Items) { i.Build = "" }, 2, `the build differs: here "1", at the server "": both sides need the same build of the game`},
		{serversItems(), func(i *datagram.Items) { i.Platform = "arm64" }, 2, `the platform differs: here none, since there are no floats, at the server "arm64": a step with floats needs`},
		{serversItems(), func(i *datagram.Items) { i.Players = 16 }, 2, "the number of players differs: here 4, at the server 16: Players has to be that of the server"},
		{serversItems(), func(i *datagram.Items) { i.InputSize = 3 }, 2, "the size of an input in bytes differs: here 2, at the server 3: both sides need the same build of the game"},
		{serversItems(), func(i *datagram.Items) { i.TickRate = 60 }, 2, "the tick rate differs: here 20, at the server 60: TickRate has to be that of the server"},
		{serversItems(), func(i *datagram.Items) { i.MaxOrders = 0 }, 2, "the limit of orders in bytes differs: here 8, at the server none: MaxOrders has to be that of the server"},
		{serversItems(), func(i *datagram.Items) { i.State = 1 }, 2, "the hash of state 0 differs: here 0000000000000abc, at the server 0000000000000001: Init makes another state here"},

		{peersItems(), nil, 3, "player 1 cannot join: the protocol version differs: here 2, there 3: both sides need the same version of Tickback"},
		{peersItems(), func(i *datagram.Items) { i.Rule = datagram.RuleSight }, 2, "there is a match that a server owns, and here a match between peers: Connect plays at what Serve runs"},
		{peersItems(), func(i *datagram.Items) { i.Build = "2" }, 2, `player 1 cannot join: the build differs: here "1", there "2": both sides need the same build of the game`},
		{peersItems(), func(i *datagram.Items) { i.Players = 2 }, 2, "player 1 cannot join: the number of players differs: here 4, there 2: Players has to be the same on all machines"},
		{peersItems(), func(i *datagram.Items) { i.ChainEvery = 30 }, 2, "player 1 cannot join: the interval of comparisons differs: here 60, there 30: ChainEvery has to be the same on all machines"},
		{peersItems(), func(i *datagram.Items) { i.HashEvery = 0 }, 2, "player 1 cannot join: the interval of hashes differs: here 1, there none: HashEvery has to be the same on all machines"},
		{peersItems(), func(i *datagram.Items) { i.Rule = datagram.RuleContinue }, 2, "player 1 cannot join: the rule for who leaves differs: here End, there Continue: OnLeave has to be the same on all machines"},
		{peersItems(), func(i *datagram.Items) { i.Rule = 7 }, 2, "player 1 cannot join: the rule for who leaves differs: here End, there Rule(7): OnLeave has to be the same on all machines"},
	} {
		theirs, players := c.ours, rollback.SetOf(1)
		if c.change != nil {
			c.change(&theirs)
		}
		if c.ours.Rule.Server() {
			players = 0
		}
		err := Compare(players, &c.ours, c.version, &theirs)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("it says %v, want %s", err, c.want)
		}
		var of *MismatchError
		if !errors.As(err, &of) || of.Players != players || of.Server != c.ours.Rule.Server() {
			t.Errorf("%+v", of)
		}
	}
	for _, same := range []datagram.Items{serversItems(), peersItems()} {
		if err := Compare(0, &same, datagram.Version, &same); err != nil {
			t.Errorf("nothing differs: %v", err)
		}
	}
}

// Rule: state 0 of a match that differs is an item, too; whose it is, is in the words.
func TestTheBeginningDiffers(t *testing.T) {
	if err := CompareBegin(0, 1, 1, true); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		players rollback.PlayerSet
		server  bool
		want    string
	}{
		{0, true, "the hash of state 0 of the match differs: here 0000000000000001, at the server 0000000000000002: Start makes another state here, or what it reads is another one"},
		{0, false, "the hash of state 0 of the match differs: here 0000000000000001, there 0000000000000002: Start makes another state here, or what it reads is another one"},
		{0b1, false, "player 0 cannot join: the hash of state 0 of the match differs: here 0000000000000001, there 0000000000000002: Start makes another state here, or what it reads is another one"},
	} {
		if err := CompareBegin(c.players, 1, 2, c.server); err == nil || err.Error() != c.want {
			t.Errorf("it says %v, want %s", err, c.want)
		}
	}
	if err := (&MismatchError{Players: 0b10, Item: "place of the players", Ours: "player 1", Theirs: "player 2"}); err.Error() != "player 1 cannot join: the place of the players differs: here player 1, there player 2" {
		t.Error(err)
	}
}
