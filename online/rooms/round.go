//go:build !js

package rooms

// round is the newest match of a room, and who plays it.
type round struct {
	number   uint32    // of the match; 0 before the first one
	starters []Starter // none once nobody plays it any more
}

// begin begins the next match.
func (r *round) begin(starters []Starter) { r.number, r.starters = r.number+1, starters }

// runs reports whether the match with this number is the newest one, and has not ended.
func (r *round) runs(match uint32) bool { return match == r.number && len(r.starters) > 0 }

// gone records that a starter no longer plays a match.
func (r *round) gone(id, match uint32) {
	for i := range r.starters {
		if s := &r.starters[i]; s.ID == id && match == r.number {
			s.Gone = true
		}
	}
}

// end ends the match.
func (r *round) end() { r.starters = nil }
