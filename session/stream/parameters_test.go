package stream

import (
	"reflect"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: parameters are decoded from an offer unchanged, in memory of their own.
func TestParametersTravelInAnOffer(t *testing.T) {
	p := Parameters{Seed: 1 << 60, Frames: 3600, Content: 7, Data: []byte("stage 2")}
	o := p.Offer(4, 99)
	if o.Match != 4 || o.State != 99 {
		t.Errorf("the offer is of match %d and state %d", o.Match, o.State)
	}
	o.Data = append([]byte(nil), o.Data...)
	back := ParametersOf(&o)
	if clear(o.Data); !reflect.DeepEqual(back, p) {
		t.Errorf("%+v came back as %+v", p, back)
	}
}

// Rule: up to 64 KiB of data can be sent, and a length is any number of frames except the
// one that means none.
func TestParametersAreChecked(t *testing.T) {
	for _, c := range []struct {
		p  Parameters
		ok bool
	}{
		{Parameters{}, true},
		{Parameters{Data: make([]byte, 64<<10)}, true},
		{Parameters{Data: make([]byte, 64<<10+1)}, false},
		{Parameters{Frames: rollback.NoFrame - 1}, true},
		{Parameters{Frames: rollback.NoFrame}, false},
	} {
		if err := c.p.Check(); (err == nil) != c.ok {
			t.Errorf("%d bytes of data, %d frames: %v", len(c.p.Data), c.p.Frames, err)
		}
	}
}
