package spectate

import (
	"errors"
	"fmt"
	"iter"
	"net/netip"

	"github.com/tickback/tickback/wire/datagram"
)

// Seat is what a spectator asks for that wants to play itself, from some frame on: a
// newcomer, or somebody who was there before.
type Seat struct {
	// Players are those that it wants to be: bit p for player p.
	Players byte
	// ID is random, and another one in each attempt to join.
	ID uint64
	// Token shows that it may: it is the host's, [MinToken] to [MaxToken] bytes. It does
	// not travel.
	Token []byte
}

// Seated is a newcomer whom a host has let in: what it has asked for, and where it is.
type Seated struct {
	Players byte
	ID      uint64
	Addr    netip.AddrPort
}

const (
	// MaxSeats is the most newcomers at a time: as many as there can be players.
	MaxSeats = 8
	// MaxSeatMessage is the most bytes of a message from or to a newcomer.
	MaxSeatMessage = 1 << 10
	// MinToken and MaxToken bound the bytes of a token.
	MinToken, MaxToken = 16, 64

	// maxSeatQueue is how many messages wait to be taken, of each newcomer and of the
	// host, before no more of its stream is read.
	maxSeatQueue = 64
)

var (
	// ErrNoSeat is a message to somebody who is not there, or no more.
	ErrNoSeat = errors.New("nobody is there to take the message")
	// ErrSeatMessage is one that is empty, or too long.
	ErrSeatMessage = fmt.Errorf("a message has 1 to %d bytes", MaxSeatMessage)
)

// CheckToken refuses what is no token: one that is too short to be a secret, or too
// long.
func CheckToken(token []byte) error {
	if n := len(token); n < MinToken || n > MaxToken {
		return fmt.Errorf("the token has %d bytes, must have %d to %d", n, MinToken, MaxToken)
	}
	return nil
}

// seatMessage is one as it travels.
func seatMessage(b []byte) ([]byte, error) {
	if len(b) == 0 || len(b) > MaxSeatMessage {
		return nil, ErrSeatMessage
	}
	return append([]byte{messageSeat}, b...), nil
}

// Seats yields the newcomers that are let in and whose token is still good, in the order in
// which they came. [Audience.News] tells who has come or gone.
func (a *Audience) Seats() iter.Seq[Seated] {
	return func(yield func(Seated) bool) {
		for _, g := range a.guests {
			if g.seated() && g.gone == "" && !g.revoked && !yield(g.seat) {
				return
			}
		}
	}
}

// SendSeat sends a newcomer a message of 1 to [MaxSeatMessage] bytes, in order with what
// it gets of the match. The errors are [ErrNoSeat], [ErrSeatMessage], and
// reliable.ErrFull if it does not take so many: try again later.
func (a *Audience) SendSeat(id uint64, b []byte) error {
	m, err := seatMessage(b)
	if err != nil {
		return err
	}
	g := a.seatOf(id)
	if g == nil || g.bye {
		return ErrNoSeat
	}
	return g.pipe.Channel.Send(m)
}

// SeatMessages yields what newcomers have said, each in order and with its ID, and
// forgets it. The bytes are the caller's. Those of a newcomer that has gone are lost. If they are
// not taken, what a newcomer says further waits there.
func (a *Audience) SeatMessages() iter.Seq2[uint64, []byte] {
	return func(yield func(uint64, []byte) bool) {
		for _, g := range a.guests {
			for len(g.inbox) > 0 {
				b := g.inbox[0]
				if g.inbox = g.inbox[1:]; len(g.inbox) == 0 {
					g.inbox = nil
				}
				if !yield(g.seat.ID, b) {
					return
				}
			}
		}
	}
}

// Unseat sends a newcomer away: it is told why, and has gone when it knows.
func (a *Audience) Unseat(id uint64, why string) {
	if g := a.seatOf(id); g != nil && !g.bye {
		a.dismiss(g, why[:min(len(why), maxText)])
	}
}

func (g *guest) seated() bool { return g.seat.Players != 0 }

// seatOf returns the newcomer with this ID.
func (a *Audience) seatOf(id uint64) *guest {
	for _, g := range a.guests {
		if g.seated() && g.seat.ID == id && g.gone == "" {
			return g
		}
	}
	return nil
}

// seats counts the newcomers.
func (a *Audience) seats() (n int) {
	for _, g := range a.guests {
		if g.seated() && g.gone == "" {
			n++
		}
	}
	return n
}

// refusesSeat returns why a newcomer, whose address is proved, is not let in. The source is
// asked last: whom it takes is in.
func (a *Audience) refusesSeat(from netip.AddrPort, h *datagram.Attach, ours uint64) string {
	switch {
	case a.closing:
		return a.reason
	case a.invitation.knowsRevoked(h, ours):
		if !a.source.Joined(h.Players, h.ID) {
			return whyRevoked
		}
	case !a.Invites():
		return "nobody can join here"
	case !h.Proves(a.invitation.token, ours):
		return "the token is not that of the match"
	}
	if h.Players>>a.shape.Players != 0 {
		return "there are no such players"
	}
	if g := a.seatOf(h.ID); g != nil {
		if a.now-g.pipe.Heard < replaceAfter {
			return "it is here already, from another address"
		}
		g.gone = "it has come from another address"
		a.leave()
	}
	if a.seats() >= MaxSeats {
		return "there is no room for another newcomer"
	}
	why := a.source.Admit(h.Players, h.ID, from)
	return why[:min(len(why), maxText)]
}

// hears keeps a message of a newcomer. It is false for what no newcomer says.
func (g *guest) hears(b []byte) bool {
	if !g.seated() || len(b) == 0 || len(b) > MaxSeatMessage {
		return false
	}
	g.inbox = append(g.inbox, append([]byte(nil), b...))
	return true
}
