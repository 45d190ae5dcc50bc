package window

// resolution is how many pixels a picture has.
type resolution struct {
	device float64 // pixels of the screen in a point
	share  float64 // of the pixels in each direction that are drawn: the rest is enlarged
	shrunk bool    // the size of the screen, as it is told, is that of the share already
}

// picture returns the size of a picture in pixels, and how many of them a point has, on a screen whose size is w by h.
// A point is as large for a finger and for the eye, whatever the share: so its pixels get fewer with it.
func (r resolution) picture(w, h float64) (width, height, density float64) {
	density = r.device * r.share
	scale := density
	if r.shrunk {
		scale = r.device
	}
	return max(w*scale, 1), max(h*scale, 1), density
}
