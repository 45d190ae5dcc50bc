// Command build is a small game's own binary, for tests of two builds: the linker
// sets in which frame this one is wrong.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/rollback"
)

// fault is the frame in which a runner stumbles; empty is none.
var fault string

type runner struct{ Place, Pace int32 }

type race struct {
	Sum     uint64
	Runners [2]runner
}

type button uint16

func (r *race) advance(f uint32, in [2]button) {
	for p := range r.Runners {
		one := &r.Runners[p]
		one.Pace = max(0, one.Pace+int32(in[p]&7)-3)
		one.Place += one.Pace
	}
	r.Sum = r.Sum*31 + uint64(in[0]) + uint64(in[1])<<16
	if strconv.Itoa(int(f)) == fault {
		r.Runners[1].Pace++
	}
}

func (r *race) step(t *rollback.Tick[button]) {
	r.advance(uint32(t.Frame()), [2]button{t.Input(0), t.Input(1)})
}

func main() {
	fmt.Fprintln(os.Stderr, "a line that has nothing to do with it")
	cli.Main(cli.NewGame(cli.Spec[race, button]{
		ID: "race", About: "two runners", Build: "race " + fault, MaxPlayers: 2,
		Game:     rollback.Game[race, button]{Step: (*race).step},
		Checksum: func(r *race) uint32 { return uint32(r.Sum) },
		Bots: []cli.Bot[race, button]{{Name: "dash", New: func(uint64) func(tickback.Player, tickback.Frame, *race) button {
			return func(p tickback.Player, f tickback.Frame, _ *race) button { return button(f*7+tickback.Frame(p)) % 9 }
		}}},
		Classic: &cli.Classic[race, button]{
			Buttons: func(b button) uint16 { return uint16(b) },
			Input:   func(b uint16) button { return button(b) },
			Play: func(r *race, frames []rplk.Inputs) {
				for _, f := range frames {
					r.advance(0, [2]button{button(f[0]), button(f[1])})
				}
			},
		},
	}))
}
