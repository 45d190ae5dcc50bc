package netem_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

// For each impossible field, the error has its name, its value, and what to do.
func TestValidateNamesTheField(t *testing.T) {
	for _, c := range []struct {
		link netem.Link
		want []string
	}{
		{netem.Link{Loss: 1_000_001}, []string{"Loss is 1000001", "parts per million"}},
		{netem.Link{Burst: netem.Burst{Begin: 2_000_000, End: 1}}, []string{"Burst.Begin is 2000000"}},
		{netem.Link{Burst: netem.Burst{Begin: 1, End: 2_000_000}}, []string{"Burst.End is 2000000"}},
		{netem.Link{Burst: netem.Burst{Begin: 1, End: 1, Loss: 2_000_000}}, []string{"Burst.Loss is 2000000"}},
		{netem.Link{Burst: netem.Burst{Begin: 5}}, []string{"Burst.Begin is 5 ", "set Burst.End"}},
		{netem.Link{Burst: netem.Burst{End: 7}}, []string{"Burst.End is 7", "set Burst.Begin"}},
		{netem.Link{Burst: netem.Burst{Loss: 7}}, []string{"Burst.Loss is 7", "set Burst.Begin"}},
		{netem.Link{Duplicate: 1_000_001}, []string{"Duplicate is 1000001"}},
		{netem.Link{Corrupt: 1_000_001}, []string{"Corrupt is 1000001"}},
		{netem.Link{Delay: -1}, []string{"Delay is -1ns", "0 to 1h"}},
		{netem.Link{Delay: 2 * time.Hour}, []string{"Delay is 2h0m0s"}},
		{netem.Link{Jitter: -1, Distribution: netem.Normal}, []string{"Jitter is -1ns"}},
		{netem.Link{Jitter: 2 * time.Hour, Distribution: netem.Normal}, []string{"Jitter is 2h"}},
		{netem.Link{Jitter: ms}, []string{"Jitter is 1ms", "set Distribution"}},
		{netem.Link{Distribution: 4}, []string{"Distribution is 4", "up to 3"}},
		{netem.Link{Bandwidth: -1}, []string{"Bandwidth is -1:"}},
		{netem.Link{Bandwidth: netem.MaxBandwidth + 1}, []string{"Bandwidth is 1099511627777:"}},
		{netem.Link{Bandwidth: 1, Queue: -1}, []string{"Queue is -1:"}},
		{netem.Link{Bandwidth: netem.MaxBandwidth, Queue: netem.MaxQueue + 1}, []string{"Queue is 1073741825:"}},
		{netem.Link{Queue: 10}, []string{"Queue is 10 ", "set Bandwidth"}},
		{netem.Link{Bandwidth: 1, Queue: 3601}, []string{"Queue is 3601", "1h0m1s"}},
		{netem.Link{MTU: -1}, []string{"MTU is -1", "no limit"}},
		{netem.Link{MTU: netem.MaxSize + netem.MaxOverhead + 1}, []string{"MTU is 66560"}},
		{netem.Link{Overhead: -1}, []string{"Overhead is -1"}},
		{netem.Link{Overhead: netem.MaxOverhead + 1}, []string{"Overhead is 1025"}},
	} {
		err := c.link.Validate()
		if !errors.Is(err, netem.ErrLink) {
			t.Errorf("%+v: %v", c.link, err)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q does not say %q", err, w)
			}
		}
	}
}

// The zero value, the limits themselves and all profiles are valid.
func TestValidLinks(t *testing.T) {
	for _, l := range []netem.Link{
		{},
		{Down: true, Reorder: true},
		{Distribution: netem.Normal},
		{Loss: netem.Always, Duplicate: netem.Always, Corrupt: netem.Always},
		{Burst: netem.Burst{Begin: netem.Always, End: netem.Always, Loss: netem.Always}},
		{Delay: netem.MaxDelay, Jitter: netem.MaxDelay, Distribution: netem.Exponential},
		{Bandwidth: netem.MaxBandwidth, Queue: netem.MaxQueue, Overhead: netem.MaxOverhead},
		{Bandwidth: 1, Queue: 3600},
	} {
		if err := l.Validate(); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

// An invalid link changes nothing.
func TestInvalidLinkChangesNothing(t *testing.T) {
	good, bad := netem.Link{Delay: 5 * ms}, netem.Link{Delay: -1}
	d := datagrams(t, 2, 1, good)
	p := path(t, 1, good)
	for _, err := range []error{d.SetAll(bad), d.SetLink(0, 1, bad), p.SetLink(bad)} {
		if !errors.Is(err, netem.ErrLink) {
			t.Error(err)
		}
	}
	if d.Link(0, 1) != good || p.Link() != good {
		t.Error("the link has changed")
	}
	if d.Link(0, 0) != (netem.Link{}) {
		t.Error("SetAll has changed the link of a node to itself")
	}
}

// A datagram that is larger than the MTU, including its headers, never arrives, and uses no bandwidth; one of exactly
// that size arrives.
func TestTheMTUIsTheLargestThatArrives(t *testing.T) {
	p := path(t, 1, netem.Link{MTU: 1228, Overhead: netem.OverheadIPv4, Bandwidth: 1228, Queue: 1228})
	for range 3 {
		if f := p.Send(0, 1201); f.Copies != 0 {
			t.Error("1201 bytes and 28 of headers pass an MTU of 1228")
		}
	}
	if f := p.Send(0, 1200); f.Copies != 1 || f.At[0] != time.Second {
		t.Errorf("1200 bytes: %+v", f)
	}
	if s := p.Stats(); s.Dropped != 3 || s.Sent != 4 {
		t.Errorf("%+v", s)
	}
}
