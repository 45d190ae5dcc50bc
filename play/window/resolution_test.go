package window

import (
	"math"
	"testing"
)

// Rule: a screen has the same number of points at each resolution, whether the browser enlarges the picture, and
// reports a smaller size, or the program does.
func TestAScreenHasAsManyPointsAtEachShare(t *testing.T) {
	const w, h, device = 390, 844, 3
	for _, share := range Shares() {
		for _, shrunk := range []bool{false, true} {
			told := 1.0
			if shrunk {
				told = share
			}
			pw, ph, density := resolution{device, share, shrunk}.picture(w*told, h*told)
			if math.Abs(pw-w*device*share) > 1e-9 || math.Abs(ph-h*device*share) > 1e-9 {
				t.Errorf("at %v of the pixels, shrunk %v: a picture of %v by %v", share, shrunk, pw, ph)
			}
			if math.Abs(pw/density-w) > 1e-9 || math.Abs(ph/density-h) > 1e-9 {
				t.Errorf("at %v of the pixels, shrunk %v: %v by %v points, want %v by %v", share, shrunk, pw/density, ph/density, w, h)
			}
		}
	}
}
