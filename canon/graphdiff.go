//detlint:ignore address,unproved it reads copies, by the types that they were made with
package canon

import (
	"bytes"
	"cmp"
	"reflect"
	"strconv"
	"unsafe"
)

// graphDiffer compares two snapshots side by side, starting at their roots.
type graphDiffer struct {
	trail
	max      int
	report   Report
	a, b     *snapshot
	toB, toA map[uint32]linkMate
	queue    []regionPair // by hop
}

// linkMate is the region at the same place on the other side.
type linkMate struct {
	link uint32
	hop  int
}

type regionPair struct {
	a, b    uint32 // links
	indexed bool   // the elements of a slice
}

// sides are the places of a value on both sides.
type sides struct {
	p, q   unsafe.Pointer
	ca, cb *cursor
}

func (s sides) at(off uintptr) sides { return sides{at(s.p, off), at(s.q, off), s.ca, s.cb} }

func diffSnapshots(a, b *snapshot, max int) Report {
	d := graphDiffer{trail: newTrail(), max: max, a: a, b: b, toB: map[uint32]linkMate{}, toA: map[uint32]linkMate{}}
	if !a.saved() || !b.saved() {
		if a.saved() != b.saved() {
			d.add(savedText(a), savedText(b))
		}
		return d.report
	}
	d.pair(linkFirst, linkFirst, 0, false)
	for i := 0; i < len(d.queue); i++ {
		d.enter(i)
		d.regions(d.queue[i])
	}
	if d.report.Total == 0 && !a.equal(b) {
		d.overlaps()
	}
	return d.report
}

func savedText(m *snapshot) string {
	if m.saved() {
		return "a state"
	}
	return "(nothing saved)"
}

func (d *graphDiffer) add(a, b string) {
	d.report.Total++
	if len(d.report.Differences) < d.max {
		d.report.Differences = append(d.report.Differences, Difference{string(d.path()), a, b})
	}
}

func (d *graphDiffer) pair(a, b uint32, hop int, indexed bool) {
	d.toB[a], d.toA[b] = linkMate{b, hop}, linkMate{a, hop}
	d.queue = append(d.queue, regionPair{a, b, indexed})
}

// down walks a part of a value.
func (d *graphDiffer) down(s step, walk func()) {
	d.steps = append(d.steps, s) // limited by the nesting of types
	walk()
	d.pop()
}

func (d *graphDiffer) regions(pair regionPair) {
	ra, rb := &d.a.regions[pair.a-linkFirst], &d.b.regions[pair.b-linkFirst]
	s := sides{d.a.content(ra), d.b.content(rb), &cursor{d.a, int(ra.link), int(ra.dyn)}, &cursor{d.b, int(rb.link), int(rb.dyn)}}
	sh := ra.shape
	if sh.kind == shapeEntries {
		d.entries(sh, s, int(ra.count), int(rb.count))
		return
	}
	for e := range uintptr(min(ra.count, rb.count)) {
		if pair.indexed {
			d.down(step{kind: stepIndex, index: int(e)}, func() { d.value(sh, s.at(e*sh.size)) })
		} else {
			d.value(sh, s.at(e*sh.size))
		}
	}
}

func (d *graphDiffer) value(sh *shape, s sides) {
	switch sh.kind {
	case shapeNumber:
		if same := (&sameForm{}); !same.form(s.p, s.q, sh.form) {
			d.leaf(sh, s)
		}
	case shapeString:
		if *(*string)(s.p) != *(*string)(s.q) {
			d.leaf(sh, s)
		}
	case shapeTime:
		if same := (&sameForm{}); !same.form(s.p, s.q, sh.form) {
			d.leaf(sh, s)
		}
	case shapePointer, shapeMap:
		d.references(sh, s.ca.next(), s.cb.next(), false)
	case shapeSlice:
		d.slices(sh, s)
	case shapeIface:
		d.ifaces(s)
	case shapeStruct:
		for _, f := range sh.fields {
			switch {
			case f.hidden:
			case isLeafStruct(sh.typ):
				d.value(f.shape, s.at(f.off))
			default:
				d.down(step{kind: stepField, name: f.name}, func() { d.value(f.shape, s.at(f.off)) })
			}
		}
	case shapeArray:
		d.array(sh, s)
	}
}

func (d *graphDiffer) array(sh *shape, s sides) {
	if sh.size == 0 || sh.flat && (&sameForm{}).form(s.p, s.q, sh.form) {
		return
	}
	for i := range sh.count {
		d.down(step{kind: stepIndex, index: int(i)}, func() { d.value(sh.elem, s.at(i*sh.elem.size)) })
	}
}

func (d *graphDiffer) leaf(sh *shape, s sides) {
	a, b := reflect.NewAt(sh.typ, s.p).Elem(), reflect.NewAt(sh.typ, s.q).Elem()
	if sh.kind == shapeTime {
		textA, textB := string(appendLeaf(nil, a, true)), string(appendLeaf(nil, b, true))
		if textA == textB {
			textB += " (of another location)"
		}
		d.add(textA, textB)
		return
	}
	d.add(leafPair(a, b, leafStringer(a)))
}

func (d *graphDiffer) slices(sh *shape, s sides) {
	la, lb := s.ca.next(), s.cb.next()
	na, nb := *(*int)(at(s.p, ptrSize)), *(*int)(at(s.q, ptrSize))
	switch {
	case la == linkNil && lb == linkNil:
	case la == linkNil || lb == linkNil:
		d.add(lengthOrNil(la, na), lengthOrNil(lb, nb))
	case na != nb:
		d.add(lengthOrNil(la, na), lengthOrNil(lb, nb))
		if la >= linkFirst && lb >= linkFirst {
			d.references(sh, la, lb, true)
		}
	default:
		d.references(sh, la, lb, true)
	}
}

func lengthOrNil(link uint32, n int) string {
	if link == linkNil {
		return "nil"
	}
	return "length " + strconv.Itoa(n)
}

func (d *graphDiffer) references(sh *shape, la, lb uint32, indexed bool) {
	if la < linkFirst || lb < linkFirst {
		if la != lb {
			d.add(referenceText(sh, la), referenceText(sh, lb))
		}
		return
	}
	mateB, seenA := d.toB[la]
	mateA, seenB := d.toA[lb]
	switch {
	case !seenA && !seenB:
		d.pair(la, lb, d.discover(), indexed)
	case seenA != seenB || mateB.link != lb:
		d.add(d.sharing(mateB, seenA), d.sharing(mateA, seenB))
	}
}

func referenceText(sh *shape, link uint32) string {
	if link == linkNil {
		return "nil"
	}
	return sh.typ.String()
}

// sharing returns a text that says where a region was first met.
func (d *graphDiffer) sharing(m linkMate, seen bool) string {
	if !seen {
		return "not met before"
	}
	return "as at " + label(d.appendHop(nil, m.hop)) + string(appendNumber([]byte(" "), m.hop))
}

func (d *graphDiffer) ifaces(s sides) {
	la, lb := s.ca.next(), s.cb.next()
	var da, db *shape
	if *(*unsafe.Pointer)(s.p) != nil {
		da = s.ca.nextType()
	}
	if *(*unsafe.Pointer)(s.q) != nil {
		db = s.cb.nextType()
	}
	switch {
	case da == nil && db == nil:
	case da == nil || db == nil || da.typ != db.typ:
		d.add(shapeText(da), shapeText(db))
	default:
		d.down(step{kind: stepType, name: da.typ.String()}, func() {
			if da.flat && da.kind != shapePointer {
				d.value(da, sides{inside(s.p, da), inside(s.q, db), nil, nil})
			} else {
				d.references(da, la, lb, false)
			}
		})
	}
}

func shapeText(sh *shape) string {
	if sh == nil {
		return "nil"
	}
	return sh.typ.String()
}

// entries compares the entries of two maps, which are sorted by their keys.
func (d *graphDiffer) entries(sh *shape, s sides, na, nb int) {
	for i, j := 0, 0; i < na || j < nb; {
		order := 0
		p, q := at(s.p, uintptr(i)*sh.stride()), at(s.q, uintptr(j)*sh.stride())
		switch {
		case i == na:
			order = +1
		case j == nb:
			order = -1
		default:
			order = compareSavedKeys(sh.key, sides{p, q, s.ca, s.cb})
		}
		entry := sides{p, q, s.ca, s.cb}
		first := p
		if order > 0 {
			first = q
		}
		d.down(step{kind: stepKey, key: reflect.NewAt(sh.typ.Key(), first).Elem()}, func() {
			switch {
			case order < 0:
				d.add(summary(reflect.NewAt(sh.typ.Elem(), at(p, rounded(sh.key.size))).Elem()), missing)
				skip(p, sh.key.form, s.ca)
				skip(at(p, rounded(sh.key.size)), sh.elem.form, s.ca)
			case order > 0:
				d.add(missing, summary(reflect.NewAt(sh.typ.Elem(), at(q, rounded(sh.key.size))).Elem()))
				skip(q, sh.key.form, s.cb)
				skip(at(q, rounded(sh.key.size)), sh.elem.form, s.cb)
			default:
				d.value(sh.key, entry)
				d.value(sh.elem, entry.at(rounded(sh.key.size)))
			}
		})
		if order <= 0 {
			i++
		}
		if order >= 0 {
			j++
		}
	}
}

// compareSavedKeys orders two saved keys as their map was sorted. Keys with references are compared in the order in
// which they are stored.
func compareSavedKeys(key *shape, s sides) int {
	switch kind := key.typ.Kind(); {
	case key.kind == shapeString:
		return cmp.Compare(*(*string)(s.p), *(*string)(s.q))
	case key.kind == shapeNumber && kind >= reflect.Int && kind <= reflect.Uintptr:
		return compareKeys(entry{key: reflect.NewAt(key.typ, s.p).Elem()}, entry{key: reflect.NewAt(key.typ, s.q).Elem()})
	}
	a, okA := appendSavedKey(nil, s.p, key.form, *s.ca)
	b, okB := appendSavedKey(nil, s.q, key.form, *s.cb)
	if !okA || !okB {
		return 0
	}
	return bytes.Compare(a, b)
}

// appendSavedKey appends the form of a key as [walker.appendKey] does, unless the key has references.
func appendSavedKey(b []byte, p unsafe.Pointer, form []piece, c cursor) ([]byte, bool) {
	for i := range form {
		f := &form[i]
		q := at(p, f.off)
		switch f.kind {
		case shapeArray:
			for k := range f.n {
				var ok bool
				if b, ok = appendSavedKey(b, at(q, k*f.stride), f.body, c); !ok {
					return nil, false
				}
				skip(at(q, k*f.stride), f.body, &c)
			}
		case shapePointer:
			return nil, false
		case shapeIface:
			if c.next(); *(*unsafe.Pointer)(q) == nil {
				b = append(b, 0)
				continue
			}
			dyn := c.nextType()
			if !dyn.flat || dyn.kind == shapePointer {
				return nil, false
			}
			b = appendOwnForm(appendUint64(append(b, 1), dyn.name), inside(q, dyn), dyn.form)
		default:
			b = appendLeafForm(b, q, f)
		}
	}
	return b, true
}

// skip skips the links of a value.
func skip(p unsafe.Pointer, form []piece, c *cursor) {
	for i := range form {
		f := &form[i]
		switch f.kind {
		case shapeArray:
			for k := range f.n {
				skip(at(p, f.off+k*f.stride), f.body, c)
			}
		case shapePointer, shapeSlice, shapeMap:
			c.next()
		case shapeIface:
			c.next()
			if *(*unsafe.Pointer)(at(p, f.off)) != nil {
				c.nextType()
			}
		}
	}
}

// overlaps reports the first region that overlaps others on one side only, or at another place.
func (d *graphDiffer) overlaps() {
	for i := range d.a.compared {
		a, b := d.a.aliasFor(uint32(i)), d.b.aliasFor(uint32(i))
		if a == b {
			continue
		}
		d.enter(d.toB[uint32(i+linkFirst)].hop)
		d.add(d.aliasText(a), d.aliasText(b))
		return
	}
}

// aliasFor returns the alias of a region, or the zero alias if it has none.
func (m *snapshot) aliasFor(guest uint32) alias {
	for _, a := range m.aliases {
		if a.guest == guest {
			return a
		}
	}
	return alias{}
}

func (d *graphDiffer) aliasText(a alias) string {
	if a == (alias{}) {
		return "memory of its own"
	}
	host := label(d.appendHop(nil, d.toB[a.host+linkFirst].hop))
	if a.place == 0 {
		return "the same map as " + host
	}
	text := "part of " + host + string(appendIndex(nil, uintptr(a.element)))
	return text + " " + strconv.FormatUint(a.place, 16)
}
