package recordings

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// parametersOf returns the parameters of the match that a header describes.
func parametersOf(h *tbr.Header) tickback.Parameters {
	return tickback.Parameters{Seed: h.Seed, Frames: tickback.Frame(h.Length), Content: h.Content, Data: h.Data}
}

func (g *typed[S, I]) recorded() (replay.Game, error) {
	return replay.Of(g.ID, g.Build, g.Game, func(h *tbr.Header) (func(*S), error) { return g.Begin(parametersOf(h)) })
}

func (g *typed[S, I]) checksumOf(s replay.Sim) string {
	if g.Checksum != nil {
		if state, ok := replay.StateOf[S](s); ok {
			return words.Checksum32(g.Checksum(state))
		}
		return ""
	}
	hash, err := s.Hash()
	if err != nil {
		return ""
	}
	return words.Checksum64(hash)
}

func (g *typed[S, I]) buttons() replay.Buttons {
	plan, err := canon.PlanFor[I]()
	if err != nil {
		panic("cli: " + err.Error()) // cannot happen: recorded has already checked this
	}
	return replay.Buttons{
		Append: func(b []byte, buttons uint16) []byte {
			in := g.Classic.Input(buttons)
			return plan.Append(b, &in)
		},
		Of: func(input []byte) uint16 {
			var in I
			if plan.Decode(&in, input) != nil {
				return 0 // 0 converts back to a different input, which is then refused
			}
			return g.Classic.Buttons(in)
		},
	}
}

func (g *typed[S, I]) rplkHeader(h rplk.Header) tbr.Header {
	size := 0
	if plan, err := canon.PlanFor[I](); err == nil {
		size = plan.Size()
	}
	return tbr.Header{
		Game: g.ID, TickRate: g.TickRate, Seed: uint64(h.Seed), HashEvery: g.TickRate,
		Shape: agreed.Shape{Players: 2, InputSize: size},
		Info:  tbr.Info{Build: g.Build},
	}
}
