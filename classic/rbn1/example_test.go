package rbn1_test

import (
	"fmt"

	"github.com/tickback/tickback/classic/rbn1"
)

func Example() {
	const left, right = 1, 2
	datagram, err := rbn1.Append(nil, rbn1.Header{StartFrame: 120, AckFrame: 117}, []uint16{left, left, right})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(datagram), "bytes")

	// The other side decodes into memory of its own.
	var inputs [rbn1.MaxInputs]uint16
	header, count, err := rbn1.DecodeInto(inputs[:], datagram)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, pressed := range inputs[:count] {
		fmt.Println("frame", header.StartFrame+uint32(i), "buttons", pressed)
	}
	// Output:
	// 21 bytes
	// frame 120 buttons 1
	// frame 121 buttons 1
	// frame 122 buttons 2
}

func ExampleDecode_rejected() {
	_, err := rbn1.Decode([]byte("HELLO, is anybody there?"))
	fmt.Println(err)
	// Output: rbn1: not an RBN1 packet: it begins with "HELL"
}
