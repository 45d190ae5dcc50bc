package sim

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli/game"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/trace"
)

// batch is how many frames are played, and passed to a recording, at a time.
const batch = 4096

// simulation is a match to simulate.
type simulation struct {
	players int
	seed    uint64
	data    []byte // the Data of the match's parameters
	frames  uint32
	script  string
	// record, if given, receives the frames, a batch at a time.
	record func([]rplk.Inputs) error
	// film, if given, receives a recording in Tickback's own format.
	film io.Writer
	// count is called with the number of frames that have been played.
	count func(frames int64)
	// trace, if given, receives a trace.
	trace *trace.Writer
}

// simulated is how the match ended.
type simulated struct {
	frames   uint32
	checksum string
	result   string // the game's own text, if the game ended the match
}

// simulate plays a script, or bots, as fast as the machine can. The game may end
// the match before its last frame.
func (g *typed[S, I]) simulate(ctx context.Context, s simulation) (end simulated, err error) {
	var m *tickback.Match[S, I]
	player, err := g.scripted(s)
	if err != nil {
		return end, err
	}
	r := &simRecorder{record: s.record}
	options := tickback.Options[S, I]{
		Players: s.players, TickRate: g.TickRate, Rate: g.Rate, GameID: g.ID, Build: g.Build, Trace: s.trace,
		Match: tickback.Parameters{Seed: s.seed, Frames: tickback.Frame(s.frames), Data: s.data}, Start: g.Start,
		Sample: func(p tickback.Player) I { v := m.View(); return player.Sample(p, v.Frame, v.Current) },
	}
	if g.MaxOrders > 0 {
		options.MaxOrders = g.MaxOrders
		options.Orders = func(p tickback.Player) []byte { v := m.View(); return player.Orders(p, v.Frame, v.Current) }
	}
	if s.record != nil {
		options.Agreed = func(a *rollback.Agreed[I]) {
			r.add(rplk.Inputs{g.Classic.Buttons(a.Inputs[0]), g.Classic.Buttons(a.Inputs[1])})
		}
	}
	switch {
	case s.film != nil:
		options.Record, options.Recording.Wait = s.film, true
		if g.Checksum != nil { // hashes are only recorded, so hashing at this interval and at the end is enough
			options.Advanced.HashEvery, options.Advanced.ChainEvery = int(divisor(uint32(g.TickRate), s.frames)), g.TickRate
		}
	case g.Checksum != nil:
		options.Advanced.HashEvery = -1 // nothing uses the hashes
	}
	if m, err = tickback.Local(g.Game, options); err != nil {
		return end, err
	}
	if s.film != nil {
		defer func() { err = cmp.Or(err, ended(m)) }()
	}
	if s.frames == 0 { // 0 would mean a match without a limit
		if g.Checksum != nil {
			end.checksum = words.Checksum32(g.Checksum(m.View().Current))
		}
		return end, nil
	}
	for frame := uint32(0); ; frame++ {
		if frame%batch == 0 && ctx.Err() != nil {
			return end, console.ErrInterrupted
		}
		_, err := m.Advance()
		if out, over := m.Outcome(); over {
			r.write()
			return simulated{uint32(out.Frames), g.EndChecksum(m, out), g.ResultText(out)}, r.failed
		}
		if err != nil || r.failed != nil {
			return end, cmp.Or(r.failed, err)
		}
		if frame%batch == batch-1 {
			s.count(batch)
		}
	}
}

// divisor returns the greatest common divisor of two numbers; that of 0 and n is n.
func divisor(n, m uint32) uint32 {
	for m != 0 {
		n, m = m, n%m
	}
	return n
}

// ended closes a match, and returns the error of its recording, if there is one.
func ended[S any, I comparable](m *tickback.Match[S, I]) error {
	err := m.Close()
	for _, e := range m.Events() {
		if e.What == tickback.Recorded && e.Text != "" {
			err = errors.Join(err, errors.New(e.Text))
		}
	}
	return err
}

// simRecorder collects frames, and passes them on in batches.
type simRecorder struct {
	record func([]rplk.Inputs) error // nil to discard the frames
	batch  []rplk.Inputs
	failed error
}

func (r *simRecorder) add(in rplk.Inputs) {
	if r.batch = append(r.batch, in); len(r.batch) == batch {
		r.write()
	}
}

func (r *simRecorder) write() {
	if r.failed == nil && r.record != nil {
		r.failed = r.record(r.batch)
	}
	r.batch = r.batch[:0]
}

// scripted returns the script or bots that play in a simulation.
func (g *typed[S, I]) scripted(s simulation) (*games.Player[S, I], error) {
	i := slices.IndexFunc(g.Scripts, func(c game.Script[I]) bool { return c.Name == s.script })
	if i < 0 {
		bot, _ := g.Bot(s.script)
		return games.PlayerOf(bot, s.seed), nil
	}
	player := new(games.Player[S, I])
	if orders := g.Scripts[i].Orders; orders != nil {
		order := orders(s.seed)
		player.Order = func(b []byte, p tickback.Player, f tickback.Frame, _ *S) []byte { return order(b, p, f) }
	}
	if g.Scripts[i].New == nil {
		return player, nil
	}
	script, err := g.Scripts[i].New(s.seed)
	if err != nil {
		return nil, err
	}
	in, next := make([]I, s.players), tickback.Frame(0)
	player.Input = func(p tickback.Player, _ tickback.Frame, _ *S) I {
		if p == 0 {
			script(next, in)
			next++
		}
		return in[p]
	}
	return player, nil
}
