package netem_test

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/netem"
)

// Three nodes on mobile networks: the first one sends to the others, and the clock jumps from arrival to arrival.
func Example() {
	net, err := netem.NewDatagrams(3, 42, 0)
	if err != nil {
		panic(err)
	}
	if err := net.SetAll(netem.Mobile()); err != nil {
		panic(err)
	}
	net.Send(0, 0, 1, []byte("hello"))
	net.Send(0, 0, 2, []byte("world"))
	for {
		now, ok := net.Next()
		if !ok {
			break
		}
		for {
			d, ok := net.Receive(now)
			if !ok {
				break
			}
			fmt.Printf("%v: %d to %d: %s\n", d.At.Round(time.Millisecond), d.From, d.To, d.Payload)
		}
	}
	// Output:
	// 34ms: 0 to 1: hello
	// 77ms: 0 to 2: world
}

// A partition is made of cuts in single directions. Datagrams in flight when it begins still arrive.
func ExampleTopology_Cut() {
	net, err := netem.New(4, 1, netem.Options[string]{})
	if err != nil {
		panic(err)
	}
	partition := func(cut bool, left, right []int) {
		for _, l := range left {
			for _, r := range right {
				net.Cut(l, r, cut)
				net.Cut(r, l, cut)
			}
		}
	}
	net.Send(0, 0, 2, 10, "before the partition")
	partition(true, []int{0, 1}, []int{2, 3})
	net.Send(0, 0, 2, 10, "across the partition")
	net.Send(0, 3, 2, 10, "on one side")
	partition(false, []int{0, 1}, []int{2, 3})
	net.Send(0, 0, 2, 10, "healed")
	for {
		d, ok := net.Receive(0)
		if !ok {
			break
		}
		fmt.Println(d.From, d.Payload)
	}
	fmt.Println("cut off:", net.Stats(0, 2).Cut)
	// Output:
	// 0 before the partition
	// 3 on one side
	// 0 healed
	// cut off: 1
}

// Impossible settings are refused, with the reason.
func ExampleLink_Validate() {
	fmt.Println(netem.Link{Jitter: 5 * time.Millisecond}.Validate())
	// Output: invalid netem.Link: Jitter is 5ms and Distribution is none: set Distribution as well
}

// A path decides the fate of datagrams that something else carries.
func ExamplePath() {
	p := netem.NewPath(7, 0, 1)
	if err := p.SetLink(netem.Link{Delay: 40 * time.Millisecond, Duplicate: netem.Always}); err != nil {
		panic(err)
	}
	f := p.Send(time.Second, 100)
	fmt.Println(f.Copies, f.At[:f.Copies])
	// Output: 2 [1.04s 1.04s]
}
