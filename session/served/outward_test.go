package served

import (
	"testing"
	"time"
)

// Rule: datagrams that nobody takes do not pile up. What there is no room for is counted, and when they are
// taken again, all play on.
func TestDatagramsThatNobodyTakesDoNotPileUp(t *testing.T) {
	f := newFixture(t)
	most := f.server.Stats(nil).PendingDatagrams
	f.server.out.Most, f.other.out.Most = 40, 40
	for range 1500 {
		f.now += time.Millisecond
		f.server.Update(f.now)
		f.other.Update(f.now)
		f.honest.Update(f.now)
		for _, b := range f.honest.Outgoing() {
			f.server.Receive(f.now, honestAddr, b)
		}
		most = max(most, f.server.Stats(nil).PendingDatagrams, f.other.Stats(nil).PendingDatagrams)
	}
	if most != 40 || f.server.Stats(nil).DroppedDatagrams == 0 || f.other.Stats(nil).DroppedDatagrams == 0 {
		t.Errorf("%d wait, of 40; %d and %d had no room", most, f.server.Stats(nil).DroppedDatagrams, f.other.Stats(nil).DroppedDatagrams)
	}
	f.run(2 * time.Second)
	f.unharmed()
	if f.other.Err() != nil || f.server.Members().Len() != 2 {
		t.Errorf("%v; %v play", f.other.Err(), f.server.Members())
	}
}
