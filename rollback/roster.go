package rollback

import "fmt"

// roster says who plays, and which of the players are sampled here.
type roster struct{ all, local PlayerSet }

// refuse returns the error of a call that is not possible for this player, or for none if there is no such player.
func (r roster) refuse(p Player, why string) error {
	if !r.all.Has(p) {
		why = fmt.Sprintf("is not one of the %d of this match", r.all.Len())
	}
	return &PlayerError{p, why}
}
