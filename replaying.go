package tickback

import (
	"io"
	"log/slog"
	"reflect"
	"time"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/trace"
)

// ReplayOptions is how a recording is played; the zero value plays it from its beginning,
// at its own pace.
type ReplayOptions[S any, I comparable] struct {
	// GameID and Build are those of the game's [Options]. Another game is refused, and
	// another build is a [Warning]: it may come out otherwise.
	GameID, Build string
	// Start is that of [Options]: what makes state 0.
	Start func(p Parameters) (func(s *S), error)
	// Paused has it stand still until [Replayer.Play].
	Paused bool
	// Cache is how many bytes of states are kept in memory, to go back to; 0 is 64 MiB,
	// and less than 0 none. Recordings of games with Marshal have states of their own.
	Cache int

	// Log and Trace are as in [Options].
	Log   *slog.Logger
	Trace *trace.Writer
	// Advanced is what hardly any game needs; of it, MaxEffects, EffectTolerance and Now
	// count.
	Advanced Advanced
}

// Replayer is a [Session] that plays a recording. Make it with [Replay].
type Replayer[S any, I comparable] struct {
	front[S]
	play *playback[S, I]
}

// Replay plays a recording of a match, which has size bytes. It is read in small parts,
// as they are played; r stays the caller's, and is used until Close.
//
// Update, View, Effects and Events are those of a live match. Statuses are what they
// were, effects are those that were certain, and recorded hashes are compared: the
// first state that differs is the event [Desync], and [Stats] and [Outcome] have the
// Health. Where the recording is damaged, or at its end, it stands still, with a
// [Warning] or [Ended]; one can go elsewhere, and on.
//
// The errors are those of package replay/tbr if it is no recording, a
// [*replay.DifferenceError] if it is not of this game, that of Start, and a
// [*rollback.CapabilityError] if it begins in the middle of a match and the game has no
// Unmarshal.
func Replay[S any, I comparable](game rollback.Definition[S, I], r io.ReaderAt, size int64, o ReplayOptions[S, I]) (*Replayer[S, I], error) {
	reader, err := tbr.Open(r, size)
	if err != nil {
		return nil, err
	}
	if o.GameID == "" {
		o.GameID = defaultID(reflect.TypeFor[S]().String())
	}
	m := new(Replayer[S, I])
	m.open(nil, o.Advanced.Now, o.Log, o.Trace)
	p := replay.PlayerOptions[S]{
		Game: o.GameID, Build: o.Build, Platform: platform(game), Cache: o.Cache,
		MaxEffects: o.Advanced.MaxEffects, EffectTolerance: o.Advanced.EffectTolerance, Clock: m.time, Probe: m.probe(),
	}
	if o.Start != nil {
		p.Start = func(h *tbr.Header) (func(*S), error) { return o.Start(parametersOf(h)) }
	}
	player, err := replay.NewPlayer(game, reader, p)
	if err != nil {
		return nil, inOptions(replayOptions, err)
	}
	m.play = newPlayback(player, m.observer())
	m.begin(m.play, o.GameID, reader.Header().Shape.Players, "a replay")
	m.play.start(o.Paused)
	return m, nil
}

// parametersOf are those of a recorded match.
func parametersOf(h *tbr.Header) Parameters {
	return Parameters{Seed: h.Seed, Frames: Frame(h.Length), Content: h.Content, Data: h.Data}
}

// Header returns what the recording says of itself. It is not to be changed.
func (m *Replayer[S, I]) Header() *tbr.Header { return m.play.player.Reader().Header() }

// Proposal returns the parameters of the match, and its number.
func (m *Replayer[S, I]) Proposal() (Parameters, uint32) { return m.play.Proposal() }

// First returns the first frame of the recording, and Next the one behind the last: they
// are the states to which Seek can go.
func (m *Replayer[S, I]) First() Frame { return m.play.player.First() }

// Next returns the frame behind the last one of the recording.
func (m *Replayer[S, I]) Next() Frame { return m.play.player.Next() }

// At returns the number of the state that is shown.
func (m *Replayer[S, I]) At() Frame { return m.play.Frame() }

// Play goes on, after Pause.
func (m *Replayer[S, I]) Play() { m.play.pause(false) }

// Pause stands still, until Play. Step and Seek work all the same.
func (m *Replayer[S, I]) Pause() { m.play.pause(true) }

// Paused reports whether it stands still because of Pause.
func (m *Replayer[S, I]) Paused() bool { return m.play.paused }

// maxSpeed bounds both parts of a speed.
const maxSpeed = 1 << 10

// SetSpeed plays num/den times as fast as the match was: 1, 2 is half as fast. Both are 1
// to 1024.
func (m *Replayer[S, I]) SetSpeed(num, den int) error {
	if num < 1 || num > maxSpeed || den < 1 || den > maxSpeed {
		return refusef("Replayer.SetSpeed", "a speed of %d/%d; both must be 1 to %d", num, den, maxSpeed)
	}
	m.play.num, m.play.den = time.Duration(num), time.Duration(den)
	m.play.resync()
	return nil
}

// Step plays so many frames at once, or goes back if it is negative; not beyond the ends.
// Played forwards, effects sound. The error is that of the recording where it is damaged.
func (m *Replayer[S, I]) Step(frames int) error { return m.play.steps(frames) }

// Seek shows a state, of First to Next, from which on it then plays. It takes as long as
// it takes to simulate from a state before it that is known. Sustained effects are put
// right by what Effects returns next, and one-shots on the way do not sound. The error
// wraps tbr.ErrNoFrame for another frame, or is that of the recording where it is damaged.
func (m *Replayer[S, I]) Seek(f Frame) error { return m.play.seek(f) }
