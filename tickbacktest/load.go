package tickbacktest

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// load keeps all processors busy until the function that it returns is called.
func load() (stop func()) {
	var (
		done atomic.Bool
		wait sync.WaitGroup
	)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			var kept [64][]byte
			for i := 0; !done.Load(); i++ {
				kept[i%len(kept)] = make([]byte, 64+i%4096)
				if i%256 == 0 {
					runtime.Gosched()
				}
			}
			runtime.KeepAlive(&kept)
		})
	}
	wait.Go(func() {
		for !done.Load() {
			runtime.GC()
			runtime.Gosched()
		}
	})
	return func() {
		done.Store(true)
		wait.Wait()
	}
}
