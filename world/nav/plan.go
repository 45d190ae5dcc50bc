package nav

// plan is the answer to a way. It depends only on the map and the request.
type plan struct {
	ends  [MaxEnds]Cell
	count uint32
	whole uint16
	route Sectors // the route from the starts, without the earlier route of the way
	work  uint32  // vertices that the search has settled
}

// question is everything that a plan depends on.
type question struct {
	content             uint32 // the number of the map's content
	whole               uint16
	goalCount, startNum uint32
	goals               [MaxGoals]Cell
	starts              [MaxStarts]Cell
}

// ask returns what a way asks for. It leaves out cells that are not on the map, since a state from the network may have
// any values.
func (n *Navigator) ask(w *Way) (q question) {
	q.content, q.whole = n.contents.current, min(w.Whole|w.Widen, 1)
	for _, g := range w.goals() {
		if n.terrain.on(g) {
			q.goalCount += insert(q.goals[:], int(q.goalCount), g)
		}
	}
	for _, s := range w.starts() {
		if n.terrain.on(s) {
			q.startNum += insert(q.starts[:], int(q.startNum), s)
		}
	}
	return q
}

// answer computes the plan for a question.
func (n *Navigator) answer(q *question) (p plan) {
	t := n.terrain
	goals, starts := q.goals[:q.goalCount], q.starts[:q.startNum]
	if len(goals) == 0 {
		return p
	}
	// A unit in a blocked cell starts at the nearest cell that is not blocked.
	var from [MaxStarts]Cell
	count := 0
	for _, s := range starts {
		if !t.passable(s) {
			s = t.nearest([]Cell{s}, 0, true)
		}
		if s != Nowhere {
			count += int(insert(from[:], count, s))
		}
	}
	starts = from[:count]
	p.whole = q.whole
	if len(starts) == 0 {
		p.whole = 1
	}
	n.resolve(&p, goals, starts)
	if p.whole == 0 {
		p.work = uint32(n.planner.route(starts, p.ends[:p.count], &p.route))
	}
	return p
}

// resolve finds the ends of a way.
func (n *Navigator) resolve(p *plan, goals, starts []Cell) {
	t := n.terrain
	reached := [MaxStarts]bool{}
	for _, g := range goals {
		to, ok := t.component(g)
		useful := ok && len(starts) == 0
		for i, s := range starts {
			if c, _ := t.component(s); ok && c == to {
				reached[i], useful = true, true
			}
		}
		if useful {
			p.count += insert(p.ends[:], int(p.count), g)
		}
	}
	for i, s := range starts {
		if reached[i] {
			continue
		}
		c, _ := t.component(s)
		p.count += insert(p.ends[:], int(p.count), t.nearest(goals, c, false))
	}
	if p.count == 0 {
		if c := t.nearest(goals, 0, true); c != Nowhere {
			p.count += insert(p.ends[:], 0, c)
		}
	}
}
