//detlint:ignore address,unproved it compares references with what they were before, and copies what they lead to
package canon

import "unsafe"

// Most objects refer to the same others as when a snapshot was last taken into the same memory; what has changed are
// numbers. So a save first goes over the regions as they were, and copies each whose references are the same, without
// following them. A reference may also lead to another region that was met before it, if the old target was, too: then
// all regions keep their numbers. From the first region on that has other references, the graph is walked.

// repeat takes a snapshot again, as far as references are as they were.
type repeat struct {
	w     *walker
	m     *snapshot
	link  int // the link of the reference at hand
	dyn   int // its type, if it is an interface
	kept  int
	met   int         // the number of regions that were met
	ready bool        // the walker's table has all regions
	boxes []openedBox // what the interfaces that were met hold
}

// openedBox is the content of an interface that has references.
type openedBox struct {
	region int
	addr   unsafe.Pointer
}

// begin makes the repeat of a snapshot, and reports whether there is one.
func (r *repeat) begin(w *walker, root unsafe.Pointer, m *snapshot) bool {
	*r = repeat{w: w, m: m, met: 1, boxes: r.boxes[:0]}
	return m.steady && m.by == w.by && m.regions[0].addr == root
}

// run copies regions as long as their references have not changed, and returns how many of them have not.
func (r *repeat) run() int {
	for i := range r.m.regions {
		if !r.region(i) {
			return i
		}
	}
	return len(r.m.regions)
}

// region copies a region, unless its references have changed.
func (r *repeat) region(i int) bool {
	g := &r.m.regions[i]
	sh := g.shape
	link, dyn, kept, met, boxes := r.link, r.dyn, r.kept, r.met, len(r.boxes)
	dst := r.m.content(g)
	same := true
	switch {
	case sh.kind == shapeEntries:
		same = r.entries(i, g, dst)
	case g.addr == nil: // what an interface holds never changes
		r.follow(dst, dst, g, sh.code.follow)
	default:
		if same = r.follow(dst, g.addr, g, sh.code.follow); same {
			copyElements(dst, g.addr, sh, uintptr(g.count))
		}
	}
	if !same {
		r.link, r.dyn, r.kept, r.met, r.boxes = link, dyn, kept, met, r.boxes[:boxes]
	}
	return same
}

// copyElements copies n values of a shape into memory that the garbage collector does not scan.
func copyElements(dst, src unsafe.Pointer, sh *shape, n uintptr) {
	switch size := n * sh.size; {
	case sh.partial:
		for e := range n {
			copySpans(at(dst, e*sh.size), at(src, e*sh.size), sh.runs)
		}
	case size <= smallRun:
		moveSmall(dst, src, size)
	default:
		copy(bytesAt(dst, size), bytesAt(src, size))
	}
}

// follow compares the references of all elements with those of the copy.
func (r *repeat) follow(was, is unsafe.Pointer, g *region, list []ref) bool {
	if len(list) == 0 {
		return true
	}
	for e := range uintptr(g.count) {
		if !r.refs(at(was, e*g.shape.size), at(is, e*g.shape.size), list) {
			return false
		}
	}
	return true
}

// entries takes the entries of a map again, if their number and their references are the same.
func (r *repeat) entries(i int, g *region, dst unsafe.Pointer) bool {
	w, sh := r.w, g.shape
	w.m, w.at, w.hiding = r.m, parent{region: uint32(i)}, false
	base, n, err := w.gather(g)
	w.m = nil
	if err != nil || n != int(g.count) {
		return false
	}
	keys, values := sh.key.code.follow, sh.elem.code.follow
	stride := sh.stride()
	if len(keys) > 0 || len(values) > 0 {
		for k := range w.maps.order {
			was, is := at(dst, uintptr(k)*stride), at(base, uintptr(w.maps.order[k].index)*stride)
			if !r.refs(was, is, keys) || !r.refs(at(was, rounded(sh.key.size)), at(is, rounded(sh.key.size)), values) {
				return false
			}
		}
	}
	w.store(dst, base, stride)
	return true
}

// refs compares references with what they were.
func (r *repeat) refs(was, is unsafe.Pointer, list []ref) bool {
	for i := range list {
		f := &list[i]
		p, q := at(was, f.off), at(is, f.off)
		old, word := *(*unsafe.Pointer)(p), *(*unsafe.Pointer)(q)
		switch f.kind {
		case followPointer, followMap:
			if old == word {
				r.next()
			} else if !r.moved(word, f.shape, 1) {
				return false
			}
		case followSlice:
			if !r.slice(sliceAt(p), sliceAt(q), f.shape) {
				return false
			}
		case followIface:
			if !r.iface(p, q) {
				return false
			}
		case followKeep:
			switch {
			case (old == nil) != (word == nil):
				return false
			case word != nil:
				r.m.kept[r.kept] = word
				r.kept++
			}
		case followRefuse:
			return isZero(q, f.shape.size)
		case followRepeat:
			for k := range f.n {
				if !r.refs(at(p, k*f.stride), at(q, k*f.stride), f.body) {
					return false
				}
			}
		}
	}
	return true
}

// next goes to the next link.
func (r *repeat) next() uint32 {
	to := r.m.links[r.link]
	r.link++
	if to >= linkFirst {
		r.met = max(r.met, int(to-linkFirst)+1)
	}
	return to
}

// moved notes that the reference at hand leads elsewhere now, if all regions keep their numbers.
func (r *repeat) moved(to unsafe.Pointer, sh *shape, n int) bool {
	if old := r.m.links[r.link]; old >= linkFirst && int(old-linkFirst) >= r.met {
		return false // it was the first that led there
	}
	target := sh.elem
	if sh.kind == shapeMap {
		target = sh.entries
	}
	link := uint32(linkNil)
	switch {
	case to == nil:
	case target.size == 0 && target.kind != shapeEntries:
		link = linkEmpty
	default:
		var found bool
		if link, found = r.find(to, target, n); !found || int(link-linkFirst) >= r.met {
			return false
		}
	}
	r.m.links[r.link] = link
	r.link++
	return true
}

// find returns the link to a region.
func (r *repeat) find(p unsafe.Pointer, sh *shape, n int) (link uint32, found bool) {
	t := &r.w.table
	if !r.ready {
		r.ready = true
		t.begin()
		t.reserve(len(r.m.regions))
		for i := range r.m.regions {
			if g := &r.m.regions[i]; g.addr != nil {
				t.enter(uintptr(g.addr), uint32(i+linkFirst))
			}
		}
	}
	return t.find(r.m.regions, p, sh, n)
}

// slice compares slices.
func (r *repeat) slice(was, is *sliceHeader, sh *shape) bool {
	if *was == *is {
		if r.next() == linkEmpty {
			r.kept++
		}
		return true
	}
	if was.data == nil || is.data == nil || was.isEmpty(sh.elem) || is.isEmpty(sh.elem) {
		return false
	}
	return r.moved(is.data, sh, is.length)
}

// isEmpty reports whether there are no regions with the elements of a slice.
func (s *sliceHeader) isEmpty(elem *shape) bool { return elem.size == 0 || s.length == 0 }

// iface compares interfaces. Another value without references may be in one of the same type.
func (r *repeat) iface(p, q unsafe.Pointer) bool {
	old, word := (*[2]unsafe.Pointer)(p), (*[2]unsafe.Pointer)(q)
	if old[0] != word[0] {
		return false
	}
	if word[0] == nil {
		r.next()
		return true
	}
	dyn := r.m.dyns[r.dyn]
	r.dyn++
	to := uint32(linkNil)
	switch refers := dyn.kind == shapePointer || dyn.kind == shapeMap; {
	case old[1] == word[1] || dyn.flat && !refers:
		to = r.next()
	case !refers || !r.moved(word[1], dyn, 1):
		return false
	}
	r.m.kept[r.kept] = word[1]
	r.kept++
	if to >= linkFirst && dyn.kind != shapePointer && dyn.kind != shapeMap {
		data := word[1]
		if dyn.direct {
			data = at(p, ptrSize) // the copy, since q may be scratch memory
		}
		r.boxes = append(r.boxes, openedBox{int(to - linkFirst), data})
	}
	return true
}

// resume prepares the walk of the rest of a graph, from region i on.
func (r *repeat) resume(i int) {
	w, m := r.w, r.m
	first := m.regions[:0]
	if i < len(w.older.regions) {
		g := &w.older.regions[i]
		m.arena, m.links, m.dyns = m.arena[:g.at], append(m.links[:0], w.older.links[:g.link]...), m.dyns[:g.dyn]
	}
	m.kept = m.kept[:r.kept]
	m.regions = append(first, w.older.regions[:r.met]...)
	for k := range m.regions {
		w.older.link[k] = uint32(k + linkFirst)
		w.older.region = append(w.older.region, uint32(k+1))
		w.parents = append(w.parents, parent{})
	}
	for _, b := range r.boxes {
		if w.parents[b.region].boxed = true; b.region >= i {
			m.regions[b.region].addr = b.addr
		}
	}
}
