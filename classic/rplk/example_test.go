package rplk_test

import (
	"bytes"
	"fmt"
	"io"

	"github.com/tickback/tickback/classic/rplk"
)

func Example() {
	var file bytes.Buffer
	w, err := rplk.NewWriter(&file, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	for frame := range uint16(100) {
		if err := w.Write([]rplk.Inputs{{frame % 4, 0}}); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(file.Len(), "bytes")

	r, err := rplk.NewReader(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("seed", r.Header().Seed, "frames", r.Header().Frames)
	sum, frames := 0, make([]rplk.Inputs, 32)
	for {
		n, err := r.Read(frames)
		for _, f := range frames[:n] {
			sum += int(f[0])
		}
		if err == io.EOF { // the recording is whole and undamaged
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println("sum of player 1's buttons:", sum)
	// Output:
	// 432 bytes
	// seed 7 frames 100
	// sum of player 1's buttons: 150
}

func ExampleDecode_rejected() {
	_, err := rplk.Decode([]byte("RPLK"))
	fmt.Println(err)
	// Output: rplk: the header is cut short: 4 bytes of 32
}
