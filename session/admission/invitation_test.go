package admission

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// token is one of many.
func token(n int) []byte { return fmt.Appendf(nil, "a token, number %04d", n) }

// counting is a source of numbers that are all different.
func counting(n uint64) func() uint64 { return func() uint64 { n++; return n } }

func want[T comparable](tb testing.TB, what string, got, wanted T) {
	tb.Helper()
	if got != wanted {
		tb.Errorf("%s: %v, not %v", what, got, wanted)
	}
}

// Rule: tokens are secrets of a certain length.
func TestTokensAreChecked(t *testing.T) {
	for n := range MaxToken + 3 {
		err := CheckToken(make([]byte, n))
		if ok := n >= MinToken && n <= MaxToken; (err == nil) != ok {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	want(t, "one that is too short", fmt.Sprint(CheckToken(make([]byte, 15))), "the token has 15 bytes, must have 16 to 64")
}

// Rule: a tag names the token that is valid, or was valid last; the tags of the last eight
// that were replaced are known.
func TestTags(t *testing.T) {
	var i Invitation
	want(t, "a tag without a token", i.Tag(), 0)
	want(t, "nothing is revoked", i.Revoke(), false)
	want(t, "there never was one", i.Ever(), false)
	var tags []uint64
	for n := range 12 {
		i.Invite(token(n))
		want(t, "no token is replaced", i.Replaced(0), false)
		tags = append(tags, i.Tag())
		if i.Tag() == 0 || n > 0 && tags[n] == tags[n-1] {
			t.Fatalf("%x", tags)
		}
		for k, tag := range tags {
			if got := i.Replaced(tag); got != (k < n && k >= n-maxRevoked) {
				t.Errorf("token %d of %d: replaced %v", k, n, got)
			}
		}
	}
	i.Invite(token(8))
	want(t, "the same again", i.Tag(), tags[8])
	want(t, "is not replaced", i.Replaced(tags[8]), false)
	want(t, "but the last one is", i.Replaced(tags[11]), true)
	want(t, "revoked", i.Revoke(), true)
	want(t, "the one that was revoked", i.Tag(), tags[8])
	want(t, "none is good", i.Good(), false)
	want(t, "but there was one", i.Ever(), true)
	i.Invite(token(1))
	want(t, "a tag as docs/reference/wire.md has it", i.Tag(), 0x7458a6742e52603f)
	secret := token(50)
	i.Invite(secret)
	tag := i.Tag()
	clear(secret) // it is the caller's
	want(t, "tag", i.Tag(), tag)
}

// Rule: a machine is judged by the token that it knows: the valid one, or one of the last
// eight that were revoked. A token that is valid again is no longer revoked.
func TestTokensAreJudged(t *testing.T) {
	var i Invitation
	const ours = 77
	judge := func(n int) Verdict {
		a := datagram.Attach{Nonce: 5, Players: 1, ID: 9}
		a.Prove(token(n), ours)
		return i.Judge(&a, ours)
	}
	want(t, "without a token", judge(0), Unknown)
	for n := range 10 {
		i.Invite(token(n))
		want(t, "the good one", judge(n), Invited)
		i.Revoke()
		want(t, "the same, revoked", judge(n), Revoked)
	}
	for n := range 11 {
		verdict := Revoked
		if n < 10-maxRevoked || n == 10 {
			verdict = Unknown
		}
		want(t, fmt.Sprint("token ", n), judge(n), verdict)
	}
	i.Invite(token(5))
	want(t, "good again", judge(5), Invited)
	a := datagram.Attach{Nonce: 5, Players: 1, ID: 9}
	a.Prove(token(5), ours)
	want(t, "to another nonce of ours", i.Judge(&a, ours+1), Unknown)
}
