package admission

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tickback/tickback/wire/datagram"
)

// MinToken and MaxToken are the minimum and maximum size of a token in bytes.
const MinToken, MaxToken = 16, 64

// CheckToken rejects tokens that are too short to be a secret, or too long.
func CheckToken(token []byte) error {
	if n := len(token); n < MinToken || n > MaxToken {
		return fmt.Errorf("the token has %d bytes, must have %d to %d", n, MinToken, MaxToken)
	}
	return nil
}

// maxRevoked is how many revoked tokens are remembered: the newest ones.
const maxRevoked = 8

// Invitation holds the valid token, and earlier ones. A machine that proves a revoked token is told that it was
// revoked, but gets no closer to a place. The zero value has no token.
type Invitation struct {
	token    []byte   // nil if nobody is admitted
	revoked  [][]byte // tokens that were revoked
	replaced []uint64 // tags of tokens that were replaced by another one
}

// Verdict says what a machine has proved about tokens.
type Verdict byte

// What a machine has proved.
const (
	Unknown Verdict = iota // it knows none of ours
	Invited                // it knows the valid one
	Revoked                // it knows one that was revoked
)

// Judge returns what a machine has proved in an Attach that answers our nonce.
func (i *Invitation) Judge(h *datagram.Attach, ours uint64) Verdict {
	switch {
	case slices.ContainsFunc(i.revoked, func(t []byte) bool { return h.Proves(t, ours) }):
		return Revoked
	case i.Good() && h.Proves(i.token, ours):
		return Invited
	}
	return Unknown
}

// Invite makes this token the valid one; it may have been revoked before. It must pass [CheckToken], and replaces
// the previous token.
func (i *Invitation) Invite(token []byte) {
	if tag := i.Tag(); tag != 0 {
		if i.replaced = append(i.replaced, tag); len(i.replaced) > maxRevoked {
			i.replaced = i.replaced[1:]
		}
	}
	i.token = slices.Clone(token)
	i.replaced = slices.DeleteFunc(i.replaced, func(tag uint64) bool { return tag == i.Tag() })
	i.revoked = slices.DeleteFunc(i.revoked, func(t []byte) bool { return bytes.Equal(t, token) })
}

// Revoke revokes the valid token, and reports whether there was one.
func (i *Invitation) Revoke() bool {
	if !i.Good() {
		return false
	}
	if i.revoked = append(i.revoked, i.token); len(i.revoked) > maxRevoked {
		i.revoked = i.revoked[1:]
	}
	i.token = nil
	return true
}

// Good reports whether there is a valid token.
func (i *Invitation) Good() bool { return len(i.token) > 0 }

// Ever reports whether there is a valid or a revoked token.
func (i *Invitation) Ever() bool { return i.Good() || len(i.revoked) > 0 }

// Tag returns a number that identifies the valid token to peers that know the token. If none is valid, it
// identifies the one that was revoked last; it is 0 if there never was a token.
func (i *Invitation) Tag() uint64 {
	token := i.token
	switch {
	case i.Good():
	case len(i.revoked) > 0:
		token = i.revoked[len(i.revoked)-1]
	default:
		return 0
	}
	mac := hmac.New(sha256.New, token)
	mac.Write([]byte("tickback token"))
	return max(binary.LittleEndian.Uint64(mac.Sum(nil)), 1)
}

// Replaced reports whether Invite has replaced the token with this tag.
func (i *Invitation) Replaced(tag uint64) bool { return slices.Contains(i.replaced, tag) }
