package skirmish

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

// ID is the name of the game for peers and recordings.
const ID = "skirmish"

// Definition is the game as an engine takes it.
type Definition = rollback.OwnMemory[World, *world.Snapshot, Input]

// New returns the game, whose matches begin as the setup says, unless a session's Start says
// otherwise. It takes 2 to [MaxPlayers] players: an engine for another number is refused, with
// [ErrSetup]. workers is how many goroutines run the work of units: 0 means one for each
// processor. It does not influence a match. The error is that of [Setup.Check].
func New(setup Setup, workers int) (Definition, error) {
	begin, err := Begin(setup)
	if err != nil {
		return Definition{}, err
	}
	return world.Game[World, Input]{
		Init: begin, Step: Step, Check: (*World).check, Workers: workers, Effects: declarations(), Players: checkPlayers,
	}.Definition()
}

// Usual is the setup of a match whose parameters have no data.
var Usual = Setup{Size: 128, Units: 8}

// The bits of the last byte of a setup's data, which is left out if it has none.
const (
	withBots byte = 1 << iota
	withoutEnd
)

// Data returns the setup as the data of a match's parameters; the seed is a parameter of its own.
func (s Setup) Data() []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(s.Size))
	b = binary.LittleEndian.AppendUint16(append(b, byte(s.Players)), uint16(s.Units))
	rules := byte(0)
	if s.Bots {
		rules |= withBots
	}
	if s.Endless {
		rules |= withoutEnd
	}
	if rules > 0 {
		b = append(b, rules)
	}
	return b
}

// ErrData means data that is not a setup.
var ErrData = errors.New("skirmish: the data of the match is no setup")

// Start returns a function that makes state 0 of a match with this seed and data; no data stands
// for [Usual]. The error is [ErrData], or that of [Setup.Check].
func Start(seed uint64, data []byte) (func(w *World), error) {
	setup := Usual
	switch len(data) {
	case 0:
	case 5, 6:
		rules := byte(0)
		if len(data) == 6 {
			if rules = data[5]; rules == 0 || rules&^(withBots|withoutEnd) != 0 {
				return nil, fmt.Errorf("%w: its last byte is %d", ErrData, rules)
			}
		}
		setup = Setup{
			Size: int(binary.LittleEndian.Uint16(data)), Players: int(data[2]), Units: int(binary.LittleEndian.Uint16(data[3:])),
			Bots: rules&withBots != 0, Endless: rules&withoutEnd != 0,
		}
	default:
		return nil, fmt.Errorf("%w: %d bytes", ErrData, len(data))
	}
	setup.Seed = seed
	begin, err := Begin(setup)
	if err != nil {
		return nil, err
	}
	return func(w *World) {
		world.Update(w, func(w *World) {
			world.Clear(w)
			begin(w)
		})
	}, nil
}
