package tickback

import "time"

// Waiter is a [Transport] that can wait on behalf of an idle loop, which costs less than a timer together with the
// channel of Notify; transport/udp is one. Implementing it is optional.
type Waiter interface {
	// Wait returns after d, or, if wake is set, as soon as a datagram may have arrived. It may return early.
	Wait(d time.Duration, wake bool)
}

// lookEvery is the polling interval for a transport that does not signal the arrival of datagrams.
const lookEvery = time.Millisecond

// WaitFor returns after d, or, if wake is set, as soon as a datagram may have arrived at a transport. It is for a loop
// of your own, which then calls Receive. A transport that can neither wait nor notify is polled every millisecond.
// Without a transport it is like time.Sleep.
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
