package peer

import (
	"bytes"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a body of any size up to Room arrives unchanged, in addition to whatever of the stream is
// due; the datagram stays within the limit, and one without a body has none.
func TestAPipeCarriesBodies(t *testing.T) {
	w := newWire(t, 1)
	a, b := w.ends[0], w.ends[1]
	streamed := 0
	for size := range a.Room() + 1 {
		if size%7 == 0 {
			if err := a.Channel.Send(bytes.Repeat([]byte{1}, 1+size)); err != nil {
				t.Fatal(err)
			}
		}
		w.now += 10 * time.Millisecond
		body := bytes.Repeat([]byte{byte(size)}, size)
		d := a.AppendBody(nil, w.now, body)
		if len(d) > a.Limit() {
			t.Fatalf("a body of %d bytes makes a datagram of %d", size, len(d))
		}
		if ok, err := b.Receive(w.now, d); !ok || err != nil || b.Body == nil || !bytes.Equal(b.Body, body) {
			t.Fatalf("of a body of %d bytes come %d: %v, %v", size, len(b.Body), ok, err)
		}
		if b.Asked() {
			t.Fatal("a body is taken for a probe")
		}
		if ok, err := b.Receive(w.now, d); ok || err != nil || b.Body != nil {
			t.Fatal("a datagram comes twice")
		}
		for m, ok := b.Channel.Next(); ok; m, ok = b.Channel.Next() {
			streamed += len(m)
		}
		if ok, err := a.Receive(w.now, b.Append(nil, w.now)); !ok || err != nil || a.Body != nil {
			t.Fatalf("without a body: %v, %v, %d bytes", ok, err, len(a.Body))
		}
	}
	if streamed < 10_000 {
		t.Errorf("beside the bodies %d bytes of the stream have come", streamed)
	}
	if a.Room() < datagram.MinSize*3/4 {
		t.Errorf("a body may have only %d bytes", a.Room())
	}
}
