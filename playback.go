package tickback

import (
	"io"
	"iter"
	"net/netip"
	"time"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
)

// replayMachine is the machine of a replay: a player, and the time at which its next frame is due.
type replayMachine[S any, I comparable] struct {
	player   *replay.Player[S, I]
	nominal  time.Duration // the tick period of the match
	num, den time.Duration // the speed, as a fraction
	now      time.Duration
	nextSlot time.Duration
	synced   bool // nextSlot is known
	paused   bool
	stands   bool  // playback has stopped: at the end, or where the recording is damaged
	err      error // the error of a closed replay
	gone     PlayerSet
	wrong    bool // a state differs
	outcome  Outcome
	over     bool

	observe     func(Event)
	list, given []Event
	dropped     uint64
}

// maxReplayEvents is the maximum number of events that are kept if the application does not read them.
const maxReplayEvents = 256

func newPlayback[S any, I comparable](p *replay.Player[S, I], observe func(Event)) *replayMachine[S, I] {
	return &replayMachine[S, I]{
		player: p, nominal: p.Reader().Header().Period(), num: 1, den: 1, observe: observe,
	}
}

// start adds the first events.
func (b *replayMachine[S, I]) start(paused bool) {
	b.paused = paused
	h := b.player.Reader().Header()
	for _, d := range b.player.Differences() {
		b.add(Event{What: Warning, Frame: b.Frame(), Text: d.Error()})
	}
	if err := b.player.Reader().Damage(); err != nil {
		b.add(Event{What: Warning, Frame: b.player.Next(), Text: err.Error()})
	}
	b.add(Event{What: Started, Match: h.Match, Frame: b.Frame()})
}

func (b *replayMachine[S, I]) add(e Event) {
	if b.observe != nil {
		b.observe(e)
	}
	if len(b.list) == maxReplayEvents {
		b.list = append(b.list[:0], b.list[1:]...)
		b.dropped++
	}
	b.list = append(b.list, e)
}

// Events returns the events since the last call.
func (b *replayMachine[S, I]) Events() []Event {
	b.list, b.given = b.given[:0], b.list
	return b.given
}

// period returns how long a frame is shown.
func (b *replayMachine[S, I]) period() time.Duration { return max(b.nominal*b.den/b.num, 1) }

func (b *replayMachine[S, I]) pause(on bool) {
	b.paused = on
	b.resync()
}

// resync makes the next frame due a period from now.
func (b *replayMachine[S, I]) resync() { b.nextSlot = b.now + b.period() }

// replayDebt is the maximum number of periods that are made up for after a pause of the program.
const replayDebt = 30

// Update plays a frame if one is due. The user chooses the speed of a replay, so if frames take too long for it, the
// delay is not caught up.
func (b *replayMachine[S, I]) Update(now time.Duration) (next time.Duration) {
	b.clock(now)
	if b.idle() {
		b.nextSlot = max(b.nextSlot, now)
		return now + b.nominal
	}
	if b.nextSlot = max(b.nextSlot, now-replayDebt*b.nominal); b.nextSlot <= now {
		b.nextSlot += b.period()
		b.one()
	}
	return b.nextSlot
}

// Step plays one frame, unless the replay is paused or has stopped.
func (b *replayMachine[S, I]) Step(now time.Duration) (period time.Duration) {
	if b.clock(now); !b.idle() {
		b.one()
	}
	b.nextSlot = now + b.period()
	return b.period()
}

// Poll plays nothing.
func (b *replayMachine[S, I]) Poll(now time.Duration) (next time.Duration) {
	b.clock(now)
	return now + b.nominal
}

func (b *replayMachine[S, I]) clock(now time.Duration) {
	if b.now = max(b.now, now); !b.synced {
		b.synced, b.nextSlot = true, b.now
	}
}

// idle reports whether no frame is due.
func (b *replayMachine[S, I]) idle() bool { return b.paused || b.stands || b.err != nil }

// one plays a frame, and adds its events.
func (b *replayMachine[S, I]) one() error {
	err := b.player.Step()
	switch {
	case err == io.EOF:
		b.finish()
		return nil
	case err != nil:
		b.stands = true
		b.add(Event{What: Warning, Frame: b.Frame(), Text: err.Error()})
		return err
	}
	if gone := b.player.Gone(); gone != b.gone {
		if left := gone &^ b.gone; left != 0 {
			b.add(Event{What: Left, Players: left, Frame: b.Frame() - 1})
		}
		if back := b.gone &^ gone; back != 0 {
			b.add(Event{What: Joined, Players: back, Frame: b.Frame() - 1})
		}
		b.gone = gone
	}
	if _, wrong := b.player.Checked(); wrong != rollback.NoFrame && !b.wrong {
		b.wrong = true
		b.add(Event{What: Desync, Frame: wrong, Text: "the recording has another state"})
	}
	if b.Frame() == b.player.Next() {
		b.finish()
	}
	return nil
}

// finish handles the end of the recording.
func (b *replayMachine[S, I]) finish() {
	if b.stands {
		return
	}
	b.stands = true
	e, closed := b.player.Reader().End()
	if !closed {
		e.Reason = "it was not closed"
	}
	if e.Reason != "" {
		b.add(Event{What: Warning, Frame: b.Frame(), Text: "the recording ends before the match: " + e.Reason})
		return
	}
	b.over = true
	b.outcome = Outcome{
		Match: b.player.Reader().Header().Match, Result: e.Result, Finished: e.Finished, Left: PlayerSet(e.Gone),
		Summary: session.Summary{Frames: Frame(e.Next), Hash: e.Hash, Chain: e.Chain, Health: b.health()},
	}
	b.add(Event{What: Ended, Match: b.outcome.Match, Frame: b.outcome.Frames})
}

// moved handles a jump: playback is no longer at the end.
func (b *replayMachine[S, I]) moved() {
	b.stands, b.over, b.gone = false, false, b.player.Gone()
	b.resync()
}

func (b *replayMachine[S, I]) seek(f Frame) error {
	if b.err != nil {
		return b.err
	}
	before := b.Frame()
	err := b.player.Seek(f)
	if b.Frame() != before || err == nil && f != b.player.Next() {
		b.moved()
	}
	return err
}

func (b *replayMachine[S, I]) steps(frames int) error {
	switch {
	case b.err != nil:
		return b.err
	case frames < 0:
		return b.seek(Frame(max(int64(b.Frame())+int64(frames), int64(b.player.First()))))
	}
	b.resync()
	for range frames {
		if b.over || b.Frame() == b.player.Next() {
			b.finish()
			return nil
		}
		if err := b.one(); err != nil {
			return err
		}
	}
	return nil
}

// health says whether the states that were compared are those of the match.
func (b *replayMachine[S, I]) health() Health {
	switch n, wrong := b.player.Checked(); {
	case wrong != rollback.NoFrame:
		return Desynced
	case n > 0:
		return Healthy
	}
	return Unverified
}

// Receive does nothing: a replay has no transport, and neither do Outgoing and Urgent.
func (b *replayMachine[S, I]) Receive(time.Duration, netip.AddrPort, []byte) {}

// Outgoing yields nothing.
func (b *replayMachine[S, I]) Outgoing() iter.Seq2[netip.AddrPort, []byte] {
	return func(func(netip.AddrPort, []byte) bool) {}
}

// Urgent returns false.
func (b *replayMachine[S, I]) Urgent() bool { return false }

// Phase returns Playing, even while paused; Ending where playback stops; or Over.
func (b *replayMachine[S, I]) Phase() Phase {
	switch {
	case b.err != nil:
		return Over
	case b.stands:
		return Ending
	}
	return Playing
}

// Progress returns how much of the current period has passed.
func (b *replayMachine[S, I]) Progress(now time.Duration) (passed, period time.Duration) {
	p := b.period()
	if b.idle() {
		return p, p
	}
	return min(max(p-(b.nextSlot-now), 0), p), p
}

// State returns the state that is shown.
func (b *replayMachine[S, I]) State() *S { return b.player.State() }

// StateAt returns state f, or nil if it is not held.
func (b *replayMachine[S, I]) StateAt(f Frame) *S { return b.player.StateAt(f) }

// Frame returns the number of the state that is shown.
func (b *replayMachine[S, I]) Frame() Frame { return b.player.At() }

// Effects returns the changes of effects since the last call.
func (b *replayMachine[S, I]) Effects() []effects.Event { return b.player.Effects() }

// Err returns the reason why the replay is over, or nil.
func (b *replayMachine[S, I]) Err() error { return b.err }

// Done reports whether the replay is over.
func (b *replayMachine[S, I]) Done() bool { return b.err != nil }

// Final returns the state at which the match ended.
func (b *replayMachine[S, I]) Final() *S {
	if !b.over {
		return nil
	}
	return b.player.State()
}

// Leave ends the replay.
func (b *replayMachine[S, I]) Leave(string) {
	if b.err == nil {
		b.err = ErrClosed
		b.add(Event{What: Closed, Text: b.err.Error()})
	}
}

// Outcome returns how the match ended, once its end is reached.
func (b *replayMachine[S, I]) Outcome() (Outcome, bool) { return b.outcome, b.over }

// Proposal returns the parameters of the match.
func (b *replayMachine[S, I]) Proposal() (Parameters, uint32) {
	h := b.player.Reader().Header()
	return parametersOf(h), h.Match
}

// Stats returns those statistics that a replay has.
func (b *replayMachine[S, I]) Stats(links []LinkStats) Stats {
	h := b.player.Reader().Header()
	return Stats{
		Phase: b.Phase(), Match: h.Match, Prepared: 1, Frame: b.Frame(), Health: b.health(),
		Confirmed: b.player.Next(), Agreed: b.player.Next(), Engine: b.player.Inspect().Stats(),
		Members: PlayerSet(1<<h.Shape.Players-1) &^ b.player.Gone(), Paused: b.paused,
		Nominal: b.nominal, Period: b.period(), PendingEvents: len(b.list), DroppedEvents: b.dropped, Links: links,
	}
}
