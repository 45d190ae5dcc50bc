package served

import (
	"errors"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/sight"
	"github.com/tickback/tickback/session/stream"
)

// clientMatch is what a client knows about the match: it takes the updates of the server, makes the engine run
// them, and checks that the states equal the server's. It knows no network and no time.
type clientMatch[S any, I comparable] struct {
	engine *rollback.Engine[S, I]
	mirror *sight.Decoder[S, I] // nil before there is a match
	events *event.Queue
	// agreed, if given, is called with every tick that is completely known.
	agreed func(a *rollback.Agreed[I])
	full   bool // the server sends everything to everybody
	player Player

	newest  Frame   // the newest state that was received
	told    []Frame // the numbers of states that were received, + 1, in a ring
	gone    PlayerSet
	met     bool      // gone is known
	plain   bool      // a hash has differed: the server sends plain updates
	lags    bool      // there is no time to run missed ticks at once
	updates allowance // with partial sight
	maxLag  Frame     // how many ticks the engine may be behind what it learns: fewer than its history holds
	anew    bool      // a whole state has been requested, and updates are ignored until it comes
	health  stream.Health
	checks  [sight.Keep]check // by state, in a ring
	counts  knownCounts

	inquiry inquiry[S, I]
}

// check is the server's hash of a state that is not final here yet.
type check struct {
	state Frame
	low   uint16
}

// knownCounts count what the server has sent.
type knownCounts struct{ updates, fullStates, corrected, stale, resumed uint64 }

// toldHeld is the minimum number of states for which it is remembered whether they were received.
const toldHeld = 256

// update handles an update and reports whether it was news.
func (k *clientMatch[S, I]) update(f Frame, b []byte) (news bool, err error) {
	if k.anew || !k.full && !k.updates.affords(sight.Cost(b), k.lags) {
		k.counts.stale++
		return false, nil
	}
	k.updates.spend(sight.Cost(b))
	u, err := k.mirror.Apply(f, b)
	var differs *sight.DesyncError
	switch {
	case errors.Is(err, sight.ErrBaseline):
		k.counts.stale++ // a later one has overtaken it
		return false, nil
	case errors.As(err, &differs):
		k.inquiry.notice(differs.State, differs.Theirs, k.mirror.Refused())
		k.desync(differs.State, uint64(differs.Ours), uint64(differs.Theirs))
		return false, nil
	case err != nil:
		return false, err
	}
	k.counts.updates++
	for i := range u.Ticks {
		if err := k.addTick(u.From+Frame(i), &u.Ticks[i]); err != nil {
			return false, err
		}
	}
	if u.Value == nil {
		k.checks[u.State%sight.Keep] = check{u.State, u.Check}
	} else if err := k.value(u); err != nil {
		return false, err
	} else {
		k.inquiry.equal = u.State
	}
	k.note(u.State)
	k.agree()
	return true, nil
}

// whole handles a whole state and reports whether it was news.
func (k *clientMatch[S, I]) whole(f Frame, b []byte) (news bool, err error) {
	u, err := k.mirror.Whole(f, b)
	switch {
	case errors.Is(err, sight.ErrBaseline):
		return false, nil // a newer one is known
	case err != nil:
		return false, err
	}
	k.anew = false
	anew := u.State > k.engine.Frame()
	if u.Value != nil {
		err = k.correct(u)
	} else {
		anew, err = true, k.engine.Load(u.State, u.Encoded)
	}
	if err == nil && anew {
		err = k.predictAbsent(u.State, u.Gone)
	}
	if err != nil {
		return false, err
	}
	k.counts.fullStates++
	k.note(u.State)
	k.inquiry.equal = u.State
	return true, nil
}

// value makes the engine adopt the state of an update. If the engine cannot reach that state, it restarts there,
// and forgets the last inputs of all players.
func (k *clientMatch[S, I]) value(u *sight.Update[S, I]) error {
	if f := k.engine.Frame(); !k.lags || u.State <= f+1 {
		if err := k.reach(u.State); err != nil {
			return err
		}
	}
	anew := u.State > k.engine.Frame()
	err := k.correct(u)
	if err == nil && anew {
		k.counts.resumed++
		err = k.predictAbsent(u.State, k.gone)
	}
	return err
}

// predictAbsent makes the engine, after a restart, predict that absent players stay absent. Our own player may just
// have been given its place.
func (k *clientMatch[S, I]) predictAbsent(f Frame, gone PlayerSet) error {
	for p := range (gone &^ rollback.SetOf(k.player)).All() {
		if err := k.engine.Disconnect(p, f); err != nil {
			return err
		}
	}
	return nil
}

// note records that state f was received.
func (k *clientMatch[S, I]) note(f Frame) {
	k.newest = max(k.newest, f)
	k.told[f%Frame(len(k.told))] = f + 1
}

// addTick gives the engine the inputs of a tick.
func (k *clientMatch[S, I]) addTick(f Frame, t *sight.Tick[I]) error {
	if f < k.newest {
		return nil
	}
	to := f // the server may be ahead of us
	if k.lags {
		to -= min(k.maxLag-1, f)
	}
	if err := k.reach(to); err != nil {
		return err
	}
	var orders [][]byte
	if len(t.Orders) > 0 {
		orders = t.Orders
	}
	if err := k.engine.SetTruth(f, t.Inputs, orders, t.Told|t.Gone, t.Gone); err != nil {
		return err
	}
	if !k.met { // players that are absent at first have not left
		k.met, k.gone = true, t.Gone
	}
	if came := k.gone &^ t.Gone; came != 0 {
		k.events.Add(Event{What: event.Joined, Players: came, Frame: f})
	}
	if left := t.Gone &^ k.gone; left != 0 {
		k.events.Add(Event{What: event.Left, Players: left, Frame: f})
	}
	k.gone = t.Gone
	return nil
}

// correct makes the engine adopt a state.
func (k *clientMatch[S, I]) correct(u *sight.Update[S, I]) error {
	changed, err := k.engine.Correct(u.State, u.Value)
	switch {
	case errors.Is(err, rollback.ErrSettled):
		return nil // all inputs before it are known and have led to it
	case err != nil:
		return err
	case changed:
		k.counts.corrected++
	}
	k.health = max(k.health, stream.Healthy)
	return nil
}

// reach runs predicted ticks up to frame f, as far as the engine can.
func (k *clientMatch[S, I]) reach(f Frame) error {
	for k.engine.Frame() < f {
		if ran, err := k.run(); !ran {
			return err
		}
	}
	return nil
}

// settle runs the remaining ticks of a match of the given length, if all of them are known.
func (k *clientMatch[S, I]) settle(ticks Frame) {
	if k.newest >= ticks && k.reach(ticks) == nil && k.engine.Settle() == nil {
		k.agree()
	}
}

// run runs a tick, and reports whether it could.
func (k *clientMatch[S, I]) run() (ran bool, err error) {
	err = k.engine.Tick()
	if stall := (*rollback.Stall)(nil); errors.As(err, &stall) {
		return false, nil
	}
	return err == nil, err
}

// agree reads the agreed frames and compares their states with the server's hashes.
func (k *clientMatch[S, I]) agree() {
	for a := k.engine.NextAgreed(); a != nil; a = k.engine.NextAgreed() {
		if k.agreed != nil {
			k.agreed(a)
		}
		k.inquiry.knows(a.Frame)
		c := k.checks[(a.Frame+1)%sight.Keep]
		switch {
		case c.state != a.Frame+1 || !a.Hashed || !k.full || k.plain:
		case uint16(a.Hash) != c.low:
			k.inquiry.notice(c.state, c.low, k.engine.StateAt(c.state))
			k.inquiry.retrace(k.engine)
			k.desync(c.state, a.Hash&0xFFFF, uint64(c.low))
		default:
			k.inquiry.equal = c.state
			k.health = max(k.health, stream.Healthy)
		}
	}
}

// desync notes that a state here differs from the server's. From now on the server is asked for plain updates.
func (k *clientMatch[S, I]) desync(f Frame, ours, theirs uint64) {
	if !k.plain {
		k.events.Add(Event{What: event.Desync, Frame: f, Ours: ours, Theirs: theirs, Text: "the server"})
	}
	k.plain, k.health = true, stream.Desynced
	k.mirror.Forget()
}

// shown returns the number of the newest state that is known and held. With full sight, received updates run with
// the next tick.
func (k *clientMatch[S, I]) shown() Frame {
	if k.full {
		return min(k.newest, k.engine.Final())
	}
	return k.newest
}

// holds reports whether state f is known. With full sight every state up to the newest one is; with partial sight,
// those that were received.
func (k *clientMatch[S, I]) holds(f Frame) bool { return k.full || k.told[f%Frame(len(k.told))] == f+1 }
