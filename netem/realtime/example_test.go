package realtime_test

import (
	"fmt"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/netem/realtime"
)

// Anything that sends datagrams, as UDP does, can be impaired.
func ExampleWrap() {
	var udp realtime.Transport = newMemory()
	bad, err := realtime.Wrap(udp, netem.Mobile(), 1)
	if err != nil {
		panic(err)
	}
	defer bad.Close()
	fmt.Println(bad.Send(bob, []byte("hello")))
	// Output: <nil>
}
