package classic_test

import (
	"encoding/binary"
	"iter"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/tickback/tickback/games/duel"
)

// rawPeer is a side written from the description of the protocol alone, with its
// own reading and writing of bytes. It does not predict: it makes inputs as fast as
// it may, and simulates what it knows.
type rawPeer struct {
	host        bool
	eager       bool // a joiner that plays from the ACK on
	quiet       bool // sends no checksums
	to          netip.AddrPort
	frames      int
	rng         *rand.Rand
	held        uint16
	own, theirs []uint16
	acked       int // own inputs that the other side has
	playing     bool
	heardACK    bool
	heardPlay   bool
	tick, speak time.Duration // when next
	overAt      time.Duration
	done        bool
	out         [][]byte

	state   duel.State
	stepped int
	sums    []uint32       // of the state before each frame that is known
	claims  map[int]uint32 // checksums that the other side sent
	garbage int
}

func newRawPeer(seed uint64, host bool, to netip.AddrPort, frames int) *rawPeer {
	state, err := duel.New(1)
	if err != nil {
		panic(err)
	}
	return &rawPeer{host: host, to: to, frames: frames, rng: rand.New(rand.NewPCG(seed, 3)), state: state, claims: map[int]uint32{}}
}

func (p *rawPeer) Done() bool { return p.done }

func (p *rawPeer) Outgoing() iter.Seq2[netip.AddrPort, []byte] {
	return func(yield func(netip.AddrPort, []byte) bool) {
		for _, b := range p.out {
			yield(p.to, b)
		}
		p.out = nil
	}
}

func (p *rawPeer) say(text string) { p.out = append(p.out, []byte(text)) }

func (p *rawPeer) play(now time.Duration) {
	if !p.playing {
		p.playing, p.tick = true, now
	}
}

func (p *rawPeer) Receive(now time.Duration, _ netip.AddrPort, b []byte) {
	switch text := string(b); {
	case text == "HELLO" && p.host:
		p.say("ACK")
	case text == "ACK" && !p.host && !p.heardPlay:
		p.heardACK = true
		p.say("START")
		if p.eager {
			p.play(now)
		}
	case text == "START" && p.host:
		p.play(now)
	case len(b) >= 17 && text[:4] == "RBN1" && (p.host || p.heardACK):
		p.heardPlay = true
		p.play(now)
		p.packet(b)
	default:
		p.garbage++
	}
}

func (p *rawPeer) packet(b []byte) {
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	at := 15
	if b[4] != 1 || b[5]&^1 != 0 || b[10] < 1 || b[10] > 32 || len(b) != 15+8*int(b[5])+2*int(b[10]) {
		p.garbage++
		return
	}
	if b[5] == 1 {
		p.claims[u32(15)] = uint32(u32(19))
		at += 8
	}
	if a := int(int32(u32(11))); a != -1 {
		p.acked = max(p.acked, a+1)
	}
	for i := range int(b[10]) {
		if f := u32(6) + i; f == len(p.theirs) && f < p.frames {
			p.theirs = append(p.theirs, binary.LittleEndian.Uint16(b[at+2*i:]))
		}
	}
	p.simulate()
}

func (p *rawPeer) simulate() {
	for p.stepped < min(len(p.own), len(p.theirs)) {
		f := p.stepped
		in := [2]duel.Input{duel.Input(p.theirs[f]), duel.Input(p.own[f])}
		if p.host {
			in[0], in[1] = in[1], in[0]
		}
		p.sums = append(p.sums, duel.Checksum(&p.state))
		duel.Step(&p.state, in)
		p.stepped++
	}
}

func (p *rawPeer) Advance(now time.Duration) time.Duration {
	if !p.host && !p.heardPlay && now >= p.speak {
		if p.speak = now + 500*time.Millisecond; p.heardACK {
			p.say("START")
		} else {
			p.say("HELLO")
		}
	}
	for p.playing && !p.done && now >= p.tick {
		p.period(now)
		p.tick += time.Second / 60
	}
	return now // again and again
}

func (p *rawPeer) period(now time.Duration) {
	if len(p.own) < p.frames && len(p.own)-p.acked < 32 {
		if p.rng.IntN(6) == 0 {
			p.held = uint16(p.rng.Uint32())
		}
		p.own = append(p.own, p.held)
		p.simulate()
	}
	if p.overAt == 0 && len(p.theirs) == p.frames && p.acked == p.frames {
		p.overAt = now
	}
	if p.overAt != 0 && now >= p.overAt+time.Second {
		p.done = true
		return
	}
	p.out = append(p.out, p.bytes())
}

func (p *rawPeer) bytes() []byte {
	first := min(p.acked, len(p.own)-1)
	b := []byte("RBN1\x01\x00")
	b = binary.LittleEndian.AppendUint32(b, uint32(first))
	b = append(b, byte(len(p.own)-first))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(p.theirs)-1))
	if n := len(p.sums); n > 0 && !p.quiet {
		b[5] = 1
		b = binary.LittleEndian.AppendUint32(b, uint32(n-1))
		b = binary.LittleEndian.AppendUint32(b, p.sums[n-1])
	}
	for _, in := range p.own[first:] {
		b = binary.LittleEndian.AppendUint16(b, in)
	}
	return b
}
