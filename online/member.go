package online

import (
	"context"

	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
)

// Link returns the invitation to the room: the page's address, followed by the room. A kick changes it, which is an
// event (Changed).
func (r *Room) Link() string { return linkTo(r.page, r.client.State().Room) }

// Ticket returns the text for taking this place again after a crash or a reload of the page; see [Config]. It is a
// secret, and changes with each Link; older ones remain valid through a number of further changes.
func (r *Room) Ticket() string { return r.client.Ticket() }

// State returns the latest state of the room from the server. The caller may keep and change it.
func (r *Room) State() rooms.State { return r.client.State() }

// Me returns this member, as the server last reported it.
func (r *Room) Me() rooms.Member { return r.client.Me() }

// IsHost reports whether this member is the host, who may start a match and change the
// settings.
func (r *Room) IsHost() bool { return r.client.State().Host == r.client.You() }

// Err returns the reason why the connection to the server has ended, or nil if it has not. A match continues without
// the server, but nobody can join it then.
func (r *Room) Err() error { return r.client.Err() }

// Start begins a match of all connected members with a seat. Only the host can start one. A refusal is an event.
func (r *Room) Start() error { return r.client.Start() }

// TakeSeat takes the given seat, or any free one (nil), or gives up our seat to watch (rooms.NoSeat). A refusal is an
// event.
func (r *Room) TakeSeat(seat *int) error { return r.client.TakeSeat(seat) }

// Take takes a seat, also during a match: a free one, or one whose member is Vacant. Play then joins the match in
// that seat. A member who is present is never displaced; a member who comes back and finds the seat taken watches,
// with Taken in its state. Only members without a seat can take one; a refusal is an event.
func (r *Room) Take(seat int) error { return r.client.Take(seat) }

// Absent reports to the server that a member who is not connected to it has also left the running match, according to
// this machine's events Left, Dropped and Lost. Then its seat can soon be taken. Only the host can call it.
func (r *Room) Absent(id uint32) error { return r.client.Absent(id, r.client.State().Match) }

// Lost returns the reason why the place of Config.Ticket could not be taken again, if this is another place: a
// *rooms.TakenError, which names the member who has it now, or another error that wraps rooms.ErrMember. Otherwise it
// returns nil.
func (r *Room) Lost() error { return r.lost }

// SetSettings changes the settings of the room. Only the host can change them.
func (r *Room) SetSettings(text string) error { return r.client.SetSettings(text) }

// SetStatus shows a text about this member to the others, such as "away": at most 64 bytes.
func (r *Room) SetStatus(text string) error { return r.client.SetStatus(text) }

// Kick removes a member, who cannot come back: the room gets another link and another token, which a match opened by
// [Play] also uses. Nobody else can join from the same address either, unless a member of the room shares it. Only
// the host can kick, but not a member with a lower seat who is away. A refusal is an event. The connections to the
// member end at once, and with them its part in a match: call Kick of tickback.Match first, so that the others hardly
// have to wait.
func (r *Room) Kick(id uint32) error { return r.client.Kick(id) }

// Peers returns the state of the connections to the other members, ordered by ID.
func (r *Room) Peers() []peers.Peer {
	r.mu.Lock()
	t := r.transport
	r.mu.Unlock()
	if t == nil {
		return nil
	}
	return t.Peers()
}

// Wait waits until a match is running that has not been played here yet. It returns an error when ctx ends, or when
// the connection to the server has ended for good. It receives and discards events.
func (r *Room) Wait(ctx context.Context) error {
	for {
		for _, ok := r.Receive(); ok; _, ok = r.Receive() {
		}
		if r.Started() {
			return nil
		}
		if err := r.Err(); err != nil {
			return err
		}
		select {
		case <-r.notify:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Started reports whether a match is running that has not been played here yet.
func (r *Room) Started() bool {
	now := r.client.State().Match
	r.mu.Lock()
	defer r.mu.Unlock()
	return now != 0 && now != r.played
}
