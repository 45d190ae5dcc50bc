package netplay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/session/membership"
)

// Rule: a player who has used up the pauses is told so, in the player's language.
func TestWhyThereIsNoPause(t *testing.T) {
	used := fmt.Errorf("asked: %w", &tickback.WishError{Wish: membership.Wish{Kind: membership.Pause}, Why: "used up"})
	if text := noPause(used); !strings.Contains(text, "You have paused 8 times") {
		t.Errorf("%q", text)
	}
	for _, err := range []error{tickback.ErrClosed, &tickback.WishError{Wish: membership.Wish{Kind: membership.Resume}, Why: "no member"}} {
		if text := noPause(err); text != "That is not possible at the moment" {
			t.Errorf("%v: %q", err, text)
		}
	}
}
