package nav

import "slices"

// mostRepaired is the maximum number of sectors in which two maps may differ if a field is to be repaired rather than
// computed from nothing: with more, repairing does not pay off.
const mostRepaired = 6

// cache keeps fields and plans. Its content influences how long an answer takes, but never the answer itself.
// Everything requested since the last Look is kept, even if it exceeds the limit.
type cache struct {
	most   int
	fields []*Field
	spare  []*Field // memory for later fields
	wanted Field    // the field to look up, without values
	clock  uint64   // the number of the current Look

	plans    []kept
	asked    uint64 // the number of requests for plans
	sectors  []int32
	goals    []int32
	computed Stats
}

type kept struct {
	question question
	plan     plan
	used     uint64
}

// find returns the wanted field, if the cache has it.
func (c *cache) find() *Field {
	for _, f := range c.fields {
		if f.sameWay(&c.wanted) && slices.Equal(f.serials, c.wanted.serials) {
			return f
		}
	}
	return nil
}

// like returns a field from which the wanted one can be made, and the sectors that differ. It chooses a field with as
// few of them as possible.
func (c *cache) like() *Field {
	var best *Field
	most := mostRepaired
	for _, f := range c.fields {
		if !f.sameWay(&c.wanted) {
			continue
		}
		list := c.wanted.changed(f, c.sectors[:0], most)
		c.sectors = list
		if len(list) <= most {
			best, most = f, len(list)-1
		}
	}
	if best != nil {
		c.sectors = c.wanted.changed(best, c.sectors[:0], mostRepaired)
	}
	return best
}

// room returns a field to fill in, which is kept from now on.
func (c *cache) room() *Field {
	if len(c.fields) >= c.most {
		c.drop()
	}
	var f *Field
	if n := len(c.spare); n > 0 {
		f, c.spare = c.spare[n-1], c.spare[:n-1]
	} else {
		f = new(Field)
	}
	c.fields = append(c.fields, f)
	return f
}

// drop removes the field that has not been requested for the longest time, unless all are in use.
func (c *cache) drop() {
	oldest := -1
	for i, f := range c.fields {
		if f.used < c.clock && (oldest < 0 || f.used < c.fields[oldest].used) {
			oldest = i
		}
	}
	if oldest < 0 {
		return
	}
	c.spare = append(c.spare, c.fields[oldest])
	c.fields = slices.Delete(c.fields, oldest, oldest+1)
}

// tick marks everything requested so far as no longer in use, and removes what exceeds the limit.
func (c *cache) tick() {
	for c.clock++; len(c.fields) > c.most; {
		c.drop()
	}
}

// plan returns the plan for a way, valid until the next call.
func (n *Navigator) plan(w *Way) *plan {
	c := &n.cache
	q := n.ask(w)
	c.asked++
	for i := range c.plans {
		if k := &c.plans[i]; k.question == q {
			k.used = c.asked
			c.computed.PlansFound++
			return &k.plan
		}
	}
	c.computed.Planned++
	at := 0
	if len(c.plans) < max(c.most, 1) {
		at = len(c.plans)
		c.plans = append(c.plans, kept{})
	} else {
		for i := range c.plans {
			if c.plans[i].used < c.plans[at].used {
				at = i
			}
		}
	}
	c.plans[at] = kept{q, n.answer(&q), c.asked}
	return &c.plans[at].plan
}
