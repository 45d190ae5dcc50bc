package served

import (
	"fmt"
	"iter"
	"net/netip"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/sequencer"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// world is the game as used by the host, with encoded inputs, so that the host does not depend on the game.
type world interface {
	Frame() Frame
	Hash() (uint64, error)
	Result() (rollback.Outcome, bool)
	Stats() rollback.Stats
	InputSize() int
	Marshals() bool
	Marshal(b []byte, f Frame) ([]byte, error)
	// run runs the next tick and passes the agreed frame to the taker. behind is how far each player is behind the
	// server.
	run(inputs, orders [][]byte, behind []int, gone PlayerSet, to taker) error
	// resume makes an encoded state with this hash the newest one, as state f, and feed runs a tick that has run before.
	resume(f Frame, encoded []byte, hash uint64) error
	feed(f *agreed.Frame, to taker) error
	// refused returns the players whose inputs were refused in the last tick.
	refused() PlayerSet
	// encode turns the encoding of agreed frames on or off.
	encode(on bool)
	// update appends what a client that holds a baseline may know about the newest state, in at most room bytes,
	// and reports whether it fits.
	update(b []byte, p Player, base Frame, plain bool, room int) ([]byte, bool)
	// whole appends everything that a player may know about the newest state.
	whole(b []byte, p Player) []byte
	// known appends state f as far as a player may know it, or nothing if it is not held.
	known(b []byte, p Player, f Frame) []byte
	// sequencing returns what the game decides about missing inputs.
	sequencing() sequencer.Config
	// start creates state 0.
	start(p stream.Parameters) error
}

// taker receives agreed frames.
type taker interface{ take(f *stream.Frame) }

// Host is the protocol of a server, independent of the game; [Server] adds the game. Like session.Machine it opens
// no socket and reads no clock.
type Host struct {
	cfg   ServerConfig
	world world
	clock pace.Clock
	now   time.Duration
	since time.Duration // when the phase began
	ticking
	phase  Phase
	err    error
	events event.Queue
	out    peer.Outbox

	admitter  admitter
	audience  *spectate.Host
	clients   clients
	sequencer *sequencer.Sequencer
	inbox     inbox
	updater   updater
	log       log
	journal   keeper
	ending
	counts counts
}

// counts are the host's own counters.
type counts struct {
	strangers, rejected, broken uint64
	refused, uninvited, crowded uint64
	spent, doubled, moved       uint64
	skipped                     uint64 // tick periods that were skipped because the server was too late to catch up
}

func newHost(cfg ServerConfig, w world) (*Host, error) {
	h := &Host{cfg: cfg, world: w, out: peer.Outbox{Most: maxOutgoing}, phase: session.Playing}
	state, err := w.Hash() // before the match is known, as on clients that connect
	if err != nil {
		return nil, refusef("a server compares states with its clients, and this game gives none to hash: %w", err)
	}
	h.admitter = admitter{items: cfg.items(w.InputSize(), state), door: admission.NewGate(cfg.Random), out: &h.out}
	h.log = log{world: w, partial: cfg.Partial, shape: agreed.Shape{Players: cfg.Players, InputSize: w.InputSize(), MaxOrders: cfg.MaxOrders}}
	if err := (journaled{h}).open(); err != nil {
		return nil, err
	}
	s := w.sequencing()
	s.Width, s.Rate, s.Period, s.Ahead = max(w.InputSize(), 1), cfg.TickRate, cfg.nominal(), maxAhead
	if h.sequencer, err = sequencer.New(s); err != nil {
		return nil, err
	}
	h.clock, h.carry = pace.NewClock(cfg.nominal(), cfg.DropAfter), pace.CarryOf(cfg.Rate)
	h.now, h.since, h.due = h.clock.Now(), h.clock.Now(), h.clock.Now()
	h.events.Observe = cfg.Observe
	h.inbox = inbox{world: w, sequencer: h.sequencer, cfg: &h.cfg}
	h.updater = updater{world: w, sequencer: h.sequencer, cfg: &h.cfg}
	h.audience = spectate.NewHost(cfg.Spectators, nil, spectateMatch{h}, h.log.shape, cfg.nominal(), h.admitter.door, &h.out)
	h.audience.ShareInvitation(&h.admitter.invitation)
	if cfg.Token != nil {
		h.admitter.invitation.Invite(cfg.Token)
	}
	h.log.stream.Begin(Frame(max(cfg.HashEvery, 0)), Frame(max(cfg.HashEvery, 1)))
	h.journal = keeper{to: cfg.Journal, every: Frame(cfg.KeyframeEvery), patience: cfg.JournalPatience, shape: h.log.shape}
	if err := (journaled{h}).keep(); err != nil {
		return nil, err
	}
	h.sequencer.Begin(w.Frame(), h.due)
	for p := range h.journal.back.awaited.All() {
		h.sequencer.Join(p, w.Frame())
	}
	if cfg.Spectators.Enabled() {
		h.log.stream.SetSpectators(h.audience)
		if err := h.audience.BeginAt(&h.log.offer, uint32(w.Frame())); err != nil {
			return nil, err
		}
	}
	h.log.listen(h.journal.to != nil)
	return h, nil
}

// maxOutgoing limits the number of waiting datagrams: a few for each client, and those for spectators.
const maxOutgoing = 8*rollback.MaxPlayers + spectate.MaxOutgoing

// Phase returns the phase: session.Playing, session.Ending once the match is over, and session.Over.
func (h *Host) Phase() Phase { return h.phase }

// Err returns why the server is over: [ErrEnd] at the end of the match, session.ErrClosed after Leave, or an error
// of the engine.
func (h *Host) Err() error { return h.err }

// Events returns the events since the last call. The result is valid until the next call.
func (h *Host) Events() []Event { return h.events.Take() }

// Outgoing yields the datagrams to send, each with its destination, and removes them from the outbox.
func (h *Host) Outgoing() iter.Seq2[netip.AddrPort, []byte] { return h.out.All() }

// Done reports whether the server is over, and all clients and spectators know it, or have had time to.
func (h *Host) Done() bool {
	return h.phase == session.Over && (h.clients.len() == 0 && h.audience.Done() || h.now >= h.since+h.cfg.Linger)
}

// Urgent reports whether an arriving datagram should be handled at once; on a server it is always false.
func (h *Host) Urgent() bool { return false }

// Outcome returns how the match ended, and whether it has.
func (h *Host) Outcome() (stream.Outcome, bool) { return h.outcome, h.finished }

// Proposal returns the parameters of the match and its number, which is 1.
func (h *Host) Proposal() (stream.Parameters, uint32) { return h.cfg.Match, 1 }

// Receive handles a datagram that arrived at this time from this address; any content is allowed.
func (h *Host) Receive(at time.Duration, from netip.AddrPort, b []byte) {
	at = h.clock.Arrive(at)
	h.now, from = h.clock.Now(), peer.Unmapped(from)
	switch {
	case len(b) == 0 || len(b) > datagram.MaxSize:
		h.counts.strangers++
	case b[0] == datagram.KindWatch:
		h.welcome(from, b)
	case b[0] == datagram.KindAttach:
		h.attach(from, b)
	default:
		if c := h.clients.at(from); c != nil {
			h.takeBody(c, at, b)
		} else if !h.audience.Receive(at, from, b) && !(roaming{h}).receive(at, from, b) {
			h.counts.strangers++
		}
	}
}

// wake sets the time of an update.
func (h *Host) wake(now time.Duration) { h.now = h.clock.Update(now) }

// Update does what is due and returns when to call it again: it keeps connections alive, runs a tick if one is due,
// and sends updates to the clients; see [session.Machine.Update].
func (h *Host) Update(now time.Duration) (next time.Duration) {
	h.wake(now)
	h.poll()
	if h.phase == session.Playing && h.now >= h.due && (journaled{h}).ready() {
		slipped := h.skipPeriods(h.now, h.cfg.nominal())
		h.counts.skipped += slipped
		h.clients.slip(slipped)
		h.tick()
	}
	return h.clock.External(h.next())
}

// Step does what Update does, for an owner that calls it once per tick and does its own timing.
func (h *Host) Step(now time.Duration) (period time.Duration) {
	h.wake(now)
	h.poll()
	if h.phase == session.Playing && (journaled{h}).ready() {
		h.due = h.now
		h.tick()
	}
	return h.cfg.nominal()
}

// Poll does everything except running ticks.
func (h *Host) Poll(now time.Duration) (next time.Duration) {
	h.wake(now)
	h.poll()
	return h.clock.External(h.next())
}

// Progress returns how much of the current tick period has passed.
func (h *Host) Progress(now time.Duration) (passed, period time.Duration) {
	n := h.cfg.nominal()
	return min(max(n-(h.due-h.clock.Internal(now)), 0), n), n
}

// next returns when something is due next.
func (h *Host) next() time.Duration {
	next := h.now + time.Second
	if h.phase == session.Playing || h.phase == session.Ending {
		next = h.due
	}
	if h.journal.held || h.journal.back.awaited != 0 {
		next = max(next, h.now+journalPoll) // it has to wait for these
	}
	for _, c := range h.clients.list {
		next = min(next, c.pipe.Due(h.now))
	}
	return min(next, h.audience.Update(h.now))
}

// poll maintains the connections.
func (h *Host) poll() {
	h.expire()
	(journaled{h}).expire()
	for _, c := range h.clients.list {
		c.serve(h.now)
	}
	h.audience.Update(h.now)
	for _, n := range h.audience.News() {
		e := Event{What: event.SpectatorLeft, Text: n.Addr.String() + ": " + n.Why}
		if n.Joined {
			e = Event{What: event.SpectatorJoined, Text: n.Addr.String()}
		}
		h.events.Add(e)
	}
	h.retell()
	conclude(h)
}

// tick closes the next tick, runs it, and sends the clients their updates.
func (h *Host) tick() {
	f := h.world.Frame()
	h.log.keep(f)
	if h.journal.due(f) {
		if err := h.journal.keyframe(f, h.world, h.Members()|h.journal.back.awaited, &h.clients, &h.log.stream.Chain); err != nil {
			h.over(err)
			return
		}
	}
	inputs, _ := h.sequencer.Close(f, h.due)
	h.due += h.cfg.nominal() + h.carry.Next()
	gone := PlayerSet(1<<h.cfg.Players - 1)
	for p := range Player(h.cfg.Players) {
		if inputs[p] != nil {
			gone &^= rollback.SetOf(p)
		}
	}
	orders := h.inbox.take(&h.clients, f, gone)
	if err := h.world.run(inputs[:h.cfg.Players], orders[:h.cfg.Players], h.inbox.behind[:h.cfg.Players], gone, h); err != nil {
		h.over(err)
		return
	}
	for p := range h.world.refused().All() {
		if c := h.clients.of[p]; c != nil {
			c.faults.Illegal++
		}
	}
	if h.journal.to != nil {
		h.journal.untold = true
		(journaled{h}).settle()
		return
	}
	h.tell()
}

// tell informs the clients of a tick that has run.
func (h *Host) tell() {
	h.end() // before the updates, so that the last state comes with the outcome
	if h.tells(h.now, h.cfg.nominal()) {
		for _, c := range h.clients.list {
			if h.updater.due(c) {
				h.updater.tell(c, h.now)
			}
		}
	}
}

// take passes on an agreed frame, or keeps it until the journal has it.
func (h *Host) take(f *stream.Frame) {
	if h.journal.to == nil {
		(journaled{h}).take(f)
		return
	}
	h.journal.tick(f)
}

// end ends the match if it is over.
func (h *Host) end() {
	f, limit := h.world.Frame(), h.cfg.Match.Frames
	result, finished := h.world.Result()
	if h.phase != session.Playing || !finished && (limit == 0 || f < limit) {
		return
	}
	h.outcome = stream.Outcome{
		Match: 1, Result: result.Result, Finished: finished, Left: h.clients.gone(h.cfg.Players), Told: true,
		Summary: stream.Summary{Frames: f, Hash: h.log.stream.Chain.HashAt(f), Chain: h.log.stream.Chain.Value(), Health: stream.Healthy},
	}
	h.finished, h.phase, h.since = true, session.Ending, h.now
	h.updater.last = true
	h.log.stream.Recording.End(&stream.End{Ended: true, Outcome: h.outcome})
	o := &h.outcome
	h.journal.end(o)
	h.audience.Finish(spectate.End{
		Frames: uint32(f), Hash: o.Hash, Chain: o.Chain, Result: o.Result, Finished: o.Finished, Gone: uint16(o.Left),
	})
	for _, c := range h.clients.list {
		c.pipe.Channel.SetEager(true)
		c.post(appendEnd(nil, h.log.outcomeFor(c, o)))
	}
	h.events.Add(Event{What: event.Ended, Match: 1, Frame: f})
}

// Leave ends the server and sends everybody the reason. If the match is over, clients first get its last state and
// its outcome: keep calling Poll until [Host.Done].
func (h *Host) Leave(reason string) {
	if h.phase == session.Ending {
		h.ending.leaves, h.ending.reason = true, reason
		conclude(h)
		return
	}
	h.leave(session.ErrClosed, reason)
}

// over ends the server because of an error.
func (h *Host) over(err error) { h.leave(err, err.Error()) }

func (h *Host) leave(err error, reason string) {
	if h.phase == session.Over {
		return
	}
	h.log.stream.Recording.End(&stream.End{Over: err})
	h.phase, h.err, h.since = session.Over, err, h.now
	for _, c := range h.clients.list {
		c.dismiss(h.now, reason)
	}
	h.audience.Close(reason)
	h.audience.Update(h.now)
	h.events.Add(Event{What: event.Closed, Text: err.Error()})
}

// Kick removes a player. If there is a token, it is revoked, and no new clients are admitted; see [Host.SetToken].
func (h *Host) Kick(p Player, reason string) error {
	c := h.clients.player(p)
	if c == nil {
		return fmt.Errorf("served: nobody plays player %d", p)
	}
	if h.admitter.invitation.Revoke() {
		h.journal.token(nil)
		h.events.Add(Event{What: event.Revoked})
	}
	h.remove(c, event.Dropped, "kicked: "+reason)
	c.dismiss(h.now, "kicked: "+reason)
	return nil
}

// SetToken replaces the token: from now on clients must know the new one.
func (h *Host) SetToken(token []byte) error {
	if err := admission.CheckToken(token); err != nil {
		return err
	}
	h.admitter.invitation.Invite(token)
	h.journal.token(token)
	return nil
}

// Members returns the players that have a client.
func (h *Host) Members() (set PlayerSet) {
	for p := range Player(h.cfg.Players) {
		if h.clients.of[p] != nil {
			set |= rollback.SetOf(p)
		}
	}
	return set
}
