package spectate

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// token is one of many.
func token(n int) []byte { return fmt.Appendf(nil, "a token, number %04d", n) }

// Rule: a token that is revoked lets no newcomer in. A newcomer that uses it is told so,
// for good, until that token or another one is valid again.
func TestRevokedTokens(t *testing.T) {
	h := newHall(t, Config{}, token(1))
	ask := func(n byte, with int) *visitor {
		v := h.enter(n, &Seat{Players: 1, ID: uint64(n), Token: token(with)})
		h.run(700 * time.Millisecond)
		return v
	}
	a := h.audience
	want(t, "Invites", a.Invites(), true)
	in := ask(1, 1)
	want(t, "it is in", in.Attached(), true)
	a.Revoke()
	a.Revoke() // there is none any more
	want(t, "Invites", a.Invites(), false)
	want(t, "seats", len(h.seats()), 0)
	want(t, "it is still served", in.Attached(), true)
	var revoked *RevokedError
	v := ask(2, 1)
	if !errors.As(v.Err(), &revoked) || revoked.Reason != whyRevoked {
		t.Errorf("%v", v.Err())
	}
	other := ask(3, 2)
	want(t, "with another one", other.reason(), "nobody can join here")
	want(t, "it may ask again", other.Err(), nil)
	if !errors.As(in.Err(), &revoked) {
		t.Errorf("who was in: %v", in.Err())
	}
	a.Invite(token(2))
	h.run(time.Second)
	want(t, "then", other.Attached(), true)
	if v = ask(4, 1); !errors.As(v.Err(), &revoked) {
		t.Errorf("%v", v.Err())
	}
	a.Invite(token(1))
	want(t, "the first one again", ask(5, 1).Attached(), true)
	want(t, "and no longer the second", ask(6, 2).reason(), "the token is not that of the match")
}

// Rule: a newcomer that has joined when its token is revoked keeps its place; one that has
// not joined loses it after a second.
func TestWhoHasJoinedStays(t *testing.T) {
	for _, joined := range []bool{true, false} {
		h := newHall(t, Config{}, hallToken)
		v := h.enter(1, seat(1, 5))
		h.run(time.Second)
		h.audience.Revoke()
		h.run(500 * time.Millisecond)
		h.audience.Invite(token(9))
		h.audience.Revoke() // it has no second more
		want(t, "seats", len(h.seats()), 0)
		h.joined = joined
		h.run(480 * time.Millisecond)
		want(t, "it is told", len(v.lost), 0)
		h.run(80 * time.Millisecond)
		want(t, "it is told then", len(v.lost) > 0, !joined)
		want(t, "seats then", len(h.seats()) > 0, joined)
		h.run(2 * time.Second)
		want(t, "it is there", v.Attached(), joined)
		h.audience.Revoke() // nothing is good that could be revoked
		want(t, "seats, still", len(h.seats()) > 0, joined)
		if twin := h.enter(2, seat(1, 6)); joined { // it proves the revoked one, and has joined
			h.run(time.Second)
			want(t, "it may come again", twin.Attached(), true)
		}
	}
	a := newHall(t, Config{}, hallToken).audience
	g := &guest{seat: Seated{Players: 1}, revoked: true, revokedAt: time.Second}
	a.now = 2*time.Second - 1
	if a.expire(g); g.bye {
		t.Error("it is sent away too early")
	}
	h := newHall(t, Config{}, hallToken)
	h.enter(1, seat(1, 5))
	h.run(time.Second)
	g = h.audience.guests[0]
	g.revoked, g.revokedAt = true, h.audience.now-time.Second
	if h.audience.expire(g); !g.bye {
		t.Error("it is sent away too late")
	}
}

// Rule: a host that lets no newcomer in, but had a token once, still says so.
func TestAHostWithoutAnybody(t *testing.T) {
	h := newHall(t, Config{})
	v := h.enter(1, nil)
	h.run(time.Second)
	want(t, "it is answered", v.Traffic().Received > 0 || v.pipe != nil, false)
	h = newHall(t, Config{}, hallToken)
	h.audience.Revoke()
	w := h.enter(1, seat(1, 5))
	h.run(time.Second)
	var revoked *RevokedError
	want(t, "it is told", errors.As(w.Err(), &revoked), true)
}
