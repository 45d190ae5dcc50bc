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

// ReplayOptions configures a replay; the zero value plays a recording from its beginning, at normal speed.
type ReplayOptions[S any, I comparable] struct {
	// GameID and Build are those of the game's [Options]. A recording of another game is refused; one of another build
	// causes a [Warning], since it may play differently.
	GameID, Build string
	// Start is as in [Options]: it makes state 0.
	Start func(p Parameters) (func(s *S), error)
	// Paused makes the replay begin with a pause, which lasts until [Replayer.Unpause].
	Paused bool
	// Cache is how many bytes of states are kept in memory for jumps back; 0 means 64 MiB, and a negative value none.
	// Recordings of games with Marshal also contain states.
	Cache int

	// Log and Trace are as in [Options].
	Log   *slog.Logger
	Trace *trace.Writer
	// Advanced has settings that few games need; only MaxEffects, EffectTolerance and Now are
	// used.
	Advanced Advanced
}

// Replayer is a [Session] that plays a recording. Make it with [Replay].
type Replayer[S any, I comparable] struct {
	front[S]
	play *replayMachine[S, I]
}

// Replay plays a recording of a match, which has size bytes. It reads the recording in small parts as it plays. r
// belongs to the caller and is used until Close.
//
// Update, View, Effects and Events are those of a live match. Statuses and effects come from the agreed frames.
// Recorded hashes are compared: the event [Desync] names the first state that differs, and [Stats] and [Outcome] have
// the Health. At the end ([Ended]), or where the recording is damaged ([Warning]), it stops; it can still jump
// elsewhere and go on.
//
// The errors are those of package replay/tbr if the file is not a recording, a [*replay.DifferenceError] if it is of
// another game, that of Start, and a [*rollback.CapabilityError] if it begins in the middle of a match and the game has
// no Unmarshal.
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
		Game: o.GameID, Build: o.Build, Platform: rollback.PlatformOf(game), Cache: o.Cache,
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

// parametersOf returns the parameters of a recorded match.
func parametersOf(h *tbr.Header) Parameters {
	return Parameters{Seed: h.Seed, Frames: Frame(h.Length), Content: h.Content, Data: h.Data}
}

// Header returns the header of the recording. Do not change it.
func (m *Replayer[S, I]) Header() *tbr.Header { return m.play.player.Reader().Header() }

// Proposal returns the parameters of the match, and its number.
func (m *Replayer[S, I]) Proposal() (Parameters, uint32) { return m.play.Proposal() }

// First returns the first frame of the recording. Seek can go to the states from First to Next.
func (m *Replayer[S, I]) First() Frame { return m.play.player.First() }

// Next returns the frame after the last one of the recording.
func (m *Replayer[S, I]) Next() Frame { return m.play.player.Next() }

// At returns the number of the state that is shown.
func (m *Replayer[S, I]) At() Frame { return m.play.Frame() }

// Unpause continues after Pause.
func (m *Replayer[S, I]) Unpause() { m.play.pause(false) }

// Pause stops playback until Unpause. Step and Seek still work.
func (m *Replayer[S, I]) Pause() { m.play.pause(true) }

// Paused reports whether playback is paused.
func (m *Replayer[S, I]) Paused() bool { return m.play.paused }

// maxSpeed is the largest numerator and denominator of a speed.
const maxSpeed = 1 << 10

// SetSpeed sets the speed to num/den times that of the match: 1, 2 is half speed. Both must be 1 to 1024.
func (m *Replayer[S, I]) SetSpeed(num, den int) error {
	if num < 1 || num > maxSpeed || den < 1 || den > maxSpeed {
		return refusef("Replayer.SetSpeed", "the speed is %d/%d; both numbers must be 1 to %d", num, den, maxSpeed)
	}
	m.play.num, m.play.den = time.Duration(num), time.Duration(den)
	m.play.resync()
	return nil
}

// Step plays that many frames at once, or goes back if frames is negative, but not beyond the ends. Going forwards
// plays the effects. The error says that the recording is damaged there.
func (m *Replayer[S, I]) Step(frames int) error { return m.play.steps(frames) }

// Seek shows state f, which must be one of First to Next, and continues from there. It simulates from the nearest
// earlier state. The next Effects start and stop sustained effects as needed, and skip the one-shots in between. The
// error wraps tbr.ErrNoFrame if there is no such frame; otherwise it says that the recording is damaged there.
func (m *Replayer[S, I]) Seek(f Frame) error { return m.play.seek(f) }
