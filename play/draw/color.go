package draw

// Color is a colour with straight alpha, each component from 0 to 1. Add makes it light that is added to what is
// there: 1 is only light, 0 covers.
type Color struct {
	R, G, B, A float32
	Add        float32
}

// RGB returns an opaque colour, given as 0xRRGGBB.
func RGB(hex uint32) Color {
	return Color{R: float32(hex>>16&255) / 255, G: float32(hex>>8&255) / 255, B: float32(hex&255) / 255, A: 1}
}

// Alpha returns the colour with its alpha multiplied.
func (c Color) Alpha(a float32) Color {
	c.A *= a
	return c
}

// Light returns the colour as light, which is added to what it is drawn over.
func (c Color) Light() Color {
	c.Add = 1
	return c
}

// Mix returns the colour at the fraction t, 0 to 1, of the way to another one.
func (c Color) Mix(to Color, t float32) Color {
	return Color{
		R: lerp(c.R, to.R, t), G: lerp(c.G, to.G, t), B: lerp(c.B, to.B, t),
		A: lerp(c.A, to.A, t), Add: lerp(c.Add, to.Add, t),
	}
}

// Shade returns the colour darker (below 1) or brighter (above), with the same alpha.
func (c Color) Shade(by float32) Color {
	c.R, c.G, c.B = min(c.R*by, 1), min(c.G*by, 1), min(c.B*by, 1)
	return c
}

func lerp(a, b, t float32) float32 { return a + (b-a)*t }
