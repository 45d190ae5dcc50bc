//detlint:ignore concurrency the one place in a step that is parallel: each item is done once, by one goroutine, and sees nothing of the others
package world

import (
	"sync"
	"sync/atomic"
)

// workerPool runs the items of stages on several goroutines. They are started by the first stage that has work for
// them, and wait for the next one in a busy loop, since waking a goroutine takes longer than most of what a step does
// between two stages. A goroutine that has waited for patience rounds ends. So soon after a step none are left: they
// need not be stopped, and do not occupy a processor for long.
//
// It is separate from the store, and has everything that waiting goroutines read: they may outlast a step for a moment,
// in which others may read the world.
type workerPool struct {
	items int // the number of items of the running stage; goroutines that have taken one from rest may read this and do
	do    worker
	start func()     // the serve method as a function value, made once so that starting a goroutine allocates nothing
	wake  sync.Mutex // always locked, except while a sleeping goroutine is being woken

	_      [64]byte     // the fields that all goroutines write have their own cache line
	rest   atomic.Int64 // number of items not yet begun; negative counts as 0
	left   atomic.Int64 // number of items not yet done
	staff  atomic.Int32 // the number of goroutines
	asleep atomic.Bool  // the goroutine that runs the world waits for wake
	_      [40]byte
}

// worker runs one item of a stage, and does not panic.
type worker interface{ item(i int) }

// The limits for waiting, in rounds of breathe, which take about 20 ns: how long a goroutine stays without work, and
// how long the one that runs the world waits before it sleeps.
const (
	patience = 1500
	doze     = 2500
)

func newCrew() *workerPool {
	c := new(workerPool)
	c.wake.Lock()
	return c
}

// serve is the main function of a goroutine.
func (c *workerPool) serve() {
	for c.stays() {
		c.help()
	}
	c.staff.Add(-1)
}

// call starts goroutines until the given number of them is running.
func (c *workerPool) call(staff int) {
	if c.start == nil {
		c.start = c.serve
	}
	for int(c.staff.Load()) < staff {
		c.staff.Add(1)
		go c.start()
	}
}

// run does all items, on the calling goroutine and at most others additional ones, and returns when they are done.
// Lower items are started first.
func (c *workerPool) run(do worker, items, others int) {
	c.do, c.items = do, items
	c.left.Store(int64(items))
	c.rest.Store(int64(items)) // from here on other goroutines can see it
	c.call(others)
	c.help()
	c.wait()
	c.do = nil
}

// help processes items until none is left to begin.
func (c *workerPool) help() {
	done := int64(0)
	for c.rest.Load() > 0 {
		if i := c.rest.Add(-1); i >= 0 { // if negative, another goroutine has taken the last item
			c.do.item(c.items - 1 - int(i))
			done++
		}
	}
	if done > 0 && c.left.Add(-done) == 0 && c.asleep.CompareAndSwap(true, false) {
		c.wake.Unlock()
	}
}

// stays waits for items, and reports whether there are any. If it returns false, the goroutine ends.
func (c *workerPool) stays() bool {
	for range patience {
		if c.rest.Load() > 0 {
			return true
		}
		_ = spin() // only to pass time
	}
	return false
}

// wait returns when all items are done. The goroutine that finishes last wakes it; a wake-up meant for an earlier stage
// may come late, so it may wake too early.
func (c *workerPool) wait() {
	for range doze {
		if c.left.Load() == 0 {
			return
		}
		_ = spin() // only to pass time
	}
	for {
		c.asleep.Store(true)
		if c.left.Load() == 0 && c.asleep.CompareAndSwap(true, false) {
			return
		}
		c.wake.Lock() // if nothing is left, somebody is about to unlock it
	}
}

// spin takes about 20 ns. For most of that time the processor waits for a product, and can work for another thread of
// the core.
//
//go:noinline
func spin() uint64 {
	x := uint64(3)
	for range 12 {
		x *= x
	}
	return x
}
