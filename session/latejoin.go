package session

import (
	"errors"
	"time"

	"github.com/tickback/tickback/session/inputs"
	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// lateJoin is a newcomer's way into a match. It takes agreed frames from a host: first it runs
// them, and later it gives the engine what that lacks of them.
type lateJoin struct {
	sim     simulation
	inputs  *inputs.Store
	stream  *stream.Stream
	players int
	local   PlayerSet

	id       uint64
	follower *spectate.Follower
	follow   stream.Decoder
	loaded   bool // the state is here from which the match goes on
	proof    proof
	told     membership.LogState
	known    bool // told is known, and who plays
	direct   bool // inputs come from the players
	since    time.Duration
	at       Frame // our first frame in the match; NoFrame: not known yet
	agreed   Frame // by the host's stream
}

// proof is what shows that a game comes to the states of the match.
type proof struct {
	begun bool          // a frame has run
	equal bool          // a state of the match came out here as well
	since time.Duration // when the first state was here
	frame Frame         // a state whose chain the host has told, and that has yet to come out here; 0: none
	chain uint64
}

// proveFor is how long a newcomer looks for a state that the host has hashed before it asks the
// members to be let in. Later it looks at what comes while they decide, and then they compare.
const proveFor = 250 * time.Millisecond

// due reports whether there is enough proof to go on.
func (p *proof) due(now time.Duration) bool { return p.begun && (p.equal || now-p.since >= proveFor) }

// errOther is a game that comes to other states than the match from the same inputs.
var errOther = errors.New("the states of the match come out otherwise here")

// observing reports whether we do not play yet. A nil lateJoin plays.
func (j *lateJoin) observing() bool { return j != nil && j.at == NoFrame }

// is reports whether a newcomer is this one.
func (j *lateJoin) is(id uint64) bool { return j != nil && j.id == id }

// feed runs an agreed frame.
func (j *lateJoin) feed(f *agreed.Frame, record func(stream.Frame)) error {
	if err := j.sim.feed(f, record); err != nil {
		return err
	}
	size := j.sim.InputSize()
	for p := range Player(j.players) {
		if j.inputs.Next(p) != Frame(f.Number) { // this is the first frame after a state
			j.inputs.Start(p, Frame(f.Number))
		}
		j.inputs.Append(p, f.Inputs[int(p)*size:(int(p)+1)*size])
	}
	j.proof.begun = true
	if !f.Marked {
		return nil
	}
	j.follower.Marked(f.Number+1, f.Mark.Chain)
	if ours, err := j.sim.Hash(); err == nil && f.Mark.Hash != 0 && ours != f.Mark.Hash {
		return errOther
	}
	if c := &j.stream.Chain; c.Known() && c.Value() != f.Mark.Chain {
		return errOther
	}
	j.proof.equal = j.proof.equal || f.Mark.Hash != 0
	j.stream.Chain.Resume(f.Mark.Chain)
	return nil
}

// supply gives the engine what it lacks of an agreed frame.
func (j *lateJoin) supply(f *agreed.Frame) error {
	fresh := j.observing() && Frame(f.Number) >= j.agreed // once we play, the log says who comes and goes
	j.agreed = max(j.agreed, Frame(f.Number)+1)
	if f.Marked && j.observing() && j.proof.frame == 0 {
		j.proof.frame, j.proof.chain = j.agreed, f.Mark.Chain
	}
	size := j.sim.InputSize()
	for p := range Player(j.players) {
		if missing, err := j.setPresence(p, f, fresh); err != nil {
			return err
		} else if !missing {
			continue
		}
		input := f.Inputs[int(p)*size : (int(p)+1)*size]
		if j.inputs.Next(p) == Frame(f.Number) {
			j.inputs.Append(p, input)
		}
		var orders []byte
		if f.Orders != nil {
			orders = f.Orders[p]
		}
		if err := j.sim.TakeInput(p, Frame(f.Number), input, orders); err != nil {
			return err
		}
	}
	return nil
}

// checkState compares the state that has come out here with what the host has told of it.
func (j *lateJoin) checkState(f Frame) error {
	if !j.observing() || j.proof.frame != f || f == 0 {
		return nil
	}
	if j.proof.frame = 0; j.stream.Chain.Value() != j.proof.chain {
		return errOther
	}
	return nil
}

// setPresence has a player leave or come with a frame, if the frame is fresh: the first to say so. It
// reports whether the player is there and its input is missing.
func (j *lateJoin) setPresence(p Player, f *agreed.Frame, fresh bool) (missing bool, err error) {
	at, next := Frame(f.Number), j.sim.Next(p)
	switch gone := f.Gone>>p&1 != 0; {
	case fresh && gone && next == at:
		return false, j.sim.Disconnect(p, at)
	case gone || j.local.Has(p):
		return false, nil
	case fresh && next == NoFrame:
		j.inputs.Start(p, at)
		return true, j.sim.Connect(p, at)
	}
	return next == at, nil
}

// applyPending has those players leave and come that the stream has not told of: by the member list, and by
// the log since then. The same player may do both.
func (j *lateJoin) applyPending(log []Entry, frame Frame) error {
	known := max(j.agreed, frame)
	for p, a := range j.told.Absent[:j.players] {
		if err := j.foreseeReturn(Player(p), a.Back, known); err != nil {
			return err
		}
	}
	for _, e := range log {
		for p := range e.Players.All() {
			var err error
			switch e.Kind {
			case EntryLeave, EntryDrop, EntryKick:
				if e.Frame >= known && !j.local.Has(p) && j.sim.Next(p) != NoFrame {
					err = j.sim.removePlayer(p, e.Frame)
				}
			case EntryJoin:
				err = j.foreseeReturn(p, e.Frame, known)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// foreseeReturn has another player come with a frame that the stream has not told of.
func (j *lateJoin) foreseeReturn(p Player, at, known Frame) error {
	if at == NoFrame || at < known || j.local.Has(p) || j.sim.Next(p) != NoFrame {
		return nil
	}
	j.inputs.Start(p, at)
	return j.sim.Connect(p, at)
}
