package nav

import (
	"fmt"
	"slices"
)

// DefaultCache is the default number of fields that a navigator keeps.
const DefaultCache = 64

// Config has the settings of a navigator. None of them influences an answer.
type Config struct {
	// Cache is the maximum number of fields that are kept besides those in use, and the maximum number of plans: 0 means
	// [DefaultCache], and a negative value none. A field takes 1 KiB for each sector that it covers: 256 KiB for a whole
	// map of 256 × 256, and commonly a quarter of that along a way. Several times the number of ways in use at the same
	// time is a good choice.
	Cache int
}

// Navigator computes fields. It is not part of the state: it only holds data derived from maps, and a peer that joins
// late begins with an empty one. It is not safe for concurrent use.
type Navigator struct {
	terrain  *terrain
	pages    *pages
	contents contents
	desk     *desk
	planner  *planner
	cache    cache

	pause   func(cells int)
	version uint64
	seen    bool // version is valid
	changed []int32
}

// New returns a navigator without a map.
func New(c Config) *Navigator {
	if c.Cache == 0 {
		c.Cache = DefaultCache
	}
	return &Navigator{cache: cache{most: max(c.Cache, 0)}}
}

// Look shows a navigator the current map. Call it at the beginning of each step, and again in a step after changing
// the map if fields are used after that. It reads the changes. All fields that it has returned before become invalid.
//
// The size of the map must not change. An error leaves the navigator as it was.
func (n *Navigator) Look(c Costs) error {
	width, height := c.Size()
	if err := checkSize(width, height); err != nil {
		return err
	}
	if n.terrain == nil {
		n.begin(width, height)
	}
	t := n.terrain
	if width != t.width || height != t.height {
		return fmt.Errorf("%w: it is %d × %d, and was %d × %d before", ErrSize, width, height, t.width, t.height)
	}
	n.cache.tick()
	version := c.Version()
	if n.seen && version == n.version {
		return nil
	}
	n.version, n.seen = version, true
	n.changed = n.changed[:0]
	for s := range t.zones {
		if n.pages.show(s, c.Page(s)) {
			n.changed = append(n.changed, int32(s))
			t.spend(area / 2)
		}
	}
	if len(n.changed) > 0 {
		t.change(n.changed, n.pages, n.planner.forget)
		n.contents.show(n.pages.serials)
	}
	return nil
}

// begin allocates memory for a map, which counts as work on that many cells.
func (n *Navigator) begin(width, height int) {
	cells := width * height
	n.terrain = newTerrain(width, height)
	n.terrain.pause = n.pause
	n.terrain.spend(cells / 8)
	n.pages = newPages(cells / area)
	n.terrain.spend(cells / 16)
	n.desk = newDesk(n.terrain)
	n.terrain.spend(cells / 4)
	n.planner = newPlanner(n.terrain, n.desk)
	n.terrain.spend(cells / 8)
}

// Field returns the field of a way on the current map. It is nil if the way is not open, or if no map was given.
func (n *Navigator) Field(w *Way) *Field {
	if n.terrain == nil || w.Answered == 0 {
		return nil
	}
	c, t := &n.cache, n.terrain
	sectors := t.all
	if w.Whole == 0 {
		sectors = t.covering(&w.Route)
	}
	// Ends that are blocked by buildings now, or outside of the corridor, do not count.
	var ends [MaxEnds]Cell
	count := 0
	for _, e := range w.ends() {
		if t.on(e) && t.passable(e) && sectors.Has(t.sector(e)) {
			count += int(insert(ends[:], count, e))
		}
	}
	c.wanted.across, c.wanted.sectors, c.wanted.ends = t.across, sectors, [MaxEnds]Cell{}
	c.wanted.list = sectors.list(c.wanted.list[:0], t.across*t.down)
	c.wanted.identify(ends[:count], n.pages)
	f := c.find()
	if f == nil {
		f = n.make()
	} else {
		c.computed.Found++
	}
	f.used = c.clock
	return f
}

// make makes the wanted field, either by repairing another field or from nothing.
func (n *Navigator) make() *Field {
	c, d := &n.cache, n.desk
	old := c.like()
	if old != nil {
		d.take(old, c.sectors)
		d.repair(c.sectors)
		c.computed.Repaired++
	} else {
		c.goals = c.goals[:0]
		for _, e := range c.wanted.ends[:c.wanted.count] {
			c.goals = append(c.goals, d.index(e))
		}
		d.clear()
		d.open(c.wanted.list, &c.wanted.sectors)
		d.integrate(c.goals)
		c.computed.Built++
	}
	f := c.room() // this may be the other field itself, which has already been read
	f.cover(n.terrain, &c.wanted.sectors)
	f.ends = [MaxEnds]Cell{}
	f.identify(c.wanted.ends[:c.wanted.count], n.pages)
	d.store(f.list, f.values)
	d.hold(f)
	d.spend(len(f.list) * area / 8) // the work of opening and storing
	return f
}

// Stats has the statistics of a navigator. It is for measuring: a game must not depend on it.
type Stats struct {
	Built, Repaired, Found int // fields: computed from nothing, repaired from another field, found in the cache
	Planned, PlansFound    int // routes: planned, found in the cache
}

// Stats returns the statistics since New.
func (n *Navigator) Stats() Stats { return n.cache.computed }

// contents assigns numbers to the contents of the whole map, as pages does for those of sectors.
type contents struct {
	list    []content
	current uint32
	last    uint32
}

type content struct {
	number  uint32
	serials []uint32
}

// mostContents is the maximum number of contents of the whole map that are remembered.
const mostContents = 32

func (c *contents) show(serials []uint32) {
	oldest := 0
	for i := range c.list {
		if slices.Equal(c.list[i].serials, serials) {
			c.current = c.list[i].number
			return
		}
		if c.list[i].number < c.list[oldest].number {
			oldest = i
		}
	}
	if len(c.list) < mostContents {
		oldest = len(c.list)
		c.list = append(c.list, content{})
	}
	c.last++
	c.current = c.last
	c.list[oldest] = content{c.last, append(c.list[oldest].serials[:0], serials...)}
}
