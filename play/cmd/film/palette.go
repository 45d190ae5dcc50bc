package main

import (
	"cmp"
	"image/color"
	"slices"
)

// rgb is an opaque colour.
type rgb [3]uint8

// palette returns at most this many colours that represent those of all pictures, by median cut: the box of
// colours with the widest channel, weighted by its pixels, is repeatedly cut into two halves with equal
// numbers of pixels.
func palette(pictures []picture, most int) []rgb {
	boxes := []box{{colours: histogram(pictures)}}
	boxes[0].measure()
	for len(boxes) < most {
		i := 0
		for k := range boxes {
			if boxes[k].worth > boxes[i].worth {
				i = k
			}
		}
		if boxes[i].worth == 0 {
			break
		}
		first, second := boxes[i].cut()
		boxes[i] = first
		boxes = append(boxes, second)
	}
	list := make([]rgb, len(boxes))
	for i := range boxes {
		list[i] = boxes[i].mean()
	}
	return list
}

// counted is a colour, and how many pixels have it.
type counted struct {
	colour rgb
	pixels int
}

// histogram counts the colours, in a fixed order.
func histogram(pictures []picture) []counted {
	counts := map[rgb]int{}
	for _, m := range pictures {
		for i := 0; i < len(m.Pix); i += 4 {
			counts[rgb(m.Pix[i:i+3])]++
		}
	}
	list := make([]counted, 0, len(counts))
	for c, n := range counts {
		list = append(list, counted{c, n})
	}
	slices.SortFunc(list, func(a, b counted) int { return slices.Compare(a.colour[:], b.colour[:]) })
	return list
}

// box is a box of colours.
type box struct {
	colours []counted
	channel int // the widest one
	worth   float64
}

// measure finds the widest channel, and how useful a cut is.
func (b *box) measure() {
	low, high := rgb{255, 255, 255}, rgb{}
	pixels := 0
	for _, c := range b.colours {
		pixels += c.pixels
		for i, v := range c.colour {
			low[i], high[i] = min(low[i], v), max(high[i], v)
		}
	}
	b.channel, b.worth = 0, 0
	for i := range low {
		// A colour with few pixels still counts: sparks and ghosts are small.
		if worth := float64(high[i]-low[i]) * float64(high[i]-low[i]) * root(pixels); worth > b.worth {
			b.channel, b.worth = i, worth
		}
	}
}

// root returns approximately the fourth root of n.
func root(n int) float64 {
	r := 1.0
	for r*r*r*r < float64(n) {
		r *= 1.1
	}
	return r
}

// cut cuts a box of several colours into two.
func (b *box) cut() (first, second box) {
	slices.SortStableFunc(b.colours, func(x, y counted) int { return cmp.Compare(x.colour[b.channel], y.colour[b.channel]) })
	all, half := 0, 0
	for _, c := range b.colours {
		all += c.pixels
	}
	at := 0
	for ; at < len(b.colours)-2 && half+b.colours[at].pixels <= all/2; at++ {
		half += b.colours[at].pixels
	}
	first, second = box{colours: b.colours[:at+1]}, box{colours: b.colours[at+1:]}
	first.measure()
	second.measure()
	return first, second
}

// mean returns the colour that stands for a box.
func (b *box) mean() rgb {
	var sum [3]int
	n := 0
	for _, c := range b.colours {
		n += c.pixels
		for i, v := range c.colour {
			sum[i] += int(v) * c.pixels
		}
	}
	var m rgb
	for i := range m {
		m[i] = uint8((sum[i] + n/2) / n)
	}
	return m
}

// nearest finds colours in a palette, and caches the results.
type nearest struct {
	palette []rgb
	known   map[rgb]uint8
}

func (n *nearest) index(c rgb) uint8 {
	if i, ok := n.known[c]; ok {
		return i
	}
	best, least := 0, 1<<30
	for i, p := range n.palette {
		if d := distance(c, p); d < least {
			best, least = i, d
		}
	}
	n.known[c] = uint8(best)
	return uint8(best)
}

// distance returns the square of the distance between two colours.
func distance(a, b rgb) (d int) {
	for i := range a {
		e := int(a[i]) - int(b[i])
		d += e * e
	}
	return d
}

// colours returns a palette for package gif, with the transparent colour at the end.
func colours(list []rgb) (p color.Palette) {
	for _, c := range list {
		p = append(p, color.RGBA{c[0], c[1], c[2], 255})
	}
	return append(p, color.RGBA{})
}
