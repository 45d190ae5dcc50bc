package nav

// Advance answers ways in the order of their tickets, as far as the meter allows, and returns how many it has
// answered. Call it once in a step, with the meter and all ways of the state: the result depends only on these and on
// the map. It is the same whether the navigator has what it needs in its cache, or is new.
//
// A request costs the cells of the sectors that a field has to cover for it and did not cover before, plus one cell for
// each crossing that the search for its route has looked at. What a tick does not spend is saved while a way is
// waiting, so every request is paid for in the end.
//
// After its first answer a way has Ends, and with them a field, unless the whole map is blocked. In that case it is
// open without ends, and its field leads nowhere.
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

// longest returns the way that has waited longest, or nil. Two ways have the same ticket only if a game has copied one;
// they are answered in their order in the list.
func longest(ways []Way) (w *Way) {
	for i := range ways {
		if t := ways[i].Ticket; t != 0 && (w == nil || t < w.Ticket) {
			w = &ways[i]
		}
	}
	return w
}

// cost returns the cost of answering a way with a plan, and sets route to the route that the way will have.
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
