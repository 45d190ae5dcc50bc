package session

import (
	"errors"
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// How somebody joins a match that is played:
//
//  1. It asks a machine of the match for a place, as a spectator with a token, and is
//     sent a state and what is agreed from there on.
//  2. It is told who plays, and they are told of it. They connect to each other.
//  3. When it has nearly caught up, it tells all of them from where on it needs inputs,
//     which come again in every datagram, and goes on with agreed frames only, so that
//     it is never ahead of the frame with which it begins.
//  4. The log says with which. From then on it is a peer like the others; what those
//     have done who have left before, it still has from the machine that it asked.

// joining is how far we are.
type joining struct {
	id      uint64
	viewer  *spectate.Viewer
	reader  agreed.Reader
	reading bool
	loaded  bool // the state from which we go on is here
	marked  bool // the chain is known
	told    membership.State
	known   bool // who plays is
	direct  bool // inputs come from the players
	since   time.Duration
	at      Frame // that we begin with; NoFrame is not known yet
	agreed  Frame // as the stream says
}

// maxFollow is how many frames are run in a call to catch up.
const maxFollow = 240

// nearly is how far behind what is agreed we may be to go on by ourselves.
const nearly = 60

// beginJoining sets up the way into a match.
func (m *Machine) beginJoining() {
	c := &m.cfg
	j := &joining{id: c.Random() | 1, at: NoFrame}
	m.out.Most = spectate.MaxOutgoing + maxOutgoing
	j.viewer = spectate.NewViewer(spectate.ViewerConfig{
		Hosts: c.Join.Hosts, Compare: m.compareHost, Period: m.nominal, Random: c.Random,
		Timeout: c.ConnectTimeout, Drop: c.DropAfter, MaxState: c.Join.MaxState,
		Out:  &m.out,
		Seat: &spectate.Seat{Players: byte(c.Local), ID: j.id, Token: c.Join.Token},
	})
	m.joining = j
}

// observing reports whether we do not play yet.
func (m *Machine) observing() bool { return m.joining != nil && m.joining.at == NoFrame }

// compareHost returns why a match cannot be joined.
func (m *Machine) compareHost(_ netip.AddrPort, version byte, theirs *datagram.Items) error {
	return m.differs(PlayerSet(theirs.Own), version, theirs)
}

// join goes on with it, and returns when to call again.
func (m *Machine) join() (next time.Duration) {
	j := m.joining
	if j.direct {
		m.settleIn()
	}
	if m.phase == Over || m.joining == nil {
		return m.now + m.nominal
	}
	next = j.viewer.Update(m.now)
	for _, n := range j.viewer.News() {
		e := Event{What: Connected, Text: n.Addr.String()}
		if !n.Found {
			e = Event{What: Lost, Text: n.Addr.String() + ": " + n.Why.Error()}
		}
		m.events.add(e)
	}
	m.follow()
	for b, ok := j.viewer.Seat(); ok; b, ok = j.viewer.Seat() {
		m.meet(b)
	}
	next = min(next, m.approach())
	if !j.direct {
		m.goDirect()
	}
	if err := j.viewer.Err(); err != nil && m.joining != nil && m.phase != Over {
		m.fail(joinError(err)) // also if we have begun, since something may be missing
	}
	return next
}

// approach gets in touch with those who play, and returns when to call again.
func (m *Machine) approach() (next time.Duration) {
	next = m.now + m.nominal
	for _, l := range m.links {
		if l.state != connecting && !l.doubtful() {
			continue
		}
		if m.now >= l.attempts.next {
			m.sendHello(l)
		}
		next = min(next, l.attempts.next)
	}
	return next
}

// settleIn waits for the frame with which we begin, until we have all that was done
// before.
func (m *Machine) settleIn() {
	j := m.joining
	switch {
	case j.at != NoFrame && m.sim.Confirmed() >= min(j.at, m.match.limit):
		j.viewer.Leave()
		m.joining = nil
	case j.at == NoFrame && m.now-j.since > m.cfg.ConnectTimeout:
		m.fail(&TimeoutError{m.cfg.Local, "a place in the match", m.now - j.since})
	}
}

// joinError is why nobody lets us in.
func joinError(err error) error {
	var mismatch *MismatchError
	if errors.As(err, &mismatch) {
		return mismatch
	}
	return err
}

// follow takes what has come of the match.
func (m *Machine) follow() {
	j := m.joining
	for n := 0; n < maxFollow; {
		i := j.viewer.Front()
		if i == nil || m.phase == Over {
			return
		}
		if j.direct && j.agreed > m.frame && j.agreed+Frame(i.Count) > m.frame+m.ahead {
			return // there is no room for so many: first run those that are here
		}
		err := m.take(i)
		n += max(i.Count, 1)
		j.viewer.Pop()
		if err != nil && j.direct {
			m.fail(err) // there is no way back to a state
			return
		}
		if err != nil {
			m.events.add(Event{What: Lost, Text: err.Error()})
			j.viewer.Reject(err, 0, 0)
			j.reading, j.loaded, j.marked = false, false, false
			return
		}
	}
}

// take takes an item of the stream.
func (m *Machine) take(i *spectate.Item) error {
	j := m.joining
	switch {
	case j.direct && (i.Begin != nil || i.State != nil):
		return &JoinError{"nobody has the frames any more that are missing here"}
	case i.Begin != nil:
		return m.beginAt(i.Begin)
	case i.State != nil:
		if err := m.sim.load(Frame(i.Frame), i.State); err != nil {
			return err
		}
		m.frame, m.captured, j.loaded = Frame(i.Frame), Frame(i.Frame), true
		return nil
	case i.From:
		if i.Frame > uint32(m.frame) {
			return agreed.ErrGap
		}
		j.reading, j.loaded = true, true
		return j.reader.Init(agreed.Shape{Players: m.cfg.Players, InputSize: m.sim.inputSize(), MaxOrders: m.cfg.MaxOrders}, i.Frame)
	case i.End != nil:
		m.fail(&JoinError{"the match has ended"})
		return nil
	case !j.reading:
		return agreed.ErrGap
	}
	b := i.Frames
	for range i.Count {
		f, rest, err := j.reader.Read(b)
		if err != nil {
			return err
		}
		if b = rest; Frame(f.Number) < m.frame {
			continue
		}
		if err := m.feedOrSupply(f); err != nil {
			return err
		}
	}
	return nil
}

// JoinError says why a match cannot be joined.
type JoinError struct{ Why string }

// Error gives the reason.
func (e *JoinError) Error() string { return "the match cannot be joined: " + e.Why }

// beginAt makes state 0 of the match that is played.
func (m *Machine) beginAt(o *datagram.Offer) error {
	p := parametersOf(o)
	if err := p.check(); err != nil {
		return err
	}
	if err := m.set(o.Match, p); err != nil {
		return err
	}
	if state, err := m.sim.Hash(); err == nil && o.State != 0 && state != o.State {
		return &MismatchError{0, "hash of state 0 of the match", quote(hex(state)), quote(hex(o.State))}
	}
	offer := *o
	offer.Data = append([]byte(nil), o.Data...)
	m.lobby.offer, m.lobby.accepted, m.lobby.ready = &offer, true, true
	if m.phase == Connecting {
		m.enterStarting()
	}
	return nil
}

// feedOrSupply takes an agreed frame, of which the players may have told us a part.
func (m *Machine) feedOrSupply(f *agreed.Frame) error {
	j := m.joining
	if !j.direct {
		return m.feed(f)
	}
	fresh := m.observing() && Frame(f.Number) >= j.agreed // who comes and goes later, the log says
	j.agreed = max(j.agreed, Frame(f.Number)+1)
	size := m.sim.inputSize()
	for p := range Player(m.cfg.Players) {
		h := &m.history[p]
		if here, err := m.seated(p, f, fresh); err != nil {
			return err
		} else if !here {
			continue
		}
		input := f.Inputs[int(p)*size : (int(p)+1)*size]
		if h.Next() == f.Number {
			h.Push(input)
		}
		var orders []byte
		if f.Orders != nil {
			orders = f.Orders[p]
		}
		if err := m.sim.receive(p, Frame(f.Number), input, orders); err != nil {
			return err
		}
	}
	return nil
}

// seated has a player there, or not, in a frame as the stream says, if it says so for the
// first time; and reports whether it is there and its input is still missing.
func (m *Machine) seated(p Player, f *agreed.Frame, fresh bool) (missing bool, err error) {
	at, next := Frame(f.Number), m.sim.Next(p)
	switch gone := f.Gone>>p&1 != 0; {
	case fresh && gone && next == at:
		return false, m.sim.Disconnect(p, at)
	case gone || m.cfg.Local.Has(p):
		return false, nil
	case fresh && next == NoFrame:
		m.history[p].Start(m.sim.inputSize(), f.Number, nil)
		return true, m.sim.Connect(p, at)
	}
	return next == at, nil
}

// foresee has those leave and come of whom the log says so, and the stream not yet.
func (m *Machine) foresee() error {
	known := max(m.joining.agreed, m.frame)
	for p, a := range m.core.State().Absent[:m.cfg.Players] {
		p := Player(p)
		if m.cfg.Local.Has(p) {
			continue
		}
		if a.From != NoFrame && a.From >= known && m.sim.Next(p) != NoFrame {
			if err := m.sim.Disconnect(p, a.From); err != nil {
				return err
			}
		}
		if a.Back != NoFrame && a.Back >= known && m.sim.Next(p) == NoFrame {
			m.history[p].Start(m.sim.inputSize(), uint32(a.Back), nil)
			if err := m.sim.Connect(p, a.Back); err != nil {
				return err
			}
		}
	}
	return nil
}

// feed runs an agreed frame.
func (m *Machine) feed(f *agreed.Frame) error {
	j := m.joining
	if err := m.sim.feed(f, m.recorder); err != nil {
		return err
	}
	m.frame = m.sim.Frame()
	size := m.sim.inputSize()
	for p := range m.cfg.Players {
		if h := &m.history[p]; f.Gone>>p&1 == 0 {
			if h.Next() < f.Number || j.restarted(h, f.Number) {
				h.Start(size, f.Number, nil)
			}
			if h.Next() == f.Number {
				h.Push(f.Inputs[p*size : (p+1)*size])
			}
		}
	}
	if !f.Marked {
		return nil
	}
	j.viewer.Marked(f.Number+1, f.Mark.Chain)
	if ours, err := m.sim.Hash(); err == nil && f.Mark.Hash != 0 && ours != f.Mark.Hash {
		return errors.New("the states of the match come out otherwise here")
	}
	c, at := &m.chain, Frame(f.Number+1)
	c.value, c.last = f.Mark.Chain, f.Mark.Hash
	if j.marked = true; f.Mark.Hash != 0 {
		c.hashed = at
	}
	c.links[at/Frame(m.cfg.ChainEvery)%chainLinks] = chainLink{at, c.value}
	return nil
}

// restarted reports whether a history is from before the state that was loaded.
func (j *joining) restarted(h *datagram.History, f uint32) bool { return !j.direct && h.Next() > f }

// meet takes in who plays.
func (m *Machine) meet(b []byte) {
	j := m.joining
	if len(b) < 4 || le.Uint32(b) != m.match.number {
		return
	}
	s, b, err := membership.ConsumeState(b[4:])
	if err != nil || len(b) == 0 || s.All()&m.cfg.Local != 0 || s.All()&^m.everybody() != 0 {
		return
	}
	list := []Peer{{Players: PlayerSet(b[0]), Addr: j.viewer.Host()}}
	for b = b[1:]; len(b) > 0 && len(list) <= maxPlayers; {
		p := Peer{Players: PlayerSet(b[0])}
		var ok bool
		if p.Addr, b, ok = consumeAddr(b[1:]); !ok {
			return
		}
		list = append(list, p)
	}
	var all PlayerSet
	for _, p := range list {
		if !s.Has(p.Players) || all&p.Players != 0 {
			return
		}
		all |= p.Players
	}
	if all != s.All() {
		return
	}
	if j.direct {
		m.locate(list)
		return
	}
	j.told, j.known = s, true
	for _, p := range list {
		j.viewer.AddHost(p.Addr)
	}
	m.acquaint(list)
}

// locate learns where those are who have joined since we go on by ourselves: the log
// does not say it.
func (m *Machine) locate(list []Peer) {
	for _, p := range list {
		if l := m.wayTo(p.Players); l != nil && !l.addr.IsValid() {
			l.addr, l.state, l.born, l.heard = p.Addr, connecting, m.now, m.now
		}
	}
}

// acquaint has a link to each of these, and to nobody else.
func (m *Machine) acquaint(list []Peer) {
	var links []*link
	for _, p := range list {
		var found *link
		for _, l := range m.links {
			here := l.state == connecting || l.state == connected && m.now-l.heard < m.cfg.DropAfter
			if l.players == p.Players && here && (l.addr == p.Addr || l.state == connected) {
				found = l
			}
		}
		if found == nil {
			l, err := m.newLink(p)
			if err != nil {
				return
			}
			l.born, l.heard, l.aside, l.follows = m.now, m.now, true, false
			found = l
		}
		links = append(links, found)
		for _, q := range found.list {
			m.at[q] = found
		}
	}
	m.links = links
}

// goDirect goes on by ourselves, if everything is here for it.
func (m *Machine) goDirect() {
	j := m.joining
	if j.direct || !j.loaded || !j.marked || !j.known || m.phase != Starting || j.viewer.Live() > uint32(m.frame)+nearly {
		return
	}
	for _, l := range m.links {
		if l.state != connected || l.doubtful() {
			return
		}
	}
	for _, a := range j.told.Absent[:m.cfg.Players] {
		if a.From != NoFrame && a.From > m.frame {
			return // what somebody has done who has left, only the stream has; it may have been one of us
		}
	}
	m.core = membership.New(m.cfg.Local, j.told, roster{m}, m.logConfig(j.id))
	if j.told.Paused {
		m.match.pausedAt, m.match.pausedSince = j.told.PausedAt, m.now
	}
	j.direct, j.since = true, m.now
	for _, l := range m.links {
		l.follows = true
	}
	m.phase = Playing
	m.match.nextSlot, m.match.began, m.match.over = m.now, m.now, 0
	m.chooseDelay()
	m.events.add(Event{What: Started, Match: m.match.number, Frame: m.frame})
}

// joined makes us a player.
func (m *Machine) joined(at Frame) {
	if err := m.foresee(); err != nil {
		m.fail(err)
		return
	}
	for _, l := range m.links {
		l.aside = false
		for i := range m.local {
			l.acked[i] = uint32(at)
		}
		l.compares(at, Frame(m.cfg.ChainEvery))
	}
	m.joining.at = at
	if m.audience != nil && m.sim.marshals() {
		if err := m.audience.BeginAt(m.lobby.offer, uint32(m.sim.Agreed())); err != nil {
			m.fail(err)
			return
		}
	}
	behind := time.Duration(0)
	for _, l := range m.links {
		if l.state == connected {
			newest := Frame(m.history[l.list[0]].Next())
			behind = max(behind, time.Duration(max(newest, m.frame)-m.frame)*m.nominal+l.rtt.Smoothed/2)
		}
	}
	m.match.nextSlot = m.now - behind // it goes on where the others are
}
