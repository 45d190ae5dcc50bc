package dtls

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback"
)

// The derivations from a token are frozen: tokens of today can be read tomorrow, and give
// the same keys.
func TestFrozenTokens(t *testing.T) {
	token, err := tickback.ParseToken(frozenToken)
	if err != nil || token.String() != frozenToken {
		t.Fatal(err, token)
	}
	_, pair := fromToken(token)
	if got := fmt.Sprintf("%x %v", pair.id, pair.remote); got != frozenKey {
		t.Errorf("the keys are %s", got)
	}
}

const (
	frozenToken = "0410-6105-0r3g-g28a-1c60-t3gf-22af-9h5v"
	frozenKey   = "58112fcb2c084857 a2af574583a2ced87ca3965250c50c2746efdee848f698757a3814ad67db8aef"
)
