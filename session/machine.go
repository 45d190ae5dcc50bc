package session

import (
	"iter"
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// Phase is how far a session is.
type Phase uint8

const (
	// Connecting: not all peers have answered yet.
	Connecting Phase = iota
	// Lobby: all are connected, and no match is proposed; also after a match.
	Lobby
	// Starting: a match is proposed, and not all are ready.
	Starting
	// Playing: frames run.
	Playing
	// Ending: the last frame is agreed, or we leave, and the others are awaited.
	Ending
	// Over: nothing happens any more.
	Over
)

var phaseNames = [...]string{"connecting", "lobby", "starting", "playing", "ending", "over"}

// String names the phase in lower case.
func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return "unknown"
}

// Machine is the protocol of a session, whatever the game; [Session] adds the
// game.
type Machine struct {
	cfg     Config
	sim     simulation
	frame   Frame         // of the simulation
	nominal time.Duration // the tick period
	ahead   Frame         // inputs may come so many frames early
	clock
	phase     Phase
	err       error
	events    events
	lastAll   time.Duration // when all peers were sent to
	farewell  time.Duration // after an error, the others are told until then
	watched   time.Duration // when it was last looked who is awaited
	confirmed Frame         // of the simulation, for the datagrams at hand
	recorder  func(stream.Frame)
	out       peer.Outbox
	counts    counts

	eagerly           bool     // control streams are eager
	local             []Player // ascending
	links             []*link
	at                [maxPlayers]*link // where a player is; nil is here
	history           [maxPlayers]datagram.History
	orders            [maxPlayers]orderBook
	sending, received datagram.Header // of the datagrams at hand
	scratch           []byte
	message           []byte

	lobby lobby
	match match
	end   ending
	log   []Entry
	core  *membership.Core // of the match at hand; nil if all are here

	news       [maxPlayers]*link // who is to be told what the log says, by lowest player
	coreDue    time.Duration     // when it wants to be asked again
	candidates []*candidate
	introduced time.Duration // when newcomers were last told who plays
	joining    *joining      // nil for those who play

	audience *spectate.Audience // nil without spectators
	stream   stream.Stream

	evidence  desync.Evidence
	captured  Frame                 // final states up to this one have been looked at
	inquiry   *desync.Investigation // nil without peers
	inquirers int                   // links that take part in it: the first ones
}

// newMachine makes the protocol around a simulation.
func newMachine(cfg Config, sim simulation) (*Machine, error) {
	m := &Machine{cfg: cfg, sim: sim, out: peer.Outbox{Most: maxOutgoing}, nominal: time.Second / time.Duration(cfg.TickRate), ahead: cfg.ahead()}
	m.clock.most = patienceOf(m.nominal, cfg.DropAfter)
	for p := range cfg.Local.All() {
		m.local = append(m.local, p)
	}
	for _, p := range cfg.Peers {
		l, err := m.newLink(p)
		if err != nil {
			return nil, err
		}
		m.links = append(m.links, l)
		for _, p := range l.list {
			m.at[p] = l
		}
	}
	state, err := sim.Hash()
	if err != nil && len(cfg.Peers) > 0 {
		return nil, refusef("peers compare states, and this game gives none to hash: %w", err)
	}
	m.lobby.initial = state
	m.recorder, m.eagerly, m.events.observe = m.record, true, cfg.Observe
	m.seatAudience()
	m.keepEvidence()
	if cfg.Join != nil {
		m.beginJoining()
	} else if cfg.host() && !cfg.Lobby {
		if err := m.prepare(1, cfg.Match); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *Machine) newLink(p Peer) (*link, error) {
	channel, err := reliable.New(reliable.Config{Doublings: 1})
	if err != nil {
		return nil, err
	}
	channel.SetEager(true) // as in m.eagerly
	l := &link{players: p.Players}
	l.follows = true
	l.Link = peer.Link{Nonce: m.cfg.Random(), Born: beginning}
	l.Conn = peer.Conn{Addr: p.Addr, Channel: channel, Period: m.nominal}
	for p := range p.Players.All() {
		l.list = append(l.list, p)
	}
	l.send = datagram.Shape{Sender: len(m.local), Receiver: len(l.list)}
	l.receive = datagram.Shape{Sender: len(l.list), Receiver: len(m.local)}
	return l, nil
}

// Phase returns how far the session is.
func (m *Machine) Phase() Phase { return m.phase }

// Err returns why the session is over: [ErrClosed] if it was left, one of the
// typed errors of this package, or that of the engine.
func (m *Machine) Err() error { return m.err }

// Events returns what has happened since the last call. The events are the
// session's, valid until the next call; Data is the application's for good.
func (m *Machine) Events() []Event { return m.events.take() }

// begin sets the clock, the first time.
func (m *Machine) begin(now time.Duration) {
	if !m.clock.start(now) {
		return
	}
	for _, l := range m.links {
		l.Heard = beginning
		l.HelloAt(beginning)
	}
	m.lobby.since = beginning
}

// wake moves the time on: its owner has asked for an update.
func (m *Machine) wake(now time.Duration) {
	m.begin(now)
	m.clock.update(now)
}

// maxOutgoing bounds the datagrams that wait to be taken: eight for each of eight
// peers. Their owner takes them after every call, so that it is never reached.
const maxOutgoing = 64

// Outgoing yields the datagrams to send, each with its destination, and forgets
// them. The bytes are the session's, valid until its next call.
func (m *Machine) Outgoing() iter.Seq2[netip.AddrPort, []byte] { return m.out.All() }

// Poll does everything but run frames: it keeps connections alive, sends again
// what was lost, and notices who is silent. It returns when to call it again at
// the latest.
func (m *Machine) Poll(now time.Duration) (next time.Duration) {
	m.wake(now)
	return m.poll() + m.epoch
}

func (m *Machine) poll() (next time.Duration) {
	if m.phase == Over {
		m.goodbye()
		return min(m.serve(), m.now+m.nominal)
	}
	m.watch()
	joining := m.now + time.Hour
	if m.joining != nil {
		joining = m.join()
	}
	switch m.phase {
	case Connecting, Lobby, Starting:
		if m.joining == nil {
			m.assemble()
		}
		m.inquire()
	case Playing, Ending:
		m.progress()
	}
	m.flush()
	return min(m.nextPoll(), m.serve(), joining)
}

// Update is Poll, and runs the frames that are due: usually none or one, after a
// pause up to 8 in a call and 30 in all. It returns when the next one is due.
func (m *Machine) Update(now time.Duration) (next time.Duration) {
	m.wake(now)
	if m.phase != Playing {
		if next = m.poll(); m.phase != Playing {
			return next + m.epoch
		}
	}
	m.watch()
	if m.joining != nil {
		m.join()
	}
	if m.phase == Playing && m.match.schedule.Blocked() && !m.held() {
		m.run() // what it waited for may have come
	}
	slots := 0
	m.match.schedule.Forgive(m.now)
	for ; m.now >= m.match.schedule.Next() && slots < maxCatchUp && m.phase == Playing; slots++ {
		m.slot(m.match.schedule.Take(m.period()))
	}
	m.progress()
	if slots > 0 {
		m.adaptDelay()
		m.sendAll()
	} else {
		m.flush()
	}
	return min(m.match.schedule.Next(), m.nextPoll(), m.serve()) + m.epoch
}

// Step is Poll, and runs the next frame, if it can run: for an owner who calls it
// once for every frame and keeps the time. It returns how long the period until
// the next call should be: the nominal one, or a few percent more or less to keep
// pace with the peers.
func (m *Machine) Step(now time.Duration) (period time.Duration) {
	m.wake(now)
	m.lastAll = max(m.lastAll, m.now-m.nominal) // what poll would send is sent below
	if m.poll(); m.phase != Playing {
		return m.nominal
	}
	period = m.period()
	m.match.schedule.SetNext(m.now + period)
	m.slot(m.now)
	m.progress()
	m.adaptDelay()
	m.sendAll()
	m.serve()
	return period
}

// fail ends the session. Those who are still there are told why.
func (m *Machine) fail(err error) {
	if m.phase == Over {
		return
	}
	m.enterOver(err)
	m.farewell = m.now + m.cfg.Linger
	m.eager(true)
	for _, l := range m.links {
		if l.state == connected {
			m.sayGoodbye(l)
		}
	}
}

// Urgent reports whether a call of Update may get on before it is due: a frame
// waits for what may have come, or a match is about to start or to end.
func (m *Machine) Urgent() bool { return m.phase != Playing || m.idle() }

// Progress returns how much of the present tick period has passed: for drawing
// between two states.
func (m *Machine) Progress(now time.Duration) (passed, period time.Duration) {
	if m.phase != Playing || m.match.stalls.Stalled() || m.idle() {
		return m.nominal, m.nominal
	}
	return m.match.schedule.Progress(m.internal(now)), m.nominal
}

// idle reports whether no frame runs in this tick period, unless something
// arrives.
func (m *Machine) idle() bool { return m.match.schedule.Blocked() || m.held() }
