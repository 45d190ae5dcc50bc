//detlint:ignore address,unproved addresses only find what was met before: nothing that is compared depends on them
package canon

import (
	"reflect"
	"slices"
	"strconv"
	"unsafe"
)

// How a graph is saved. Why reading and writing the memory of a game through raw pointers is safe here:
//
//   - Every address comes from a reference of the game, and every offset from the type of that reference.
//     So what is read and written is memory that the game itself could read and write.
//   - The arena, where copies lie, is memory without pointers for the garbage collector. All that the
//     pointers in it lead to is kept alive by the regions, which have their addresses, and by kept.
//   - Restore writes a word that is a pointer by itself, as a pointer, unless it has that value
//     already. Only then are bytes copied over it, which does not change it.
//   - Memory that has not changed is not written at all, since some of it may be read-only.

// region is memory that is saved as a unit: the target of a pointer, the elements of a slice, the entries of a map, or
// the content of an interface.
type region struct {
	addr  unsafe.Pointer // nil for the content of an interface, which never changes
	shape *shape         // the shape of an element, or of the map
	count uint32
	at    uint32 // the position, in words of the arena
	link  uint32 // the first of its links
	dyn   uint32 // the first of its types
}

// Links are numbers of regions, from linkFirst on.
const (
	linkNil   = 0
	linkEmpty = 1 // it leads to something of size zero, or is an interface whose content has no references
	linkFirst = 2
)

// snapshot is a saved graph. Regions are in the order in which they are met, breadth first from the root, which depends
// only on the graph. Those that are compared come first, then those that are only saved.
type snapshot struct {
	by      *saver
	regions []region
	links   []uint32         // the links of all references, in the order in which they are met
	dyns    []*shape         // the types in interfaces, in that order
	kept    []unsafe.Pointer // what is not a region
	arena   []uint64

	steady   bool // the next save may begin with a repeat
	compared int  // the number of regions that are compared
	linked   int  // the number of their links
	aliases  []alias
	aliased  bool // the aliases are known

	stretches []stretch // memory for finding the aliases
}

func (m *snapshot) saved() bool { return len(m.regions) > 0 }

func (m *snapshot) forget() {
	clear(m.regions[:cap(m.regions)])
	clear(m.dyns[:cap(m.dyns)])
	clear(m.kept[:cap(m.kept)])
	m.regions, m.links, m.dyns, m.kept, m.arena = m.regions[:0], m.links[:0], m.dyns[:0], m.kept[:0], m.arena[:0]
	m.by, m.steady, m.compared, m.linked, m.aliases, m.aliased = nil, false, 0, 0, m.aliases[:0], false
}

func (m *snapshot) bytes() int {
	//detlint:ignore machine it is how much memory a snapshot takes here
	return len(m.regions)*int(unsafe.Sizeof(region{})) + 4*len(m.links) + int(ptrSize)*(len(m.dyns)+len(m.kept)) + 8*len(m.arena)
}

// content returns the copy of a region.
func (m *snapshot) content(r *region) unsafe.Pointer {
	if int(r.at) >= len(m.arena) {
		return nil // it has no size
	}
	return at(unsafe.Pointer(unsafe.SliceData(m.arena)), uintptr(r.at)*8)
}

// walker saves graphs. It has the memory needed for that, and is reused.
type walker struct {
	by      *saver
	m       *snapshot
	table   table
	entered int // regions that were considered for the table
	loose   int // regions that are not in the older snapshot
	older   older
	parents []parent
	shapes  map[unsafe.Pointer]*shape // by the first word of an interface
	recent  [recentTypes]recentType   // a cache of some of these
	later   []uint32                  // regions with something that is not compared
	tails   []tail
	keyed   []uint32 // maps whose keys lead to something, in the order in which they are met
	hiding  bool     // the values now walked are not compared
	at      parent   // what is walked
	whole   bool     // the whole region, not the place in it
	maps    mapScratch
	scratch snapshot
	repeat  repeat
	uneven  bool // something was met that a repeat cannot save
}

// older is what the snapshot held before. Most references still refer to the same place as then, so the expected target
// is compared first, which costs less than looking it up in the table.
type older struct {
	regions []region
	links   []uint32
	link    []uint32 // by older region: its number now; 0 if it was not met yet
	region  []uint32 // by region now: the number of the older one plus 1; 0 if there was none
	next    int      // the link that is expected next

	expectation int // the older region to which the reference at hand has led; negative if there is none
}

// expect advances to the next reference.
func (o *older) expect() {
	o.expectation = -1
	if o.next < len(o.links) {
		o.expectation = int(o.links[o.next]) - linkFirst
		o.next++
	}
}

// recentTypes is how many types of interfaces are cached for fast lookup; a power of two.
const recentTypes = 64

type recentType struct {
	typ   unsafe.Pointer
	shape *shape
}

// parent is where a region was first met: off bytes into an element of another one.
type parent struct {
	region, element uint32
	off             uint32
	part            part
	indexed         bool // the region has the elements of a slice
	boxed           bool // it is what an interface holds
	held            bool // it is what a pointer or a map in an interface leads to
}

// part is the part of a region from which an offset counts.
type part uint8

const (
	partElement part = iota
	partKey          // the key of an entry of a map
	partEntry        // its value
)

// tail is the memory between the length and the capacity of a slice.
type tail struct {
	data  unsafe.Pointer
	shape *shape
	n     int
	from  parent
}

func newWalker(s *saver) *walker {
	return &walker{by: s, table: newTable(), shapes: map[unsafe.Pointer]*shape{}}
}

// arenaLimit bounds the words of an arena; regions are bounded by walkLimit.
const arenaLimit = 1<<31 - 1

// save stores a graph. On an error nothing is stored.
func (w *walker) save(root unsafe.Pointer, m *snapshot) error {
	same := 0
	if w.repeat.begin(w, root, m) {
		if same = w.repeat.run(); same == len(m.regions) {
			return nil
		}
	}
	err := w.walk(root, m, same)
	if err != nil && same > 0 {
		err = w.walk(root, m, 0) // whose errors know the whole path
	}
	return err
}

// walk walks a graph. What it refers to from the first regions is as the snapshot has it.
func (w *walker) walk(root unsafe.Pointer, m *snapshot, same int) error {
	dyns, kept := len(m.dyns), len(m.kept)
	m.regions, w.older.regions = w.older.regions[:0], m.regions
	m.links, w.older.links = w.older.links[:0], m.links
	if same == 0 {
		m.dyns, m.kept, m.arena = m.dyns[:0], m.kept[:0], m.arena[:0]
	}
	w.older.link = slices.Grow(w.older.link[:0], len(w.older.regions))[:len(w.older.regions)]
	clear(w.older.link)
	w.older.region, w.entered, w.loose = w.older.region[:0], 0, 0
	m.by, m.steady, m.aliased = w.by, false, false
	w.m, w.hiding, w.uneven = m, false, false
	w.parents, w.later, w.tails, w.keyed = w.parents[:0], w.later[:0], w.tails[:0], w.keyed[:0]
	w.table.begin()
	if same > 0 {
		w.repeat.resume(same)
	}
	err := w.all(root, same)
	w.m = nil
	clear(w.tails[:cap(w.tails)])
	clear(w.older.regions)
	if err != nil {
		m.forget()
		return err
	}
	// References that are no longer used must not keep anything alive.
	if n := len(m.dyns); n < dyns {
		clear(m.dyns[n:dyns])
	}
	if n := len(m.kept); n < kept {
		clear(m.kept[n:kept])
	}
	return nil
}

func (w *walker) all(root unsafe.Pointer, from int) error {
	if from == 0 {
		w.at, w.older.expectation = parent{}, min(0, len(w.older.regions)-1)
		if _, err := w.meet(root, w.by.root, 1); err != nil {
			return err
		}
	}
	if err := w.queue(from); err != nil {
		return err
	}
	m := w.m
	m.steady = !w.uneven && len(w.later) == 0 && len(w.tails) == 0
	m.compared, m.linked, w.hiding = len(m.regions), len(m.links), true
	for _, i := range w.later {
		if err := w.follow(int(i), true); err != nil {
			return err
		}
	}
	next := m.compared
	for {
		if err := w.queue(next); err != nil {
			return err
		}
		next = len(m.regions)
		if len(w.tails) == 0 {
			return nil
		}
		t := w.tails[len(w.tails)-1]
		w.tails = w.tails[:len(w.tails)-1]
		w.at, w.older.expectation = t.from, -1
		if _, err := w.meet(t.data, t.shape, t.n); err != nil {
			return err
		}
	}
}

// queue walks all regions from the given number on, including regions found on the way.
func (w *walker) queue(next int) error {
	for {
		for ; next < len(w.m.regions); next++ {
			if err := w.region(next); err != nil {
				return err
			}
		}
		if len(w.keyed) == 0 {
			return nil
		}
		first := int(w.keyed[0])
		w.keyed = w.keyed[:copy(w.keyed, w.keyed[1:])]
		if err := w.entries(first); err != nil {
			return err
		}
	}
}

// region copies a region and follows its references.
func (w *walker) region(i int) error {
	r := &w.m.regions[i]
	sh := r.shape
	w.at, w.whole = parent{region: uint32(i)}, true
	if sh.kind == shapeEntries {
		if !w.hiding && !sh.key.flat {
			// The order of such keys may depend on regions that are met later.
			w.keyed, w.uneven = append(w.keyed, uint32(i)), true
			return nil
		}
		return w.entries(i)
	}
	n := uintptr(r.count) * sh.size
	dst, err := w.room(r, n)
	if err != nil {
		return err
	}
	if sh.partial {
		for e := range uintptr(r.count) {
			copySpans(at(dst, e*sh.size), at(r.addr, e*sh.size), sh.runs)
		}
	} else {
		copy(bytesAt(dst, n), bytesAt(r.addr, n))
	}
	if w.parents[i].boxed {
		r.addr = nil
	}
	if len(sh.hidden) > 0 && !w.hiding {
		w.later = append(w.later, uint32(i))
	}
	if err := w.follow(i, false); err != nil || !w.hiding {
		return err
	}
	return w.follow(i, true)
}

// room makes room for the content of a region.
func (w *walker) room(r *region, n uintptr) (unsafe.Pointer, error) {
	m := w.m
	from, words := len(m.arena), int((n+7)/8)
	if words > arenaLimit-from {
		return nil, w.fail(ErrTooLarge, "more than 16 GiB", "leave out what is no state")
	}
	r.at, r.link, r.dyn = uint32(from), uint32(len(m.links)), uint32(len(m.dyns))
	if cap(m.arena)-from < words {
		larger := make([]uint64, from, max(from+words, 2*cap(m.arena), 1024))
		copy(larger, m.arena)
		m.arena = larger
	}
	m.arena = m.arena[:from+words]
	if words == 0 {
		return nil, nil
	}
	m.arena[len(m.arena)-1] = 0 // the bytes after the last one
	return unsafe.Pointer(&m.arena[from]), nil
}

// follow follows the references in a region, or those that are not compared.
func (w *walker) follow(i int, hidden bool) error {
	r := w.m.regions[i] // a copy: the list may grow in the meantime
	w.older.next = len(w.older.links)
	if o := w.older.region[i]; o != 0 && !hidden {
		w.older.next = int(w.older.regions[o-1].link)
	}
	w.at, w.whole = parent{region: uint32(i)}, false
	if r.shape.kind == shapeEntries {
		return w.followEntries(&r, hidden)
	}
	list := r.shape.list(hidden)
	if len(list) == 0 {
		return nil
	}
	for e := range uintptr(r.count) {
		w.at.element = uint32(e)
		if err := w.refs(uintptr(r.at)*8+e*r.shape.size, 0, list); err != nil {
			return err
		}
	}
	return nil
}

func (sh *shape) list(hidden bool) []ref {
	if hidden {
		return sh.hidden
	}
	return sh.code.follow
}

// refs follows the references of a value that is off bytes into the element starting at byte start of the arena. (The
// arena may move.)
func (w *walker) refs(start, off uintptr, list []ref) error {
	for i := range list {
		r := &list[i]
		if r.kind == followRepeat {
			for k := range r.n {
				if err := w.refs(start, off+r.off+k*r.stride, r.body); err != nil {
					return err
				}
			}
			continue
		}
		w.at.off, w.at.held, w.at.indexed = uint32(off+r.off), false, false
		p := at(unsafe.Pointer(unsafe.SliceData(w.m.arena)), start+off+r.off)
		word := *(*unsafe.Pointer)(p)
		to, err := uint32(linkNil), error(nil)
		switch r.kind {
		case followKeep:
			if word != nil {
				w.m.kept = append(w.m.kept, word)
			}
			continue
		case followRefuse:
			if r.shape.typ.Kind() == reflect.Struct || !isZero(p, r.shape.size) {
				return w.refuse(r.shape)
			}
			continue
		}
		w.older.expect()
		switch r.kind {
		case followPointer:
			to, err = w.pointer(word, r.shape.elem)
		case followMap:
			if word != nil {
				to, err = w.meet(word, r.shape.entries, 0)
			}
		case followSlice:
			to, err = w.slice(p, word, r.shape.elem)
		case followIface:
			to, err = w.iface(p, word, r.shape)
		}
		if err != nil {
			return err
		}
		w.m.links = append(w.m.links, to)
	}
	return nil
}

func isZero(p unsafe.Pointer, n uintptr) bool {
	for _, b := range bytesAt(p, n) {
		if b != 0 {
			return false
		}
	}
	return true
}

func (w *walker) pointer(word unsafe.Pointer, elem *shape) (uint32, error) {
	switch {
	case word == nil:
		return linkNil, nil
	case elem.size == 0:
		return linkEmpty, nil
	}
	return w.meet(word, elem, 1)
}

// slice follows a slice whose header is at p.
func (w *walker) slice(p, data unsafe.Pointer, elem *shape) (uint32, error) {
	n, capacity := *(*int)(at(p, ptrSize)), *(*int)(at(p, 2*ptrSize))
	if data == nil {
		return linkNil, nil
	}
	if elem.size == 0 || capacity == 0 {
		w.m.kept = append(w.m.kept, data)
		return linkEmpty, nil
	}
	if w.by.options.capacity && capacity > n {
		from := w.at
		w.tails = append(w.tails, tail{at(data, uintptr(n)*elem.size), elem, capacity - n, from})
	}
	if n == 0 {
		w.m.kept = append(w.m.kept, data)
		return linkEmpty, nil
	}
	w.at.indexed = true
	return w.meet(data, elem, n)
}

// iface follows the content of an interface whose two words are at p.
func (w *walker) iface(p, typ unsafe.Pointer, sh *shape) (uint32, error) {
	if typ == nil {
		return linkNil, nil
	}
	dyn, data := w.dynamic(p, typ, sh), *(*unsafe.Pointer)(at(p, ptrSize))
	w.m.dyns = append(w.m.dyns, dyn)
	w.m.kept = append(w.m.kept, data)
	w.at.held = true
	switch {
	case dyn.kind == shapePointer:
		return w.pointer(data, dyn.elem)
	case dyn.kind == shapeMap:
		if data == nil {
			return linkNil, nil
		}
		return w.meet(data, dyn.entries, 0)
	case dyn.flat:
		return linkEmpty, nil
	case dyn.direct:
		data = at(p, ptrSize)
	}
	w.at.held, w.at.boxed = false, true
	return w.add(data, dyn, 1)
}

// dynamic returns the shape of the content of an interface.
func (w *walker) dynamic(p, typ unsafe.Pointer, sh *shape) *shape {
	recent := &w.recent[uintptr(typ)>>5%recentTypes]
	if recent.typ == typ {
		return recent.shape
	}
	dyn := w.shapes[typ]
	if dyn == nil {
		dyn = w.by.shapeOf(reflect.NewAt(sh.typ, p).Elem().Elem().Type())
		w.shapes[typ] = dyn
	}
	*recent = recentType{typ, dyn}
	return dyn
}

// meet returns the number of a region, and adds the region if it is met for the first time.
func (w *walker) meet(addr unsafe.Pointer, sh *shape, n int) (uint32, error) {
	was := w.older.expectation
	if was >= 0 {
		o := &w.older.regions[was]
		if o.addr != addr || o.shape != sh || int(o.count) != n && sh.kind != shapeEntries {
			was = -1
		} else if to := w.older.link[was]; to != 0 {
			return to, nil
		}
	}
	// An expected target that was not met yet can only be a region that was not expected.
	if was < 0 || w.loose > 0 {
		if was < 0 {
			w.enterAll()
		}
		if to, found := w.find(addr, sh, n); found {
			return to, nil
		}
	}
	to, err := w.add(addr, sh, n)
	if err != nil {
		return 0, err
	}
	if was < 0 {
		w.loose++
		w.enterAll()
		return to, nil
	}
	w.older.link[was], w.older.region[to-linkFirst] = to, uint32(was+1)
	return to, nil
}

// enterAll adds all regions to the table that are not there yet.
func (w *walker) enterAll() {
	w.table.reserve(len(w.m.regions))
	for ; w.entered < len(w.m.regions); w.entered++ {
		if r := &w.m.regions[w.entered]; !w.parents[w.entered].boxed {
			w.table.enter(uintptr(r.addr), uint32(w.entered+linkFirst))
		}
	}
}

func (w *walker) find(addr unsafe.Pointer, sh *shape, n int) (uint32, bool) {
	return w.table.find(w.m.regions, addr, sh, n)
}

// add adds a region that was not met yet. (The content of an interface is always new: the identity of its box does not
// count.)
func (w *walker) add(addr unsafe.Pointer, sh *shape, n int) (uint32, error) {
	m := w.m
	number := len(m.regions)
	if number >= walkLimit || uint64(n) > arenaLimit {
		return 0, w.fail(ErrTooLarge, "more than "+strconv.Itoa(walkLimit)+" objects", "leave out what is no state")
	}
	m.regions = append(m.regions, region{addr: addr, shape: sh, count: uint32(n)})
	w.parents = append(w.parents, w.at)
	w.older.region = append(w.older.region, 0)
	w.at.indexed, w.at.boxed, w.at.held = false, false, false
	return uint32(number + linkFirst), nil
}
