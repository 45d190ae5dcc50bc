package served

import (
	"fmt"
	"strconv"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/datagram"
)

// MismatchError means that a server has a different game. It names the first item that differs, and both values as
// text.
type MismatchError struct{ Item, Ours, Theirs string }

// Error names the item and both values, and says what to do.
func (e *MismatchError) Error() string {
	ours, theirs := e.Ours, e.Theirs
	switch e.Item {
	case ItemSight:
		return fmt.Sprintf("the Sight is %s here, and %s at the server: %s", ours, theirs, e.remedy())
	case itemKind:
		return fmt.Sprintf("there is %s, and here %s: %s", theirs, ours, e.remedy())
	case itemGame, itemBuild:
		ours, theirs = strconv.Quote(ours), strconv.Quote(theirs)
	}
	return fmt.Sprintf("the %s differs: here %s, at the server %s: %s", e.Item, ours, theirs, e.remedy())
}

// Unwrap returns the same error as a [session.MismatchError].
func (e *MismatchError) Unwrap() error {
	return &session.MismatchError{Item: e.Item, Ours: e.Ours, Theirs: e.Theirs}
}

// Items of a [MismatchError] whose value a client can copy from the server.
const (
	ItemPlayers = "number of players"
	ItemSight   = "Sight" // whether there is one
)

// The other items.
const (
	itemVersion  = "protocol version"
	itemGame     = "game"
	itemKind     = "kind of match"
	itemBuild    = "build"
	itemPlatform = "platform"
	itemInput    = "size of an input in bytes"
	itemRate     = "tick rate"
	itemOrders   = "limit of orders in bytes"
	itemState    = "hash of state 0"
	itemBegin    = "hash of state 0 of the match"
)

// remedy says what to do about a difference.
func (e *MismatchError) remedy() string {
	switch e.Item {
	case itemVersion:
		return "both sides need the same version of Tickback"
	case itemGame:
		return "look at its address, and at GameID"
	case itemKind:
		return "Connect plays at what Serve runs; watch this match with Spectate, or join it with P2P"
	case ItemSight:
		return "give the same one to Serve and Connect, or none to both"
	case ItemPlayers:
		return "Players has to be that of the server"
	case itemRate:
		return "TickRate has to be that of the server"
	case itemOrders:
		return "MaxOrders has to be that of the server"
	case itemPlatform:
		return "a step with floats needs the same processor and compiler"
	case itemState:
		return "Init makes another state here, or what it reads is another one"
	case itemBegin:
		return "Start makes another state here, or what it reads is another one"
	}
	return "both sides need the same build of the game"
}

// kind returns what kind of match is at an address, by the OnLeave item of its Welcome: see kindOfServer.
func kind(onLeave byte) string {
	if onLeave&^1 == kindOfServer {
		return "a match that a server owns"
	}
	return "a match between peers"
}

// sightOf returns whether there is a Sight, by the same item.
func sightOf(onLeave byte) string {
	if onLeave&1 != 0 {
		return "given"
	}
	return "not given"
}

// orNone formats a limit.
func orNone(n uint16) string {
	if n == 0 {
		return "none"
	}
	return strconv.Itoa(int(n))
}

// platformOf formats a platform.
func platformOf(text string) string {
	if text == "" {
		return "none, since there are no floats"
	}
	return strconv.Quote(text)
}

// differs returns why a client cannot play on a server, or nil.
func differs(ours *datagram.Items, version byte, theirs *datagram.Items) error {
	for _, i := range [...]MismatchError{
		{itemVersion, strconv.Itoa(datagram.Version), strconv.Itoa(int(version))},
		{itemGame, ours.Game, theirs.Game},
		{itemKind, kind(ours.OnLeave), kind(theirs.OnLeave)},
		{ItemSight, sightOf(ours.OnLeave), sightOf(theirs.OnLeave)},
		{itemBuild, ours.Build, theirs.Build},
		{itemPlatform, platformOf(ours.Platform), platformOf(theirs.Platform)},
		{ItemPlayers, strconv.Itoa(int(ours.Players)), strconv.Itoa(int(theirs.Players))},
		{itemInput, strconv.Itoa(int(ours.InputSize)), strconv.Itoa(int(theirs.InputSize))},
		{itemRate, strconv.Itoa(int(ours.TickRate)), strconv.Itoa(int(theirs.TickRate))},
		{itemOrders, orNone(ours.MaxOrders), orNone(theirs.MaxOrders)},
		{itemState, hex(ours.State), hex(theirs.State)},
	} {
		if i.Ours != i.Theirs {
			return &i
		}
	}
	return nil
}
