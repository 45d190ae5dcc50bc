package nav

// planner finds routes over the crossings between sectors: A*, backwards from the goals to the starts.
type planner struct {
	*terrain
	desk  *desk
	links []links
	slot  []uint8 // the place of a vertex in the links of its sector

	reached []uint32 // for each vertex, and each start: the number of the search that has reached it
	search  uint32
	far     []uint32 // the distance from a vertex to a goal
	next    []vertex // the next vertex on the way, or atGoal
	heap    heap

	places     [MaxStarts]start
	starts     []start // the starts of this search
	low, high  Cell    // the corners of a rectangle around the starts
	settled    int
	startsLeft int
}

// start is the start of a way, with the distances to the vertices of its sector.
type start struct {
	at     int32
	sector int
	to     []uint32
	done   bool
}

// atGoal is used where there is no next vertex.
const atGoal vertex = -1

func newPlanner(t *terrain, d *desk) *planner {
	sectors := t.across * t.down
	vertices := sectors * 4 * Side
	p := &planner{terrain: t, desk: d, links: make([]links, sectors), slot: make([]uint8, vertices)}
	vertices += MaxStarts
	p.reached, p.far, p.next = make([]uint32, vertices), make([]uint32, vertices), make([]vertex, vertices)
	return p
}

// route finds the shortest way over the crossings from each start to one of the goals, and adds the sectors on it to
// the set. It returns how many vertices it has settled. A goal must be reachable from each start; goals that cannot be
// reached are left out.
//
// The distance from a start to the vertices of its sector is computed in the opposite direction. The difference only
// matters where cells have different costs, and only affects which of two ways is planned.
func (p *planner) route(starts, goals []Cell, set *Sectors) (settled int) {
	p.begin(starts)
	p.seed(goals)
	for p.startsLeft > 0 {
		key, ok := p.heap.pop()
		if !ok {
			break
		}
		v := vertex(uint32(key))
		estimate := uint32(key >> 32)
		if s := p.startOf(v); s >= 0 {
			if !p.starts[s].done {
				p.starts[s].done = true
				p.startsLeft--
				p.settled++
			}
			continue
		}
		if estimate == p.far[v]+p.ahead(v) {
			p.settled++
			p.expand(v)
		}
	}
	for i := range p.starts {
		if p.starts[i].done {
			set.add(p.starts[i].sector)
			for v := p.next[p.startVertex(i)]; v != atGoal; v = p.next[v] {
				set.add(p.sectorOf(v))
			}
		}
	}
	return p.settled
}

// begin prepares a search.
func (p *planner) begin(starts []Cell) {
	p.search++
	if p.search == 0 { // the counter has wrapped around, so old marks could be mistaken for new ones
		clear(p.reached)
		p.search = 1
	}
	p.heap = p.heap[:0]
	p.settled, p.startsLeft = 0, len(starts)
	lowX, lowY, highX, highY := p.width, p.height, 0, 0
	p.starts = p.places[:len(starts)]
	for i, c := range starts {
		lowX, lowY, highX, highY = min(lowX, c.X()), min(lowY, c.Y()), max(highX, c.X()), max(highY, c.Y())
		s := &p.starts[i]
		s.at, s.sector, s.to, s.done = p.index(c), p.sector(c), s.to[:0], false
		l := p.linksOf(s.sector)
		p.inside(s.sector, s.at)
		for _, at := range l.cells {
			s.to = append(s.to, p.distanceFrom(at))
		}
		p.leave(s.sector)
	}
	p.low, p.high = CellAt(lowX, lowY), CellAt(highX, highY)
}

// seed starts the search with the vertices in the sectors of the goals.
func (p *planner) seed(goals []Cell) {
	var seen Sectors
	for _, g := range goals {
		sector := p.sector(g)
		if seen.Has(sector) {
			continue
		}
		seen.add(sector)
		l := p.linksOf(sector)
		var here [MaxEnds]int32
		n := 0
		for _, h := range goals {
			if p.sector(h) == sector {
				here[n] = p.index(h)
				n++
			}
		}
		p.inside(sector, here[:n]...)
		for i, v := range l.vertices {
			if d := p.distanceFrom(l.cells[i]); d != unreached {
				p.reach(v, d, atGoal)
			}
		}
		for i := range p.starts {
			if d := p.distanceFrom(p.starts[i].at); d != unreached { // the start is in this sector, too
				p.reach(p.startVertex(i), d, atGoal)
			}
		}
		p.leave(sector)
	}
}

// expand continues the search from a vertex, to those that are one step before it: across the border, and in its
// sector.
func (p *planner) expand(v vertex) {
	sector := p.sectorOf(v)
	l := p.linksOf(sector)
	slot := int(p.slot[v])
	far := p.far[v]
	p.reach(v^1, far+Straight*uint32(p.cost[l.cells[slot]]), v)
	row := l.distance[slot*len(l.vertices):][:len(l.vertices)]
	for i, d := range row {
		if d != unreached && i != slot {
			p.reach(l.vertices[i], far+d, v)
		}
	}
	for i := range p.starts {
		if s := &p.starts[i]; s.sector == sector && s.to[slot] != unreached {
			p.reach(p.startVertex(i), far+s.to[slot], v)
		}
	}
}

// reach records a way from a vertex to a goal, if it is shorter than the best one known.
func (p *planner) reach(v vertex, far uint32, next vertex) {
	if p.reached[v] == p.search && p.far[v] <= far {
		return
	}
	p.reached[v], p.far[v], p.next[v] = p.search, far, next
	p.heap.push(uint64(far+p.ahead(v))<<32 | uint64(v))
}

// ahead is a lower bound for the cost of the rest of the way, from a vertex back to the nearest start: plain ground to
// the rectangle around the starts. It never falls by more than a step costs, so that each vertex is settled once.
func (p *planner) ahead(v vertex) uint32 {
	if p.startOf(v) >= 0 {
		return 0
	}
	sector := int(v) / (4 * Side)
	i := int(v) / 2 % Side
	x, y := sector%p.across*Side, sector/p.across*Side
	side := int(v) % 2
	if int(v)/(2*Side)%2 == 0 {
		x, y = x+Side-1+side, y+i
	} else {
		x, y = x+i, y+Side-1+side
	}
	dx := max(p.low.X()-x, x-p.high.X(), 0)
	dy := max(p.low.Y()-y, y-p.high.Y(), 0)
	return uint32(Straight*(max(dx, dy)-min(dx, dy)) + Diagonal*min(dx, dy))
}

// sectorOf returns the sector that a vertex is in.
func (p *planner) sectorOf(v vertex) int {
	border := int(v) / (2 * Side)
	sector := border / 2
	switch {
	case v%2 == 0:
		return sector
	case border%2 == 0:
		return sector + 1
	}
	return sector + p.across
}

// startVertex returns the vertex that stands for a start; startOf is the inverse, and negative for other vertices.
func (p *planner) startVertex(i int) vertex { return vertex(len(p.slot) + i) }

func (p *planner) startOf(v vertex) int { return int(v) - len(p.slot) }
