package near

import "slices"

// bands is the number of bands in which a grid is sorted. Points are collected by band when they are added, so that
// each band reads only its own.
const bands = 8

// Bands does the first part of [Grid.Sort], and returns the number of bands to sort, from the lowest row of cells to
// the highest; some may be empty. Call [Grid.SortBand] for each of them, on one goroutine or on several at the same
// time, for example in a stage of a world. When all are done, the grid is as after Sort. Until then it must not be
// searched.
func (g *Grid) Bands() int {
	g.order()
	g.mixed = false
	var sizes [bands]int
	for i := range g.parts[:g.used] {
		p := &g.parts[i]
		g.mixed = g.mixed || p.mixed
		for band := range p.shares {
			sizes[band] += len(p.shares[band].points)
		}
	}
	sum := 0
	for i, n := range sizes {
		g.bases[i] = uint32(sum)
		sum += n
	}
	g.points = slices.Grow(g.points[:0], sum)[:sum]
	g.blocks.room()
	return bands
}

// SortBand sorts a band, 0 to [Grid.Bands] - 1, with a counting sort: it first counts the points in each cell, then
// computes where the cells begin.
func (g *Grid) SortBand(band int) {
	low, high := g.bandStart(band), g.bandStart(band+1) // the rows of blocks in the band
	if g.mixed {
		clear(g.classes[low*g.blocks.across : high*g.blocks.across])
	}
	// While points are being placed, the head of the next cell is the place for the next point of this one.
	heads := g.heads[min(low*blockCells, g.down)*g.across+1 : min(high*blockCells, g.down)*g.across+1]
	clear(heads)
	for i := range g.parts[:g.used] {
		g.count(&g.parts[i].shares[band])
	}
	sum := g.bases[band]
	for i, n := range heads {
		heads[i] = sum
		sum += n
	}
	for i := range g.parts[:g.used] {
		g.scatter(&g.parts[i].shares[band])
	}
}

// count counts the points of a share by cell.
func (g *Grid) count(s *share) {
	for i, c := range s.cells {
		g.heads[c.cell+1]++
		if g.mixed {
			g.classes[c.block] |= 1 << s.points[i].Class()
		}
	}
}

// scatter puts the points of a share in their final places.
func (g *Grid) scatter(s *share) {
	cells := s.cells[:len(s.points)]
	for i, q := range s.points {
		to := &g.heads[cells[i].cell+1]
		g.points[*to] = q
		*to++
	}
}

// bandOf returns the band of a row of blocks.
func (g *Grid) bandOf(row uint32) uint32 { return uint32(uint64(row) * g.perRow >> 32) }

// bandStart returns the first row of blocks of a band; for the number of bands it returns the row after the last one.
func (g *Grid) bandStart(band int) int32 {
	first := (uint64(band)<<32 + g.perRow - 1) / g.perRow
	return int32(min(first, uint64(g.blocks.down)))
}
