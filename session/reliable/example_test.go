package reliable_test

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/session/reliable"
)

// A message goes from one end to the other although the first datagram is lost.
func Example() {
	here, err := reliable.New(reliable.Config{})
	if err != nil {
		panic(err)
	}
	there, err := reliable.New(reliable.Config{})
	if err != nil {
		panic(err)
	}
	if err := here.Send([]byte("ready?")); err != nil {
		panic(err)
	}
	here.SetTimeout(120 * time.Millisecond)
	for now := time.Duration(0); here.Pending() > 0; now += 40 * time.Millisecond {
		datagram := here.Append(nil, 1000, now)
		fmt.Println(now, "datagram with", len(datagram), "bytes")
		if now == 0 {
			continue // lost
		}
		if _, err := there.Consume(datagram, now); err != nil {
			panic(err) // the peer is broken: close the session
		}
		if message, ok := there.Next(); ok {
			fmt.Printf("%q has arrived\n", message)
		}
		if _, err := here.Consume(there.Append(nil, 1000, now), now); err != nil {
			panic(err)
		}
	}
	// Output:
	// 0s datagram with 9 bytes
	// 40ms datagram with 0 bytes
	// 80ms datagram with 0 bytes
	// 120ms datagram with 9 bytes
	// "ready?" has arrived
}
