package admission

import (
	"fmt"
	"strconv"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
	"github.com/tickback/tickback/wire/rate"
)

// MismatchError means that two machines cannot play together, or that one cannot watch the other's match. It names
// the first item that differs.
type MismatchError struct {
	Players      rollback.PlayerSet // of the other machine; empty if a spectator or a client compares itself with it
	Item         string             // such as "build"
	Ours, Theirs string             // both values; text is quoted
	Server       bool               // the other machine is a server
}

// Items of a [MismatchError] that programs explain in their own words, or whose value a client can copy from the server.
const (
	ItemGame    = "game"
	ItemBuild   = "build"
	ItemPlayers = "number of players"
	ItemSight   = "Sight" // whether there is one
)

// The other items.
const (
	itemVersion  = "protocol version"
	itemKind     = "kind of match"
	itemPlatform = "platform"
	itemInput    = "size of an input in bytes"
	itemRate     = "tick rate"
	itemOrders   = "limit of orders in bytes"
	itemChain    = "interval of comparisons"
	itemHash     = "interval of hashes"
	itemLeaving  = "rule for who leaves"
	itemState    = "hash of state 0"
	itemBegin    = "hash of state 0 of the match"
)

// Error names the item and both values, and says what to do.
func (e *MismatchError) Error() string {
	switch {
	case e.Item == itemKind:
		return fmt.Sprintf("there is %s, and here %s: %s", e.Theirs, e.Ours, e.remedy())
	case e.Item == ItemSight:
		return fmt.Sprintf("the Sight is %s here, and %s at the server: %s", e.Ours, e.Theirs, e.remedy())
	case e.Server:
		return fmt.Sprintf("the %s differs: here %s, at the server %s: %s", e.Item, e.Ours, e.Theirs, e.remedy())
	}
	text := fmt.Sprintf("the %s differs: here %s, there %s", e.Item, e.Ours, e.Theirs)
	if remedy := e.remedy(); remedy != "" {
		text += ": " + remedy
	}
	if e.Players == 0 {
		return text
	}
	return fmt.Sprintf("%v cannot join: %s", e.Players, text)
}

// options are the options that set an item.
var options = map[string]string{
	ItemPlayers: "Players", itemRate: "TickRate", itemOrders: "MaxOrders", itemChain: "ChainEvery", itemHash: "HashEvery", itemLeaving: "OnLeave",
}

// remedy returns a text that says what to do about a difference, or "" for an item of another package.
func (e *MismatchError) remedy() string {
	if option := options[e.Item]; option != "" && e.Server {
		return option + " has to be that of the server"
	} else if option != "" {
		return option + " has to be the same on all machines"
	}
	switch e.Item {
	case itemVersion:
		return "both sides need the same version of Tickback"
	case ItemGame:
		return "look at its address, and at GameID"
	case itemKind:
		return "Connect plays at what Serve runs; watch a match between peers with Spectate, or join it with P2P"
	case ItemSight:
		return "give the same one to Serve and Connect, or none to both"
	case ItemBuild, itemInput:
		return "both sides need the same build of the game"
	case itemPlatform:
		return "a step with floats needs the same processor and compiler"
	case itemState:
		return "Init makes another state here, or what it reads is another one"
	case itemBegin:
		return "Start makes another state here, or what it reads is another one"
	}
	return ""
}

// Compare compares our items with those of a machine that has this version of the protocol. It returns a
// [*MismatchError] that names the first difference and has these players, or nil.
func Compare(players rollback.PlayerSet, ours *datagram.Items, version byte, theirs *datagram.Items) error {
	for _, i := range [...]struct{ name, ours, theirs string }{
		{itemVersion, number(datagram.Version), number(version)},
		{ItemGame, strconv.Quote(ours.Game), strconv.Quote(theirs.Game)},
		{itemKind, kind(ours.Rule), kind(theirs.Rule)},
		{ItemSight, sight(ours.Rule), sight(theirs.Rule)},
		{ItemBuild, strconv.Quote(ours.Build), strconv.Quote(theirs.Build)},
		{itemPlatform, platform(ours.Platform), platform(theirs.Platform)},
		{ItemPlayers, number(ours.Players), number(theirs.Players)},
		{itemInput, number(ours.InputSize), number(theirs.InputSize)},
		{itemRate, rate.Text(int(ours.TickRate), ours.Rate), rate.Text(int(theirs.TickRate), theirs.Rate)},
		{itemOrders, orNone(ours.MaxOrders), orNone(theirs.MaxOrders)},
		{itemChain, number(ours.ChainEvery), number(theirs.ChainEvery)},
		{itemHash, orNone(ours.HashEvery), orNone(theirs.HashEvery)},
		{itemLeaving, ours.Rule.String(), theirs.Rule.String()},
		{itemState, hex(ours.State), hex(theirs.State)},
	} {
		if i.ours != i.theirs {
			return &MismatchError{players, i.name, i.ours, i.theirs, ours.Rule.Server()}
		}
	}
	return nil
}

// CompareBegin compares our hash of state 0 of a match with that of another machine. It returns a [*MismatchError]
// with these players, or nil.
func CompareBegin(players rollback.PlayerSet, ours, theirs uint64, server bool) error {
	if ours == theirs {
		return nil
	}
	return &MismatchError{players, itemBegin, hex(ours), hex(theirs), server}
}

func kind(r datagram.Rule) string {
	if r.Server() {
		return "a match that a server owns"
	}
	return "a match between peers"
}

func sight(r datagram.Rule) string {
	if r == datagram.RuleSight {
		return "given"
	}
	return "not given"
}

func number[N byte | uint16 | int](n N) string { return strconv.Itoa(int(n)) }

// orNone formats a number where 0 means none.
func orNone(n uint16) string {
	if n == 0 {
		return "none"
	}
	return number(n)
}

// platform formats what float results depend on, which is empty without floats.
func platform(text string) string {
	if text == "" {
		return "none, since there are no floats"
	}
	return strconv.Quote(text)
}

func hex(h uint64) string { return fmt.Sprintf("%016x", h) }
