package tickback

import "time"

// Waiter is a [Transport] that waits for a loop that has nothing else to do, in a better way than a timer
// beside the channel of Notify; transport/udp is one. It need not be implemented.
type Waiter interface {
	// Wait returns after d, or with wake as soon as a datagram may have arrived. It may return early.
	Wait(d time.Duration, wake bool)
}

// lookEvery is how often to look for datagrams of a transport that does not tell when they arrive.
const lookEvery = time.Millisecond

// WaitFor returns after d, or with wake as soon as a datagram may have arrived at a transport: for a loop of
// your own, which then calls Receive. A transport that can neither wait nor tell is looked at again after a
// millisecond. Without a transport it is time.Sleep.
func WaitFor(t Transport, d time.Duration, wake bool) {
	if w, ok := t.(Waiter); ok {
		w.Wait(d, wake)
		return
	}
	if t == nil || !wake {
		time.Sleep(d)
		return
	}
	arrived := t.Notify()
	if arrived == nil {
		time.Sleep(min(d, lookEvery))
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-arrived:
	}
}
