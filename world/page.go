package world

import (
	"reflect"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/tickback/tickback/canon"
)

// page is a page of a part, with the number of lists that contain it: the list of the live world, those of snapshots,
// and the one from before a running stage.
//
// Only the goroutine that runs the world changes the count, and in a stage the worker that has the page's chunk.
// Snapshots that other goroutines read are counted, so the pages that they read never change.
type page[E any] struct {
	content *E
	lists   int32
	digest  atomic.Uint64 // the digest of the content; 0 if not known
}

// kind is what all pages of a part share, both in the live world and in snapshots.
type kind[E any] struct {
	path string
	plan *canon.Plan[E]
	zero *page[E] // stands for all pages without content; it is not counted, and never written
	mu   sync.Mutex
	free []*page[E]
}

// newPage returns a page that is in one list. Its content is undefined.
//
//detlint:ignore concurrency which free page is taken does not matter: all of its content is written over
func (k *kind[E]) newPage(parallel bool) *page[E] {
	if parallel {
		k.mu.Lock()
		defer k.mu.Unlock()
	}
	n := len(k.free)
	if n == 0 {
		return &page[E]{content: new(E), lists: 1}
	}
	p := k.free[n-1]
	k.free = k.free[:n-1]
	p.lists = 1
	return p
}

// pages are the pages of a part.
type pages[E any] struct {
	_ noCopy
	*kind[E]
	store *store
	list  []*page[E]
	found []*page[E] // in a stage over the part's table: the list as it was before the stage
	watch watch
}

// noCopy makes go vet report copies of values that must not be copied: two lists would count a page only once.
type noCopy struct{}

// Lock marks the type for go vet, which reports copies of values that can be locked; it does nothing.
func (*noCopy) Lock() {}

// Unlock does nothing. It belongs to Lock, since go vet looks for both.
func (*noCopy) Unlock() {}

// attach prepares the pages; like has the corresponding ones in the live world, if these belong to a snapshot.
func (p *pages[E]) attach(b *binder, path string, like part) {
	p.store = b.store
	if like != nil {
		p.kind = like.(interface{ kindOf() any }).kindOf().(*kind[E])
		return
	}
	plan, err := canon.PlanFor[E]()
	if err != nil {
		b.refuse(path, err)
		return
	}
	zero := &page[E]{content: new(E), lists: 2}
	p.kind = &kind[E]{path: path, plan: plan, zero: zero}
}

func (p *pages[E]) kindOf() any     { return p.kind }
func (p *pages[E]) pathOf() string  { return p.path }
func (p *pages[E]) storeOf() *store { return p.store }

// write returns the content of a page to be changed. It is copied first if it is in another list.
//
//detlint:ignore concurrency a hash that is remembered is forgotten, by the one worker that has the chunk
func (p *pages[E]) write(i int) *E {
	pg := p.list[i]
	if pg.lists > 1 {
		pg = p.own(i)
	}
	if pg.digest.Load() != 0 {
		pg.digest.Store(0)
	}
	return pg.content
}

// own replaces a page by a copy that is only in this list. write calls it, and then clears the digest.
func (p *pages[E]) own(i int) *page[E] {
	old, pg := p.list[i], p.newPage(p.store.parallel)
	*pg.content = *old.content
	p.leave(old)
	p.list[i] = pg
	return pg
}

func (p *pages[E]) join(pg *page[E]) {
	if pg != p.zero {
		pg.lists++
	}
}

// leave removes a page from a list. A page that is in no list is reused.
func (p *pages[E]) leave(pg *page[E]) {
	if pg == p.zero {
		return
	}
	if pg.lists--; pg.lists == 0 {
		p.free = append(p.free, pg)
	}
}

// shareFrom makes the list share the pages of another one of the same kind.
func (p *pages[E]) shareFrom(from *pages[E]) {
	n := min(len(p.list), len(from.list))
	for i, pg := range from.list[:n] {
		if old := p.list[i]; old != pg {
			p.join(pg)
			p.leave(old)
			//detlint:ignore alias pages are shared on purpose: each counts its lists, and is copied before it is written to
			p.list[i] = pg
		}
	}
	p.resize(n)
	for _, pg := range from.list[n:] {
		p.join(pg)
		//detlint:ignore alias pages are shared on purpose, as above
		p.list = append(p.list, pg)
	}
}

// resize shortens the list, or adds pages without content.
func (p *pages[E]) resize(n int) {
	for i := n; i < len(p.list); i++ {
		p.leave(p.list[i])
		p.list[i] = nil
	}
	if n <= len(p.list) {
		p.list = p.list[:n]
		return
	}
	p.list = slices.Grow(p.list, n-len(p.list))
	for len(p.list) < n {
		p.list = append(p.list, p.zero)
	}
}

// enter begins a stage: the current list stays readable, and every page is copied before it is written.
func (p *pages[E]) enter() {
	p.found = append(p.found[:0], p.list...)
	for _, pg := range p.found {
		p.join(pg)
	}
	p.watch.grow(len(p.list))
}

// exit ends a stage.
func (p *pages[E]) exit() {
	for i, pg := range p.found {
		p.leave(pg)
		p.found[i] = nil
	}
	p.found = p.found[:0]
}

// settled returns the list that a running stage does not change.
func (p *pages[E]) settled() []*page[E] {
	if len(p.found) > 0 {
		return p.found
	}
	return p.list
}

func (p *pages[E]) count() int     { return len(p.list) }
func (p *pages[E]) pageBytes() int { return p.plan.Size() }

//detlint:ignore machine it is how much memory a page takes here
func (p *pages[E]) memory() int { return int(unsafe.Sizeof(*p.zero.content)) }

func (p *pages[E]) isZero(i int) bool {
	return p.list[i] == p.zero || p.plan.Equal(p.list[i].content, p.zero.content)
}

func (p *pages[E]) samePage(i int, other paged) bool {
	a, b := p.pageOr(i), other.(interface{ pageOr(int) *page[E] }).pageOr(i)
	return a == b || p.plan.Equal(a.content, b.content)
}

// pageOr returns a page, or one without content if i is beyond the last.
func (p *pages[E]) pageOr(i int) *page[E] {
	if i < len(p.list) {
		return p.list[i]
	}
	return p.zero
}

// digest returns the XXH3 of a page's encoding. It is kept until the page is written.
func (p *pages[E]) digest(i int) uint64 { return p.digestOf(p.list[i], i) }

func (p *pages[E]) isEmpty(i int) bool {
	return p.list[i] == p.zero || p.digest(i) == p.digestOf(p.zero, i)
}

//detlint:ignore concurrency a hash that is remembered follows from the content, and anybody finds the same one
func (p *pages[E]) digestOf(pg *page[E], i int) uint64 {
	d := pg.digest.Load()
	if d == 0 || checked {
		sealed := d
		if d = p.plan.Hash(pg.content); d == 0 {
			d = 1
		}
		if sealed != 0 && sealed != d {
			panic(&UseError{Call: "a write", Path: p.path, Row: i * Rows, Err: ErrStale})
		}
		pg.digest.Store(d)
	}
	return d
}

func (p *pages[E]) appendPage(b []byte, i int) []byte { return p.plan.Append(b, p.list[i].content) }

func (p *pages[E]) decodePage(i int, b []byte) error {
	return p.plan.Decode(p.write(i), b)
}

func (p *pages[E]) appendPageDelta(b []byte, i int, base paged) []byte {
	from := base.(interface{ pageOr(int) *page[E] }).pageOr(i)
	return p.plan.AppendDelta(b, from.content, p.list[i].content)
}

func (p *pages[E]) applyPageDelta(i int, b []byte) (int, error) {
	return p.plan.ApplyDelta(p.write(i), b)
}

func (p *pages[E]) elements() string { return string(appendShape(nil, reflect.TypeFor[E]())) }

// appendShape appends the structure of a plain type, without the names of the types, which may change between builds.
func appendShape(b []byte, t reflect.Type) []byte {
	switch t.Kind() {
	case reflect.Struct:
		b = append(b, '{')
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" && f.Tag.Get("canon") != "-" {
				b = append(appendShape(append(append(b, f.Name...), ' '), f.Type), ';')
			}
		}
		return append(b, '}')
	case reflect.Array:
		b = append(strconv.AppendInt(append(b, '['), int64(t.Len()), 10), ']')
		return appendShape(b, t.Elem())
	}
	return append(b, t.Kind().String()...)
}
