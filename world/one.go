package world

// One is a single value of a world. T is plain, as [canon.PlanFor] requires.
type One[T any] struct{ pages[T] }

func (o *One[T]) bind(b *binder, path string, _ *Table, like part) {
	o.attach(b, path, like)
	if o.kind != nil {
		o.resize(1)
	}
}

// Get returns the value.
func (o *One[T]) Get() T { return *o.list[0].content }

// Set changes the value. In a stage or outside of a step it panics with a [*UseError].
func (o *One[T]) Set(v T) { *o.Write() = v }

// Write returns the value for writing, until the step or the next stage ends. In a stage or outside of a step it panics
// with a [*UseError].
func (o *One[T]) Write() *T {
	o.store.changeable("Write", o.path, noRow)
	return o.write(0)
}

func (o *One[T]) copyFrom(from paged) { o.shareFrom(&from.(*One[T]).pages) }
func (o *One[T]) finish() error       { return nil }
func (o *One[T]) reset() {
	o.resize(0)
	o.resize(1)
}
func (*One[T]) head() (heading, int) { return heading{}, 0 }

func (*One[T]) setHead(heading) error { return nil }
func (*One[T]) wanted(heading) uint64 { return 0 }
