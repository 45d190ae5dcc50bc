package capture_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// seats is what a host, node 0, and a newcomer, node 1, have sent each other, and what they had to send.
type seats struct {
	sent  []sentDatagram
	token []byte
	ask   spectate.JoinRequest
	rolls []string

	heard []string // rolls, read from the tables
	asked int
}

// lonely is a match without a state and without frames.
type lonely struct{}

func (lonely) Items() datagram.Items                       { return datagram.Items{Game: "seats", Players: 4, Own: 1} }
func (lonely) Marshals() bool                              { return false }
func (lonely) Marshal(b []byte) ([]byte, uint32, error)    { return b, 0, errors.New("no state") }
func (lonely) Hash(uint32) (uint64, uint32, bool)          { return 0, 0, false }
func (lonely) Admit(uint16, uint64, netip.AddrPort) string { return "" }
func (lonely) Joined(uint16, uint64) bool                  { return false }
func (lonely) MayJoin(uint16, uint64) bool                 { return false }
func anyItems(netip.AddrPort, byte, *datagram.Items) error { return nil }

// recordSeats admits a newcomer, and sends it member lists.
func recordSeats(t *testing.T) *seats {
	t.Helper()
	s := &seats{token: []byte("a secret of 20 bytes")}
	s.ask = spectate.JoinRequest{Players: 0b1010, Sets: datagram.SetsOf(4), ID: 0x1122334455667788, Token: s.token}
	s.rolls = []string{"members", "x", string(bytes.Repeat([]byte("long "), 200))}
	var cfg spectate.Config
	if err := cfg.Complete(); err != nil {
		t.Fatal(err)
	}
	out := peer.Outbox{Most: spectate.MaxOutgoing}
	host := spectate.NewHost(cfg, s.token, lonely{}, agreed.Shape{Players: 4, InputSize: 12}, time.Second/60, admission.NewGate(func() uint64 { return 5 }), &out)
	if err := host.Begin(&datagram.Offer{Match: 1}); err != nil {
		t.Fatal(err)
	}
	n := uint64(9)
	v := spectate.NewFollower(spectate.FollowerConfig{
		Hosts: []netip.AddrPort{watchedAddr(0)}, Compare: anyItems, Period: time.Second / 60, Timeout: time.Minute, Drop: time.Minute,
		Random: func() uint64 { n = n*6364136223846793005 + 1442695040888963407; return n }, Join: &s.ask,
	})
	sent := 0
	for now := time.Duration(0); now < time.Second; now += 4 * time.Millisecond {
		host.Update(now)
		v.Update(now)
		if sent < len(s.rolls) && host.Stats().Newcomers > 0 {
			host.SendMemberList(s.ask.ID, []byte(s.rolls[sent]))
			sent++
		}
		for _, b := range out.All() {
			s.sent = append(s.sent, sentDatagram{0, 1, bytes.Clone(b)})
			v.Receive(now, watchedAddr(0), bytes.Clone(b))
		}
		for _, b := range v.Outgoing() {
			s.sent = append(s.sent, sentDatagram{1, 0, bytes.Clone(b)})
			host.Receive(now, watchedAddr(1), bytes.Clone(b))
		}
	}
	return s
}

// readSeats reads it using only the tables.
func readSeats(tables tableSet, trace *seats) (w *watcher, err error) {
	w = newWatcher(tables, &watched{sent: trace.sent})
	read := &seats{token: trace.token, ask: trace.ask}
	w.guest = read
	if err := w.readAll(); err != nil {
		return nil, err
	}
	if !slices.Equal(read.heard, trace.rolls) {
		return nil, errors.New("other rolls than were sent")
	}
	if read.asked == 0 {
		return nil, errors.New("nobody has asked for a seat")
	}
	return w, nil
}

// proofOf returns the proof of a token for these nonces, for a match of at most 8 players.
func proofOf(token []byte, ours, host, id uint64, players byte) []byte {
	b := []byte("\x06TKB")
	for _, v := range []uint64{ours, host, id} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	mac := hmac.New(sha256.New, token)
	mac.Write(append(b, players))
	return mac.Sum(nil)[:16]
}

// asks is an Attach for a seat, by a newcomer with this nonce.
func (s *seats) asks(n *node, host uint64) {
	mustBe(n, "players", uint64(s.ask.Players))
	mustBe(n, "id", s.ask.ID)
	if !bytes.Equal(n.get("proof").raw, proofOf(s.token, n.num("nonce"), host, n.num("id"), byte(n.num("players")))) {
		fail("another proof")
	}
	s.asked++
}

// told handles a message.
func (s *seats) told(d sentDatagram, kind byte, n *node) {
	switch kind {
	case 1, 8:
	default:
		if d.from == 0 && kind == 9 {
			s.heard = append(s.heard, string(n.get("roll").raw))
			return
		}
		if d.from == 1 || kind != 4 {
			fail("message %d of %d", kind, d.from)
		}
		mustBe(n, "frame", 0)
	}
}

// What hosts and newcomers send matches docs/reference/wire.md, to the last byte.
func TestPageDecodesSeats(t *testing.T) {
	w, err := readSeats(parsePage(readPage(t)), recordSeats(t))
	if err != nil {
		t.Fatal(err)
	}
	if w.messages[9] != 3 || w.kinds[6] == 0 {
		t.Errorf("messages %v, kinds %v", w.messages, w.kinds)
	}
}
