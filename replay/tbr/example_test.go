package tbr_test

import (
	"bytes"
	"fmt"
	"io"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// A match of a minute is written as it runs, and read from a frame in its middle.
func Example() {
	var file bytes.Buffer
	w, err := tbr.NewWriter(&file, tbr.Header{
		Game: "duel", Shape: agreed.Shape{Players: 2, InputSize: 2}, TickRate: 60, Seed: 7, HashEvery: 60,
		Info: tbr.Info{Build: "1.2.3", Recorder: "player 1"},
	})
	for f := uint32(0); err == nil && f < 3600; f++ {
		if w.WantsKeyframe() {
			err = w.Keyframe([]byte("the state before the frame"))
		}
		if err == nil {
			err = w.Frame(&agreed.Frame{Number: f, Inputs: []byte{byte(f / 40), 0, byte(f / 25), 0}})
		}
		if err == nil {
			err = w.Hash(f+1, 0x1234) // of the state that the frame makes
		}
	}
	if err == nil {
		err = w.Close(tbr.End{Reason: "enough"})
	}
	if err != nil {
		fmt.Println(err)
		return
	}

	r, err := tbr.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	cursor, err := r.Frames(3590)
	for err == nil {
		var run *tbr.Run
		if run, err = cursor.Run(1000); err == nil {
			fmt.Println(run.Frames, "frames from", run.First, "with inputs", run.Inputs[:4])
		}
	}
	fmt.Println(err == io.EOF, r.Check(), r.Damage())
	// Output:
	// 10 frames from 3590 with inputs [89 0 143 0]
	// true <nil> <nil>
}

// A writer that is not closed, as when the program ends at once, has written all blocks that were complete by
// then.
func ExampleReader_Damage() {
	var file bytes.Buffer
	w, err := tbr.NewWriter(&file, tbr.Header{Shape: agreed.Shape{Players: 1, InputSize: 1}, TickRate: 60})
	for f := uint32(0); err == nil && f < 1000; f++ {
		err = w.Frame(&agreed.Frame{Number: f, Inputs: []byte{0}})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := tbr.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Damage())
	// Output: tbr: the recording was not closed: at byte 103: it can be read up to byte 103: 960 frames from 0 on
}
