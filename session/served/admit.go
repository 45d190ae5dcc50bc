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

// spectateMatch gives the spectators' host access to the match.
type spectateMatch struct{ *Host }

// Items returns the items that a spectator compares.
func (s spectateMatch) Items() datagram.Items { return s.admitter.items }

// Marshals reports whether the game can encode a state.
func (s spectateMatch) Marshals() bool { return s.world.Marshals() }

// Marshal appends the encoding of the newest state, and returns its number.
func (s spectateMatch) Marshal(b []byte) ([]byte, uint32, error) {
	f := s.world.Frame()
	encoded, err := s.world.Marshal(b, f)
	return encoded, uint32(f), err
}

// Hash returns nothing, since there are no newcomers that need it.
func (s spectateMatch) Hash(uint32) (uint64, uint32, bool) { return 0, 0, false }

// Admit refuses all newcomers: a player does not join by way of the spectators.
func (s spectateMatch) Admit(uint16, uint64, netip.AddrPort) string { return "this is a server" }

// Joined returns false: there are no newcomers.
func (s spectateMatch) Joined(uint16, uint64) bool { return false }

// MayJoin returns false: there are no newcomers.
func (s spectateMatch) MayJoin(uint16, uint64) bool { return false }

// welcome answers a Hello. It stores nothing about the sender.
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

// replaceAfter is how long a client must have been silent before another one at its address may replace it.
const replaceAfter = time.Second

// attach admits a machine that has proved its address.
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
		return // it was a client before, and has left
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

// sentFor is how long the sending time of a datagram is remembered: longer than any round trip.
const sentFor = 4 * time.Second

// keepInputs returns the number of ticks for which the inputs of a client are kept: as many as it can repeat
// without hearing from the server before it counts as lost.
func (c *ServerConfig) keepInputs() uint32 {
	return uint32(min(c.ticksFor(c.DropAfter+sentFor), datagram.HistoryFrames))
}

// ticksFor returns how many ticks fit in d, rounded up to a power of two.
func (c *ServerConfig) ticksFor(d time.Duration) int {
	return 1 << bits.Len64(uint64(max(d/c.nominal(), 1)))
}

// stateWindow is how many fragments of a whole state may be in flight: 300 KB per second at a round trip of 100 ms.
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
			// It has come back from another address before its loss was noticed here.
			h.remove(c, event.Lost, "it has come again from another address")
		}
	}
	if why := h.clients.crowded(&h.cfg, from); why != "" {
		h.counts.crowded++
		return why
	}
	if _, ok := h.clients.place(a.ID, PlayerSet(a.Players), h.cfg.Players, h.journal.back.awaited); !ok {
		return "all places are taken"
	}
	if doubled {
		h.counts.doubled++
	}
	return ""
}

// addClient gives a client a place.
func (h *Host) addClient(c *client) {
	c.player, _ = h.clients.place(c.id, c.wish, h.cfg.Players, h.journal.back.awaited)
	c.from, c.plays = h.sequencer.Next(), true
	if h.journal.back.arrive(c.player) {
		h.sequencer.Leave(c.player) // its counters begin anew
	}
	h.sequencer.Join(c.player, c.from)
	h.clients.of[c.player], h.clients.ids[c.player] = c, c.id
	h.journal.seat(c.player, c.id)
	h.clients.list = append(h.clients.list, c)
	c.post(h.log.told.Append([]byte{messageBegin}))
	c.post(appendPlace(nil, c.player, c.from))
	h.events.Add(Event{What: event.Joined, Players: rollback.SetOf(c.player), Frame: c.from, Text: c.pipe.Addr.String()})
	c.send(h.now, nil)
}

// remove removes a client from the match.
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

// expire removes clients that are silent, clients that do not acknowledge what is sent to them, and clients that
// know that nothing more will come.
func (h *Host) expire() {
	for _, c := range h.clients.list {
		switch {
		case c.gone != "" && c.plays: // its control stream is full
			h.remove(c, event.Lost, c.gone)
		case c.gone != "":
		case c.bye && (c.pipe.Channel.Pending() == 0 || c.silentFor(h.now) > 2*h.cfg.DropAfter):
			c.gone = "it knows, or never will"
		case !c.bye && c.silentFor(h.now) > h.cfg.DropAfter:
			why := fmt.Sprintf("silent for %v", h.cfg.DropAfter)
			h.remove(c, event.Lost, why)
			c.dismiss(h.now, why) // it may only be asleep
		}
	}
	h.clients.drop()
}
