package match

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/transport/udp"
)

// classicMatch is a match over RBN1.
type classicMatch[S any, I comparable] struct {
	*classic.Match[S, I]
	game   *typed[S, I]
	setup  *matchSetup
	epoch  time.Time
	buffer [udp.MaxDatagram]byte

	met, ended, desync bool
	before, after      classic.Stats // at the beginning and at the end of play
}

// joinClassic sets up this machine's part of a classic match.
func (g *typed[S, I]) joinClassic(s *matchSetup) (playing, error) {
	params := tickback.Parameters{Seed: s.terms.seed, Frames: s.terms.frames}
	init, err := g.Begin(params)
	if err != nil {
		return nil, err
	}
	def := g.Plain()
	if init != nil {
		def.Init = init
	}
	m := &classicMatch[S, I]{game: g, setup: s, epoch: time.Now()}
	play := g.player(s, s.terms.seed)
	cfg := classic.Config[S, I]{
		Game: def, Host: s.seat.host(), Peer: s.contacts.remote[0].Addr,
		Frames: s.terms.frames, TickRate: g.TickRate, Delay: s.pace.delay, Window: s.pace.window,
		Buttons: g.Classic.Buttons, Input: g.Classic.Input, Checksum: g.Checksum,
		Sample:    func(p tickback.Player) I { return play.Sample(p, m.Frame(), m.State()) },
		Handshake: s.contacts.timeout, Silence: s.contacts.drop,
	}
	if s.pace.lockstep {
		cfg.Window = -1
	}
	if m.Match, err = classic.New(cfg); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *classicMatch[S, I]) now() time.Duration { return time.Since(m.epoch) }

// maxClassicReceive limits how many datagrams are read in one turn: the maximum that the
// socket queues.
const maxClassicReceive = udp.QueueDatagrams

// Turn reads the datagrams that have arrived, runs the frames that are due, and sends datagrams. A datagram that
// cannot be sent counts as lost, so only the error of the match is returned.
func (m *classicMatch[S, I]) Turn() (wait time.Duration, over bool, err error) {
	for range maxClassicReceive {
		n, from, at, ok := m.setup.transport.Receive(m.buffer[:])
		if !ok {
			break
		}
		m.Receive(at.Sub(m.epoch), from, m.buffer[:n])
	}
	now := m.now()
	next := m.Advance(now)
	m.observe(now)
	for to, datagram := range m.Outgoing() {
		_ = m.setup.transport.Send(to, datagram) // any datagram may be lost
	}
	return max(next-m.now(), 0), m.Done(), m.Err()
}

// observe logs what has changed since the last call: who has answered, waits, and diverging states.
func (m *classicMatch[S, I]) observe(now time.Duration) {
	l, other := m.setup.log, m.setup.contacts.remote[0].Players
	switch p := m.Phase(); {
	case p < classic.Playing:
		if now > time.Second {
			l.Awaited(other, "an answer", now)
		}
	case !m.met:
		m.met, m.before = true, m.Stats()
		l.Resumed(now)
		l.Say("%s is there; the match begins: seed %d, %s", words.People(other), m.setup.terms.seed, words.Length(m.setup.terms.frames))
	case p != classic.Playing && !m.ended:
		m.ended, m.after = true, m.Stats()
	}
	// Getting the statistics involves some copying, so once a second is enough.
	if f := m.Frame(); !m.desync && (f%60 == 0 || m.ended) {
		if s := m.Stats(); s.Health == classic.Desynced {
			m.desync, l.DesyncAt = true, s.DesyncFrame
			l.Say("desync: %s had another state, at frame %d", words.People(other), s.DesyncFrame)
		}
	}
}

// Rest waits at the transport, since a classic match cannot wait by itself.
func (m *classicMatch[S, I]) Rest(d time.Duration) {
	if d > 0 {
		tickback.WaitFor(m.setup.transport, d, true)
	}
}

// Frames returns the number of the current state, which may depend on predictions.
func (m *classicMatch[S, I]) Frames() tickback.Frame { return m.Frame() }

// Picture draws the current state, which may depend on predictions.
func (m *classicMatch[S, I]) Picture() []string {
	return m.game.Screen.View(m.State(), m.setup.seat.players)
}

// Leave closes the match and the transport, and returns the error of the transport. RBN1 has no goodbye, so the
// other side is not told.
func (m *classicMatch[S, I]) Leave() error {
	m.Close()
	return m.setup.transport.Close()
}

func (m *classicMatch[S, I]) result(res *matchResult) {
	s := m.Stats()
	if !m.ended {
		m.after = s
	}
	res.ending.started, res.ending.limit, res.Seed = m.met, m.setup.terms.frames, m.setup.terms.seed
	res.Frames, res.Health = uint32(min(s.Confirmed, s.Acked)), s.Health.String()
	if sum, ok := m.Result(); ok {
		res.ending.over = true
		res.Frames, res.Checksum = uint32(m.Frame()), words.Checksum32(sum)
	}
	res.engine(s.Rollback)
	res.Stalls = s.Stalls
	res.sent(m.after.PacketsSent-m.before.PacketsSent, m.after.BytesSent-m.before.BytesSent, m.Frame())
	res.Peers = []peerResult{{
		Player: int(1-m.Local()) + 1, Address: m.Peer().String(),
		Sent: s.PacketsSent, SentBytes: s.BytesSent, Received: s.PacketsReceived, ReceivedBytes: s.BytesReceived,
	}}
}
