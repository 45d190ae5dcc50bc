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

// lateJoin is the state of a newcomer that joins a match. It takes agreed frames from a host: at first it runs
// them; later it passes on to the engine only the inputs that the engine lacks.
type lateJoin struct {
	sim     simulation
	inputs  *inputs.Store
	stream  *stream.Stream
	players int
	local   PlayerSet

	id       uint64
	follower *spectate.Follower
	follow   stream.Decoder
	loaded   bool // the state from which the match goes on has been loaded
	proof    proof
	told     membership.LogState
	known    bool // told is known, and so is who plays
	direct   bool // inputs come from the players themselves
	since    time.Duration
	at       Frame // our first frame in the match; NoFrame: not decided yet
	agreed   Frame // agreed frames, by the host's stream
}

// proof records the evidence that the game reaches the same states here as in the match.
type proof struct {
	begun bool          // a frame has run
	equal bool          // a state here was equal to a state of the match
	since time.Duration // when the first state was loaded
	frame Frame         // a frame whose chain value the host has sent, and which has yet to be reached here; 0: none
	chain uint64
}

// proveFor is how long a newcomer looks for a state that the host has hashed before it asks the members for a
// place. After that it checks states that arrive while they decide, and then the members compare.
const proveFor = 250 * time.Millisecond

// due reports whether there is enough proof to continue.
func (p *proof) due(now time.Duration) bool { return p.begun && (p.equal || now-p.since >= proveFor) }

// errOther means that the game reaches other states than the match from the same inputs.
var errOther = errors.New("the states of the match come out otherwise here")

// observing reports whether we do not play yet. A nil lateJoin means that we play.
func (j *lateJoin) observing() bool { return j != nil && j.at == NoFrame }

// waitFrom counts the time for which we wait for a place from now on.
func (j *lateJoin) waitFrom(now time.Duration) { j.since = now }

// place notes the frame from which the log has a place for us.
func (j *lateJoin) place(at Frame) { j.at = at }

// is reports whether this newcomer has the given id.
func (j *lateJoin) is(id uint64) bool { return j != nil && j.id == id }

// feed runs an agreed frame.
func (j *lateJoin) feed(f *agreed.Frame, record recorder) error {
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

// supply gives the engine the parts of an agreed frame that it lacks.
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

// checkState compares the chain value here with the one that the host has sent for this frame.
func (j *lateJoin) checkState(f Frame) error {
	if !j.observing() || j.proof.frame != f || f == 0 {
		return nil
	}
	if j.proof.frame = 0; j.stream.Chain.Value() != j.proof.chain {
		return errOther
	}
	return nil
}

// setPresence makes a player leave or come at a frame, if the frame is fresh, that is, the first one to say so. It
// reports whether the player is present and its input is missing.
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

// applyPending applies departures and arrivals of players that the stream has not reported: those in the member
// list, and those in the log since then. The same player may do both.
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

// foreseeReturn makes another player come at a frame that the stream has not reached.
func (j *lateJoin) foreseeReturn(p Player, at, known Frame) error {
	if at == NoFrame || at < known || j.local.Has(p) || j.sim.Next(p) != NoFrame {
		return nil
	}
	j.inputs.Start(p, at)
	return j.sim.Connect(p, at)
}
