package spectate

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
)

// token is one of many.
func token(n int) []byte { return fmt.Appendf(nil, "a token, number %04d", n) }

// Rule: a revoked token admits no newcomer. A newcomer that uses it is told so, permanently, until that token or
// another one is valid again.
func TestRevokedTokens(t *testing.T) {
	h := newHall(t, Config{}, token(1))
	ask := func(n byte, with int) *visitor {
		v := h.enter(n, &JoinRequest{Players: 1, ID: uint64(n), Token: token(with)})
		h.run(700 * time.Millisecond)
		return v
	}
	a := h.audience
	want(t, "Invites", a.Invitation().Good(), true)
	in := ask(1, 1)
	want(t, "it is in", in.Attached(), true)
	a.Revoke()
	a.Revoke() // there is none any more
	want(t, "Invites", a.Invitation().Good(), false)
	want(t, "seats", len(h.seats()), 0)
	want(t, "it is still served", in.Attached(), true)
	var revoked *admission.TokenError
	v := ask(2, 1)
	if !errors.As(v.Err(), &revoked) || revoked.Reason != admission.WhyRevoked || !revoked.Revoked {
		t.Errorf("%v", v.Err())
	}
	other := ask(3, 2)
	want(t, "with another one", other.reason(), "nobody can join here")
	want(t, "it may ask again", other.Err(), nil)
	if !errors.As(in.Err(), &revoked) {
		t.Errorf("who was in: %v", in.Err())
	}
	a.Invitation().Invite(token(2))
	h.run(time.Second)
	want(t, "then", other.Attached(), true)
	if v = ask(4, 1); !errors.As(v.Err(), &revoked) {
		t.Errorf("%v", v.Err())
	}
	a.Invitation().Invite(token(1))
	want(t, "the first one again", ask(5, 1).Attached(), true)
	want(t, "and no longer the second", ask(6, 2).reason(), "the token is not that of the match")
}

// Rule: a newcomer that has joined when its token is revoked keeps its place; one that has not joined loses it after a
// second.
func TestWhoHasJoinedStays(t *testing.T) {
	for _, joined := range []bool{true, false} {
		h := newHall(t, Config{}, hallToken)
		v := h.enter(1, seat(1, 5))
		h.run(time.Second)
		h.audience.Revoke()
		h.run(500 * time.Millisecond)
		h.audience.Invitation().Invite(token(9))
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
	g := &spectator{feed: feed{newcomer: true}, newcomer: Newcomer{Players: 1}, revoked: true, revokedAt: time.Second}
	a.now = 2*time.Second - 1
	if a.expire(g); g.feed.bye {
		t.Error("it is sent away too early")
	}
	h := newHall(t, Config{}, hallToken)
	h.enter(1, seat(1, 5))
	h.run(time.Second)
	g = h.audience.crowd.list[0]
	g.revoked, g.revokedAt = true, h.audience.now-time.Second
	if h.audience.expire(g); !g.feed.bye {
		t.Error("it is sent away too late")
	}
}

// Rule: a newcomer whose token is revoked while a decision about it is under way is served until the decision, however long
// that takes, and has no place in the meantime.
func TestWhoMayStillJoinIsServed(t *testing.T) {
	for _, joins := range []bool{true, false} {
		h := newHall(t, Config{}, hallToken)
		v := h.enter(1, seat(1, 5))
		h.run(time.Second)
		h.mayJoin = true
		h.audience.Revoke()
		h.run(3 * time.Second)
		want(t, "it is told meanwhile", len(v.lost), 0)
		want(t, "it is served", v.Attached(), true)
		want(t, "seats meanwhile", len(h.seats()), 0)
		h.mayJoin, h.joined = false, joins
		h.run(200 * time.Millisecond)
		want(t, "it is told then", len(v.lost) > 0, !joins)
		want(t, "seats then", len(h.seats()) > 0, joins)
	}
}

// Rule: a host that admits no newcomer, but had a token once, still says so.
func TestAHostWithoutAnybody(t *testing.T) {
	h := newHall(t, Config{})
	v := h.enter(1, nil)
	h.run(time.Second)
	want(t, "it is answered", v.Traffic().Received > 0 || v.connection.pipe != nil, false)
	h = newHall(t, Config{}, hallToken)
	h.audience.Revoke()
	w := h.enter(1, seat(1, 5))
	h.run(time.Second)
	var revoked *admission.TokenError
	want(t, "it is told", errors.As(w.Err(), &revoked), true)
}

// Rule: a token also keeps out spectators that only watch. Spectators may have a token of their own, and any newcomer
// that may play may watch; with Open all may.
func TestTokensOfSpectators(t *testing.T) {
	match, watching, other := token(1), token(2), token(3)
	for _, c := range []struct {
		what                       string
		cfg                        Config
		match                      []byte
		none, play, watch, strange bool // who is admitted: without a token, with that of the match, with that of spectators, with another one
	}{
		{"no token at all", Config{}, nil, true, true, true, true},
		{"that of the match alone", Config{}, match, false, true, false, false},
		{"one of their own", Config{Token: watching}, match, false, true, true, false},
		{"only one of their own", Config{Token: watching}, nil, false, false, true, false},
		{"open", Config{Open: true}, match, true, true, true, true},
	} {
		c.cfg.Max = 8
		h := newHall(t, c.cfg, c.match)
		for i, v := range []struct {
			token []byte
			in    bool
		}{{nil, c.none}, {match, c.play}, {watching, c.watch}, {other, c.strange}} {
			cfg := visitorConfig(byte(i))
			cfg.Token, cfg.Timeout = v.token, 20*time.Second
			guest := h.bring(byte(i), cfg)
			h.run(time.Second)
			want(t, c.what+": it watches", guest.Attached(), v.in)
			if v.in {
				continue
			}
			var e *admission.TokenError
			h.run(tokenPatience + time.Second)
			if !errors.As(guest.Err(), &e) || e.Revoked || e.Missing != (v.token == nil) || e.Reason != admission.WhyUninvited {
				t.Errorf("%s: %v", c.what, guest.Err())
			}
			want(t, c.what+": it has got a frame", guest.frames, 0)
		}
	}
}

// Rule: a machine with another token is not turned away permanently at once, since the host may get that token a moment
// later; one with a revoked token is.
func TestATokenOnItsWay(t *testing.T) {
	h := newHall(t, Config{Max: 8}, token(1))
	bring := func(n byte, with int) *visitor {
		c := visitorConfig(n)
		c.Token, c.Timeout = token(with), 20*time.Second
		v := h.bring(n, c)
		h.run(time.Second)
		return v
	}
	early := bring(1, 2)
	want(t, "it is in", early.Attached(), false)
	want(t, "it goes on asking", early.Err(), nil)
	h.audience.Invitation().Invite(token(2))
	h.run(time.Second)
	want(t, "it is in", early.Attached(), true)
	h.audience.Revoke()
	var e *admission.TokenError
	if v := bring(2, 2); !errors.As(v.Err(), &e) || !e.Revoked {
		t.Errorf("with a revoked token: %v", v.Err())
	}
	want(t, "who was in goes on watching", early.Attached(), true)
}

// Rule: a forged refusal is not accepted: it takes the key of the attempt, and a machine that is not on the path knows
// neither half of that.
func TestAForgedRefusal(t *testing.T) {
	h := newHall(t, Config{Max: 8}, token(1))
	c := visitorConfig(1)
	c.Token = token(1)
	v := h.bring(1, c)
	forged := 0
	h.tap = func(netip.AddrPort, netip.AddrPort, []byte) bool {
		for _, nonces := range [][2]uint64{{0, 0}, {1, 2}, {v.connection.caller.Nonce + 1, v.connection.caller.Theirs}} {
			p := peer.NewPipe(v.addr, nonces[1], nonces[0], hallPeriod, h.now)
			want(h, "it is sent", p.Channel.Send(append([]byte{messageUninvited}, admission.WhyUninvited...)), nil)
			v.Receive(h.now, h.addr, p.Append(nil, h.now))
			forged++
		}
		return true
	}
	h.run(5 * time.Second)
	if forged < 10 || !v.Attached() || v.Err() != nil || v.search.hosts[0].tokenRefused != 0 || len(v.lost) != 0 {
		t.Errorf("%d forged refusals: attached %v, %v, %v", forged, v.Attached(), v.Err(), v.lost)
	}
}
