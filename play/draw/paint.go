package draw

import (
	"image"
	"math"
)

// Paint paints a canvas over a picture in memory, as a graphics processor would, for tests and screenshots without
// one. It is slow.
func Paint(to *image.RGBA, c *Canvas) {
	c.Parts(func(indices []uint32, how Cut) {
		target := to
		if !how.Part.Empty() {
			target = to.SubImage(how.Part).(*image.RGBA)
		}
		texture := texture{c.Atlas.Image, how.Text && c.Atlas.coloured}
		if how.Sheet != nil {
			texture.image, texture.coloured = how.Sheet.Image, true
		}
		for ; len(indices) > 2; indices = indices[3:] {
			paintTriangle(target, texture, &c.Vertices[indices[0]], &c.Vertices[indices[1]], &c.Vertices[indices[2]])
		}
	})
}

// texture is an image that triangles are filled from: with its colours if coloured is set, otherwise only with its
// alpha, which is faster.
type texture struct {
	image    *image.RGBA
	coloured bool
}

func paintTriangle(to *image.RGBA, from texture, p, q, r *Vertex) {
	side := func(a, b *Vertex, x, y float32) float32 { return (b.X-a.X)*(y-a.Y) - (b.Y-a.Y)*(x-a.X) }
	whole := side(p, q, r.X, r.Y)
	if whole < 0 {
		q, r, whole = r, q, -whole
	}
	if whole < 1e-9 {
		return
	}
	bounds := to.Bounds()
	x0 := max(int(math.Floor(float64(min(p.X, q.X, r.X)))), bounds.Min.X)
	x1 := min(int(math.Ceil(float64(max(p.X, q.X, r.X)))), bounds.Max.X)
	y0 := max(int(math.Floor(float64(min(p.Y, q.Y, r.Y)))), bounds.Min.Y)
	y1 := min(int(math.Ceil(float64(max(p.Y, q.Y, r.Y)))), bounds.Max.Y)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			fx, fy := float32(x)+0.5, float32(y)+0.5
			a, b, d := side(q, r, fx, fy), side(r, p, fx, fy), side(p, q, fx, fy)
			if inside(a, q, r) && inside(b, r, p) && inside(d, p, q) {
				blend(to, from, x, y, a/whole, b/whole, d/whole, p, q, r)
			}
		}
	}
}

// inside reports whether a point is on the inner side of an edge. A point exactly on the edge belongs
// to one of the two triangles that share it.
func inside(side float32, a, b *Vertex) bool {
	return side > 0 || side == 0 && (b.Y < a.Y || b.Y == a.Y && b.X > a.X)
}

func blend(to *image.RGBA, from texture, x, y int, a, b, d float32, p, q, r *Vertex) {
	mix := func(u, v, w float32) float32 { return u*a + v*b + w*d }
	u, v := mix(p.U, q.U, r.U), mix(p.V, q.V, r.V)
	cover := from.sample(u, v, 3)
	alpha := mix(p.A, q.A, r.A) * cover
	at := to.PixOffset(x, y)
	for i, light := range [3]float32{mix(p.R, q.R, r.R), mix(p.G, q.G, r.G), mix(p.B, q.B, r.B)} {
		part := cover
		if from.coloured {
			part = from.sample(u, v, i)
		}
		v := light*part*255 + float32(to.Pix[at+i])*(1-alpha)
		to.Pix[at+i] = uint8(min(max(v+0.5, 0), 255))
	}
	to.Pix[at+3] = uint8(min(float32(to.Pix[at+3])*(1-alpha)+alpha*255+0.5, 255))
}

// sample returns a channel of the texture at a position, interpolated between its pixels. Beyond its edge it returns
// the values at the edge.
func (t texture) sample(u, v float32, channel int) float32 {
	u, v = u-0.5, v-0.5
	x, y := int(math.Floor(float64(u))), int(math.Floor(float64(v)))
	fx, fy := u-float32(x), v-float32(y)
	size := t.image.Rect.Size()
	at := func(x, y int) float32 {
		x, y = min(max(x, 0), size.X-1), min(max(y, 0), size.Y-1)
		return float32(t.image.Pix[y*t.image.Stride+x*4+channel]) / 255
	}
	return lerp(lerp(at(x, y), at(x+1, y), fx), lerp(at(x, y+1), at(x+1, y+1), fx), fy)
}
