package nav

// Advance answers ways, in the order of their tickets, as far as the meter allows, and returns how
// many. It is for the game to call once in a step, with the meter and all ways of the state: what
// it does follows from these and from the map, and from nothing else. It is the same whether the
// navigator has what it needs at hand, or has just been made.
//
// A request costs the cells of the sectors that a field has to cover for it and did not cover
// before, and a cell for each crossing that the search for its route has looked at. What a tick does
// not spend is kept as long as somebody waits, so that every request is paid for in the end.
//
// A way that is answered for the first time has Ends after it, and with them a field, unless the
// whole map is blocked. Then it stays open without ends, and its field leads nowhere.
func (n *Navigator) Advance(m *Meter, ways []Way) (answered int) {
	if n.terrain == nil {
		return 0
	}
	m.Credit = saturated(m.Credit, m.PerTick)
	for {
		w := longest(ways)
		if w == nil {
			m.Credit = 0
			return answered
		}
		p := n.plan(w)
		route := p.route
		if w.Answered != 0 {
			for i := range route {
				route[i] |= w.Route[i]
			}
		}
		cost := n.cost(w, p, &route)
		if cost > m.Credit {
			return answered
		}
		m.Credit -= cost
		w.Ends, w.EndCount, w.Whole, w.Widen = p.ends, p.count, p.whole, 0
		w.Route = route
		w.Ticket = 0
		w.Answered = saturated(w.Answered, 1)
		answered++
	}
}

// longest returns the way that has waited longest, or nil. Two with the same ticket, which only a
// game makes that has copied one, are answered as they stand.
func longest(ways []Way) (w *Way) {
	for i := range ways {
		if t := ways[i].Ticket; t != 0 && (w == nil || t < w.Ticket) {
			w = &ways[i]
		}
	}
	return w
}

// cost returns what it costs to answer a way with a plan, after which it has this route.
func (n *Navigator) cost(w *Way, p *plan, route *Sectors) uint32 {
	t := n.terrain
	all := t.across * t.down
	before, after := 0, all
	if w.Answered != 0 {
		before = all
		if w.Whole == 0 {
			before = t.covered(&w.Route)
		}
	}
	if p.whole == 0 {
		after = t.covered(route)
	}
	return uint32(max(after-before, 0))*area + p.work
}

// covered returns how many sectors a field along a route covers.
func (t *terrain) covered(route *Sectors) int {
	all := t.covering(route)
	return all.Len()
}

func saturated(a, b uint32) uint32 { return a + min(b, ^a) }
