package window

// resolution is how many pixels a picture has.
type resolution struct {
	device float64 // pixels of the screen per point
	share  float64 // the fraction of the pixels that are drawn, in each direction: the picture is enlarged
	shrunk bool    // the reported size of the screen already includes the share
}

// picture returns the size of a picture in pixels, and the number of its pixels per point, on a screen whose size is
// w by h. A point has the same size for a finger and the eye, whatever the share: with a smaller share it has fewer
// pixels.
func (r resolution) picture(w, h float64) (width, height, density float64) {
	density = r.device * r.share
	scale := density
	if r.shrunk {
		scale = r.device
	}
	return max(w*scale, 1), max(h*scale, 1), density
}
