//detlint:ignore concurrency the one place in a step that is parallel: each item is done once, by one goroutine, and sees nothing of the others
package world

import (
	"sync"
	"sync/atomic"
)

// workerPool does the items of stages on several goroutines. They come with the first stage that has work
// for them, and wait for the next one in a loop that looks for it all the time, since to wake a
// goroutine takes longer than most of what a step does between two stages. One that has waited for
// patience rounds leaves. So none is left soon after a step, nobody has to end them, and a
// processor that others need is not held for long.
//
// It is apart from the store, and what goroutines that wait look at is here alone: they may outlast
// a step for a moment, in which others may look at the world.
type workerPool struct {
	items int // of the stage that runs; whoever has taken one of rest may read it, and do
	do    worker
	start func()     // serve, made once, so that starting a goroutine allocates nothing
	wake  sync.Mutex // locked, but for the moment in which one that sleeps is woken

	_      [64]byte     // what all write has a cache line of its own
	rest   atomic.Int64 // of the items, those that nobody has begun; below 0 counts as 0
	left   atomic.Int64 // of the items, those that are not done
	staff  atomic.Int32 // goroutines
	asleep atomic.Bool  // the one that runs the world waits for wake
	_      [40]byte
}

// worker does one item of a stage, and does not panic.
type worker interface{ item(i int) }

// The bounds of waiting, in rounds of breathe, which take about 20 ns: how long a goroutine stays
// without work, and how long the one that runs the world waits before it sleeps.
const (
	patience = 1500
	doze     = 2500
)

func newCrew() *workerPool {
	c := new(workerPool)
	c.wake.Lock()
	return c
}

// serve is what a goroutine does.
func (c *workerPool) serve() {
	for c.stays() {
		c.help()
	}
	c.staff.Add(-1)
}

// call starts goroutines until there are so many.
func (c *workerPool) call(staff int) {
	if c.start == nil {
		c.start = c.serve
	}
	for int(c.staff.Load()) < staff {
		c.staff.Add(1)
		go c.start()
	}
}

// run does all items, on the calling goroutine and so many others at most, and returns when they
// are done. The lowest are begun first.
func (c *workerPool) run(do worker, items, others int) {
	c.do, c.items = do, items
	c.left.Store(int64(items))
	c.rest.Store(int64(items)) // from here on it can be seen
	c.call(others)
	c.help()
	c.wait()
	c.do = nil
}

// help does items until all are begun.
func (c *workerPool) help() {
	done := int64(0)
	for c.rest.Load() > 0 {
		if i := c.rest.Add(-1); i >= 0 { // else another one has begun the last
			c.do.item(c.items - 1 - int(i))
			done++
		}
	}
	if done > 0 && c.left.Add(-done) == 0 && c.asleep.CompareAndSwap(true, false) {
		c.wake.Unlock()
	}
}

// stays waits for items, and reports whether there are any.
func (c *workerPool) stays() bool {
	for range patience {
		if c.rest.Load() > 0 {
			return true
		}
		_ = spin() // for its time
	}
	return false
}

// wait returns when all items are done. Whoever is done last wakes it; one that was meant for an
// earlier stage may come late, and wakes it too early.
func (c *workerPool) wait() {
	for range doze {
		if c.left.Load() == 0 {
			return
		}
		_ = spin() // for its time
	}
	for {
		c.asleep.Store(true)
		if c.left.Load() > 0 {
			c.wake.Lock()
			continue
		}
		if !c.asleep.CompareAndSwap(true, false) {
			c.wake.Lock()
		}
		return
	}
}

// spin takes about 20 ns, most of which the processor waits for a product, and can do what another
// thread of the core has to do.
//
//go:noinline
func spin() uint64 {
	x := uint64(3)
	for range 12 {
		x *= x
	}
	return x
}
