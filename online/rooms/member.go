package rooms

import (
	"slices"
	"time"
)

// Receive returns the next event; ok is false if there is none. It never blocks.
func (c *Client) Receive() (e Event, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.inbox.take()
}

// Notify returns a channel, always the same, that gets a value when something has
// happened since the last Receive that returned false.
func (c *Client) Notify() <-chan struct{} { return c.inbox.notify }

// State returns the room as the server last reported it. The caller may keep and change it.
func (c *Client) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.place.state.clone()
}

// You returns our ID in the room.
func (c *Client) You() uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.place.you
}

// Me returns this member, as the server last reported it.
func (c *Client) Me() Member {
	c.mu.Lock()
	defer c.mu.Unlock()
	m, ok := c.place.me()
	if !ok {
		m = Member{ID: c.place.you, Seat: NoSeat}
	}
	return m
}

// Token returns the token of the room's matches, in the form that tickback.ParseToken reads, if we have a seat.
func (c *Client) Token() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.place.token
}

// Ticket returns the text with which another program, or this page after a reload, can take this place again; see
// [Entry]. It is a secret.
func (c *Client) Ticket() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.place.ticket()
}

// ICE returns the STUN and TURN servers that the room server has named.
func (c *Client) ICE() []ICEServer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.place.ice)
}

// Err returns the reason why the client has ended, or nil if it has not.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// send queues a message. It returns an error if the client is closed or away.
func (c *Client) send(q request) error {
	if err := q.check(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.err != nil:
		return c.err
	case c.out == nil:
		return refuse(ErrUnreachable, "the connection is made again")
	case !c.out.add(encode(q)):
		return refuse(ErrRate, "more than %d messages wait to be sent", maxOutbox)
	}
	return nil
}

// Signal sends data, at most MaxSignal bytes of text, to another member. It may be lost when either side is away; if
// this client is away, the error is [ErrUnreachable].
func (c *Client) Signal(to uint32, data string) error {
	return c.send(request{Kind: kindSignal, To: to, Data: data})
}

// SetSettings changes the settings of the room, at most MaxSettings bytes of text. Only the host can change them.
func (c *Client) SetSettings(text string) error {
	return c.send(request{Kind: kindSettings, Data: text})
}

// SetStatus shows a text about this member to the others, such as "away": at most MaxStatus bytes. It is sent later
// if we are not connected.
func (c *Client) SetStatus(text string) error {
	return c.remembered(request{Kind: kindStatus, Data: text})
}

// Playing reports that this member plays the match with this number, so that others can join it here. Members who
// were present when it began need not call it. It is sent later if the connection is lost.
func (c *Client) Playing(match uint32) error {
	return c.remembered(request{Kind: kindPlaying, Match: match})
}

// Ended reports that we no longer play the match with this number. It is sent later if we are not connected.
func (c *Client) Ended(match uint32) error {
	return c.remembered(request{Kind: kindEnded, Match: match})
}

// remembered sends a statement about this member, and again after a reconnect if the server has missed it.
func (c *Client) remembered(q request) error {
	if err := q.check(); err != nil {
		return err
	}
	c.mu.Lock()
	c.said.note(&q)
	c.mu.Unlock()
	if err := c.send(q); err != nil && c.Err() != nil {
		return err
	}
	return nil
}

// TakeSeat takes the given seat, or any free one (nil), or gives up our seat to watch (NoSeat). A refusal is an
// event.
func (c *Client) TakeSeat(seat *int) error { return c.send(request{Kind: kindSit, Seat: seat}) }

// Take takes a seat, also during a match: a free one, or a vacant one, whose member has been away for a while and
// plays nothing. That member watches from then on, and learns who has its seat. Only members without a seat can take
// one, and the seat of a member who is present is refused: a link does not prove an identity. A refusal is an event.
func (c *Client) Take(seat int) error { return c.send(request{Kind: kindTake, Seat: &seat}) }

// Absent reports that, according to the host's machine, a member who is not connected is not in the match with this
// number either: then its seat can become vacant. Only the host can report this. If the member is connected, nothing
// happens, because its own reports count.
func (c *Client) Absent(id, match uint32) error {
	return c.send(request{Kind: kindAbsent, To: id, Match: match})
}

// Start begins a match of all connected members with a seat. Only the host can start one. A refusal is an event.
func (c *Client) Start() error { return c.send(request{Kind: kindStart}) }

// Kick removes a member, who cannot come back: the room gets another ID, and its matches get another token, which all
// others receive. Pass it to a running match with SetToken of tickback.Match; package online does so by itself. Nobody
// else can join from the same address either, unless a member of the room shares it. Only the host can kick, but not a
// member with a lower seat who is away. A refusal is an event. The member must also be removed from its match: see
// Kick of tickback.Match.
func (c *Client) Kick(id uint32) error { return c.send(request{Kind: kindKick, To: id}) }

// closeTime is how long Close waits for a last message to be sent.
const closeTime = 2 * time.Second

// Close gives up our place, and ends the connection. When it returns, nothing of the client is running. Closing twice
// is no error.
func (c *Client) Close() error {
	c.mu.Lock()
	out := c.out
	c.leaving = true
	c.mu.Unlock()
	if out == nil {
		c.cancel()
	} else { // the server hangs up when it has read the message
		out.finish(encode(request{Kind: kindLeave}))
		defer time.AfterFunc(closeTime, c.cancel).Stop()
	}
	<-c.done
	c.cancel()
	return nil
}

// Abandon ends the connection, and keeps the place: the [Client.Ticket] can be used to come back for as long as the
// server keeps it.
func (c *Client) Abandon() {
	c.cancel()
	<-c.done
}
