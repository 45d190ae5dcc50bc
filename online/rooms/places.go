//go:build !js

package rooms

import (
	"cmp"
	"crypto/subtle"
	"slices"
	"time"

	"github.com/tickback/tickback/session/shares"
)

// tally counts how much each prefix has, and how much of that is above its share: a client can only be displaced if
// something is.
type tally struct{ share, above int }

func (t *tally) add(count *int) {
	if *count++; *count > t.share {
		t.above++
	}
}

func (t *tally) remove(count *int) {
	if *count > t.share {
		t.above--
	}
	*count--
}

// makePlace makes a place for a new room, or returns the reason why there is none.
func (h *hub) makePlace(from shares.Origin) error {
	near, wide := h.visitors.of(from)
	most := h.cfg.RoomsPerAddress
	if near.rooms >= most && !h.dropEmpty(func(r *room) bool { return r.maker.Near == from.Near }) {
		return h.limited(limitRooms, ErrRate, "more than %d rooms from one address", most)
	}
	if most = h.budget.wideRooms; wide.rooms >= most && !h.dropEmpty(func(r *room) bool { return r.maker.Wide == from.Wide }) {
		return h.limited(limitRooms, ErrRate, "more than %d rooms from neighbouring addresses", most)
	}
	if len(h.rooms) < h.cfg.MaxRooms || h.dropHeaviestEmpty() || h.dropHeaviest(from) {
		return nil
	}
	return h.limited(limitAllRooms, ErrServerFull, "%d rooms", len(h.rooms))
}

// dropEmpty ends the room that has been without connections for longest, among those for which so returns true. It
// reports whether there was one.
func (h *hub) dropEmpty(so func(r *room) bool) bool {
	i := slices.IndexFunc(h.empty, so)
	if i < 0 {
		return false
	}
	h.stats.Displaced++
	h.drop(h.empty[i], "nobody is connected, and its place is needed")
	return true
}

// dropHeaviestEmpty is like dropEmpty, for the rooms of the prefix that has most rooms without connections.
func (h *hub) dropHeaviestEmpty() bool {
	if len(h.empty) == 0 {
		return false
	}
	count := func(r *room) int {
		_, wide := h.visitors.of(r.maker)
		return wide.empty
	}
	most := slices.MaxFunc(h.empty, func(a, b *room) int { return cmp.Compare(count(a), count(b)) })
	return h.dropEmpty(func(r *room) bool { return r.maker.Wide == most.maker.Wide })
}

// dropHeaviest ends the newest room of the prefix that has most rooms, if their number is above its share and greater
// than the newcomer's.
func (h *hub) dropHeaviest(from shares.Origin) bool {
	if h.made.above == 0 {
		return false
	}
	holder := func(o shares.Origin) shares.Holder {
		near, wide := h.visitors.of(o)
		return shares.Holder{Origin: o, Near: near.rooms, Wide: wide.rooms}
	}
	r := shares.Choose(func(yield func(*room, shares.Holder) bool) {
		for _, r := range h.rooms {
			owner := holder(r.maker)
			owner.Came = r.number
			if !yield(r, owner) {
				return
			}
		}
	}, holder(from), h.budget.roomShare, nil)
	if r == nil {
		return false
	}
	h.stats.Displaced++
	h.drop(r, "its place is needed for others")
	r.end(refuse(ErrExpired, "the server is full, and its place was needed for others"))
	return true
}

// attended records whether anybody is connected to a room.
func (h *hub) attended(r *room, now time.Time) {
	if slices.ContainsFunc(r.members, func(m *member) bool { return m.line != nil }) {
		h.noLongerEmpty(r)
		return
	}
	r.left = now
	h.empty = append(h.empty, r)
	_, wide := h.visitors.of(r.maker)
	if wide.empty++; wide.empty > h.budget.empty {
		h.dropEmpty(func(e *room) bool { return e.maker.Wide == r.maker.Wide })
	}
}

func (h *hub) noLongerEmpty(r *room) {
	if r.left.IsZero() {
		return
	}
	r.left = time.Time{}
	h.empty = slices.DeleteFunc(h.empty, func(e *room) bool { return e == r })
	_, wide := h.visitors.of(r.maker)
	wide.empty--
}

// grace returns how long a room without connections lasts.
func (h *hub) grace() time.Duration {
	if 2*len(h.rooms) > h.cfg.MaxRooms {
		return h.cfg.Grace / pressedGrace
	}
	return h.cfg.Grace
}

// keep adds a new room.
func (h *hub) keep(r *room) {
	h.number++
	r.number = h.number
	h.rooms[r.id] = r
	near, wide := h.visitors.of(r.maker)
	near.rooms++
	h.made.add(&wide.rooms)
	h.stats.RoomsMade++
	h.cfg.Log.Info("room made", "game", r.terms.game, "build", r.terms.build, "seats", r.terms.seats, "rooms", len(h.rooms))
}

// drop removes a room.
func (h *hub) drop(r *room, why string) {
	h.noLongerEmpty(r)
	delete(h.rooms, r.id)
	for _, id := range r.former {
		delete(h.former, id)
	}
	near, wide := h.visitors.of(r.maker)
	near.rooms--
	h.made.remove(&wide.rooms)
	h.cfg.Log.Info("room ended", "game", r.terms.game, "why", why, "matches", r.round.number, "rooms", len(h.rooms))
}

// maxFormer is the maximum number of earlier IDs by which a room can be found; the oldest are dropped. A member who is
// away during more kicks than that has to be invited again.
const maxFormer = 16

// renew changes the ID of a room, and so its link, since a kicked member knows the current one. Members come back with
// their secret.
func (h *hub) renew(r *room) {
	if len(r.former) == maxFormer {
		delete(h.former, r.former[0])
		r.former = slices.Delete(r.former, 0, 1)
	}
	delete(h.rooms, r.id)
	r.former = append(r.former, r.id)
	h.former[r.id] = r
	r.id = newID()
	h.rooms[r.id] = r
}

// find returns the room that a first message is for. Only members can find it by an earlier ID, since they may not
// have received the new one yet.
func (h *hub) find(q *request) (*room, error) {
	if r := h.rooms[q.Room]; r != nil {
		return r, nil
	}
	r := h.former[q.Room]
	switch {
	case r == nil:
		return nil, &Error{ErrGone, ""}
	case q.Kind == kindRejoin && (r.bySecret(q.Secret) != nil || r.departures.hasKicked(q.Secret)):
		return r, nil
	}
	return nil, refuse(ErrGone, "its link was renewed after a kick: ask for the new one")
}

// bySecret returns the member that a ticket is for, or nil.
func (r *room) bySecret(secret string) *member {
	i := slices.IndexFunc(r.members, func(m *member) bool { return subtle.ConstantTimeCompare([]byte(m.secret), []byte(secret)) == 1 })
	if i < 0 {
		return nil
	}
	return r.members[i]
}
