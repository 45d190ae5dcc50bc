package served

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// farewell is how long a leaving client waits for the server's acknowledgement.
const farewell = time.Second

// leaving reports whether the server may not know yet that the client has left.
func (r *serverLink) leaving(now time.Duration) bool {
	return r.left > 0 && r.pipe.Channel.Pending() > 0 && now < r.left+farewell
}

// linger repeats the farewell and returns when to call it again.
func (r *serverLink) linger(now time.Duration) (next time.Duration) {
	if !r.leaving(now) {
		return now + time.Second
	}
	if r.pipe.Due(now) <= now && !r.out.Full() {
		r.out.Seal(r.pipe.Append(r.out.Bytes, now), r.cfg.Server)
	}
	return min(r.pipe.Due(now), r.left+farewell)
}

// acknowledge handles a datagram after the end, for its acknowledgements.
func (r *serverLink) acknowledge(at time.Duration, from netip.AddrPort, b []byte) {
	if r.left > 0 && from == r.cfg.Server && datagram.IsWatch(b) {
		if _, err := r.pipe.Receive(at, b); err != nil {
			r.left = 0
		}
	}
}
