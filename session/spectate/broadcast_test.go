package spectate

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: spectators see what is agreed, less the delay until the match has ended, and newcomers all of it; a host
// that joined the match has nothing to show before the frames that it has.
func TestWhatIsVisible(t *testing.T) {
	b := broadcast{shape: hallShape, delay: 10, spans: spansOf(hallPeriod)}
	want(t, "a frame of no match", b.expects(0), false)
	if err := b.begin(&datagram.Offer{Match: 1}, minLog); err != nil {
		t.Fatal(err)
	}
	for n := range uint32(30) {
		want(t, "expected", b.expects(n), true)
		if err := b.add(hallFrame(n)); err != nil {
			t.Fatal(err)
		}
		want(t, "to a newcomer", b.visible(true), n+1)
		want(t, "to a spectator", b.visible(false), n+1-min(n+1, 10))
	}
	want(t, "one that is there", b.expects(29), false)
	want(t, "it is fresh", b.fresh(false), true)
	b.finish(End{Frames: 30})
	b.finish(End{Frames: 31})
	want(t, "the end", b.end.Frames, 30)
	want(t, "after it", b.visible(false), 30)
	want(t, "expected after it", b.expects(30), false)
	if err := b.begin(&datagram.Offer{Match: 2}, minLog); err != nil {
		t.Fatal(err)
	}
	b.from(200)
	want(t, "of a match that we have joined", b.visible(true), 200)
	want(t, "expected earlier", b.expects(100), false)
	want(t, "until we have it", b.visible(true), 101)
	want(t, "it is fresh then", b.fresh(true), false)
}

// Rule: a reason has at most 256 bytes, and an empty one is one, too.
func TestAClosedBroadcast(t *testing.T) {
	for size, wanted := range map[int]int{0: 0, maxText: maxText, maxText + 1: maxText} {
		var b broadcast
		b.close(strings.Repeat("x", size))
		want(t, "closed", b.closed, true)
		want(t, "bytes", len(b.reason), wanted)
		var f feed
		m := f.message(nil, 0, &heldStates{broadcast: &b}, 0)
		want(t, "a farewell", len(m) == 1+wanted && m[0] == messageBye && f.bye, true)
		want(t, "after it", len(f.message(nil, 0, &heldStates{broadcast: &b}, 0)), 0)
	}
}
