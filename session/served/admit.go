package served

import (
	"fmt"
	"math/bits"
	"net/netip"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// spectateMatch is what a host of spectators needs to know about the match.
type spectateMatch struct{ *Host }

func (s spectateMatch) Items() datagram.Items { return s.admitter.items }

func (s spectateMatch) Marshals() bool { return s.world.Marshals() }

func (s spectateMatch) Marshal(b []byte) ([]byte, uint32, error) {
	f := s.world.Frame()
	encoded, err := s.world.Marshal(b, f)
	return encoded, uint32(f), err
}

// Hash has nothing to prove to newcomers, since there are none.
func (s spectateMatch) Hash(uint32) (uint64, uint32, bool) { return 0, 0, false }

// Admit refuses: who wants to play does not come to the spectators.
func (s spectateMatch) Admit(uint16, uint64, netip.AddrPort) string { return "this is a server" }

func (s spectateMatch) Joined(uint16, uint64) bool { return false }

func (s spectateMatch) MayJoin(uint16, uint64) bool { return false }

// welcome answers a Hello. It stores nothing.
func (h *Host) welcome(from netip.AddrPort, b []byte) {
	hello, err := datagram.ConsumeHello(b)
	if err != nil {
		h.counts.strangers++
		return
	}
	if h.phase != session.Over {
		h.admitter.welcome(h.now, from, &hello)
	}
}

// replaceAfter is how long a client must have been silent before another one from its address
// takes its place.
const replaceAfter = time.Second

// attach lets a machine in that has proved its address.
func (h *Host) attach(from netip.AddrPort, b []byte) {
	hello, err := datagram.ConsumeAttach(b, datagram.SetsOf(h.cfg.Players))
	switch {
	case err != nil:
		h.counts.strangers++
		return
	case hello.Players == 0:
		if !h.audience.Receive(h.now, from, b) {
			h.counts.strangers++
		}
		return
	}
	ours, ok := h.admitter.door.Proved(h.now, from, hello.Nonce, b)
	if !ok {
		h.counts.strangers++
		return
	}
	if c := h.clients.at(from); c != nil {
		if c.nonce == hello.Nonce || c.silentFor(h.now) < replaceAfter {
			h.counts.spent++
			return // a repeated Attach, or a delayed old one
		}
		h.remove(c, event.Lost, "another client has come from its address")
		h.clients.drop()
	}
	why, spent := h.admitter.door.Spent(hello.Nonce)
	switch {
	case spent && why == "":
		h.counts.spent++
		return // it was here and has gone
	case !spent:
		why = h.refuses(&hello, from, ours)
	}
	if why != "" {
		h.counts.refused++
		if h.out.Full() || !h.admitter.door.Answers(from, h.now) {
			return
		}
	}
	pipe := peer.NewPipe(from, ours, hello.Nonce, h.cfg.nominal(), h.now)
	pipe.LimitBackoff()
	pipe.Channel.SetWindow(stateWindow)
	pipe.Hold(h.cfg.ticksFor(sentFor))
	c := &client{pipe: pipe, out: &h.out, nonce: hello.Nonce, claim: claim{hello.ID, PlayerSet(hello.Players)}, inputs: datagram.History{Keep: h.cfg.keepInputs()}}
	if why != "" {
		h.admitter.door.Spend(hello.Nonce, why)
		c.post(refusal(why))
		c.send(h.now, nil)
		return
	}
	h.addClient(c)
}

// sentFor is for how long it is known when a datagram was sent: longer than a round trip takes.
const sentFor = 4 * time.Second

// keepInputs is of how many ticks the inputs of a client are held: of as many as it can repeat, since it
// has heard nothing, before it is lost.
func (c *ServerConfig) keepInputs() uint32 {
	return uint32(min(c.ticksFor(c.DropAfter+sentFor), datagram.HistoryFrames))
}

// ticksFor is how many ticks there are in some time, rounded up to a power of two.
func (c *ServerConfig) ticksFor(d time.Duration) int {
	return 1 << bits.Len64(uint64(max(d/c.nominal(), 1)))
}

// stateWindow is how many fragments of a whole state are in flight: 300 KB a second at a round
// trip of 100 ms.
const stateWindow = 64

// refuses returns why a machine gets no place, or "".
func (h *Host) refuses(a *datagram.Attach, from netip.AddrPort, ours uint64) string {
	if why := h.admitter.refuses(a, ours); why != "" {
		h.counts.uninvited++
		return why
	}
	if h.phase != session.Playing {
		return "the match is over"
	}
	doubled := false
	for _, c := range h.clients.list {
		switch {
		case c.id != a.ID || !c.plays:
		case c.silentFor(h.now) < replaceAfter:
			doubled = true
		default:
			// It has come back from another address, before it was lost here.
			h.remove(c, event.Lost, "it has come again from another address")
		}
	}
	h.clients.drop()
	if why := h.clients.crowded(&h.cfg, from); why != "" {
		h.counts.crowded++
		return why
	}
	if _, ok := h.clients.place(a.ID, PlayerSet(a.Players), h.cfg.Players); !ok {
		return "all places are taken"
	}
	if doubled {
		h.counts.doubled++
	}
	return ""
}

// addClient gives a client a place.
func (h *Host) addClient(c *client) {
	c.player, _ = h.clients.place(c.id, c.wish, h.cfg.Players)
	c.from, c.plays = h.sequencer.Next(), true
	h.sequencer.Join(c.player, c.from)
	h.clients.of[c.player], h.clients.ids[c.player] = c, c.id
	h.clients.list = append(h.clients.list, c)
	c.post(h.log.told.Append([]byte{messageBegin}))
	c.post(appendPlace(nil, c.player, c.from))
	h.events.Add(Event{What: event.Joined, Players: rollback.SetOf(c.player), Frame: c.from, Text: c.pipe.Addr.String()})
	c.send(h.now, nil)
}

// remove takes a client out of the match.
func (h *Host) remove(c *client, what event.What, why string) {
	if c.plays {
		c.plays = false
		h.sequencer.Leave(c.player)
		h.clients.of[c.player] = nil
		h.events.Add(Event{What: what, Players: rollback.SetOf(c.player), Frame: h.sequencer.Next(), Text: why})
	}
	c.gone = why
	h.admitter.door.Spend(c.nonce, "")
}

// expire notices clients that are silent, those that take nothing of what they are told, and those that know that nothing
// more comes.
func (h *Host) expire() {
	for _, c := range h.clients.list {
		switch {
		case c.gone != "" && c.plays: // nothing more fits into its stream
			h.remove(c, event.Lost, c.gone)
		case c.gone != "":
		case c.bye && (c.pipe.Channel.Pending() == 0 || c.silentFor(h.now) > 2*h.cfg.DropAfter):
			c.gone = "it knows, or never will"
		case !c.bye && c.silentFor(h.now) > h.cfg.DropAfter:
			why := fmt.Sprintf("silent for %v", h.cfg.DropAfter)
			h.remove(c, event.Lost, why)
			c.dismiss(h.now, why) // it may only sleep
		}
	}
	h.clients.drop()
}
