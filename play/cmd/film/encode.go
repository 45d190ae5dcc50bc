package main

import (
	"image"
	"image/gif"
	"io"
	"slices"
)

// tolerance is how much a shown colour may differ from the correct one, as a [distance], before the pixel is written
// again: by 14 in one channel, which is invisible in a moving picture.
const tolerance = 200

// encode writes the pictures as a GIF that repeats forever, each shown for this many hundredths of a second. It only
// writes what differs from the previous picture: other pixels are transparent, and the borders outside of all
// differences are left out.
func encode(w io.Writer, pictures []picture, hundredths int) error {
	list := palette(pictures, 255)
	table, see := colours(list), nearest{list, map[rgb]uint8{}}
	g := gif.GIF{Config: image.Config{ColorModel: table, Width: pictures[0].Rect.Dx(), Height: pictures[0].Rect.Dy()}}
	var shown []uint8
	for _, m := range pictures {
		all := image.NewPaletted(m.Rect, table)
		for i := range all.Pix {
			all.Pix[i] = see.index(rgb(m.Pix[4*i : 4*i+3]))
		}
		part := all.Rect
		if shown == nil {
			shown = slices.Clone(all.Pix)
		} else {
			part = hide(all, m, shown, list)
		}
		g.Image = append(g.Image, all.SubImage(part).(*image.Paletted))
		g.Delay = append(g.Delay, hundredths)
		g.Disposal = append(g.Disposal, gif.DisposalNone)
	}
	return gif.EncodeAll(w, &g)
}

// hide makes pixels transparent whose colour is already shown, or nearly. It returns the part of the picture with
// all remaining pixels, at least one, since a GIF needs that. It updates shown.
func hide(m *image.Paletted, exact picture, shown []uint8, list []rgb) (part image.Rectangle) {
	for i, v := range m.Pix {
		if v == shown[i] || distance(rgb(exact.Pix[4*i:4*i+3]), list[shown[i]]) <= tolerance {
			m.Pix[i] = uint8(len(list))
			continue
		}
		shown[i] = v
		x, y := i%m.Stride, i/m.Stride
		part = part.Union(image.Rect(x, y, x+1, y+1))
	}
	if part.Empty() {
		part = image.Rect(0, 0, 1, 1)
	}
	return part
}
