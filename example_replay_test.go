package tickback_test

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"github.com/tickback/tickback"
)

// recordMatch plays a match and records it from the beginning.
func recordMatch(o tickback.Options[State, Input]) error {
	file, err := os.Create("match.tbr")
	if err != nil {
		return err
	}
	defer file.Close()
	o.Record = file
	match, err := tickback.P2P(game, o)
	if err != nil {
		return err
	}
	defer match.Close() // also waits until the recording is written
	for {
		wait, err := match.Update()
		if err != nil {
			return err
		}
		for _, e := range match.Events() {
			if e.What == tickback.Recorded && e.Text != "" {
				fmt.Println("the recording ends at frame", e.Frame, "because", e.Text)
			}
		}
		draw(match.View(), match.Effects())
		match.Wait(wait)
	}
}

// recordFromHere records a match from the middle on.
func recordFromHere(match *tickback.Match[State, Input], file *os.File) error {
	return match.Record(file, tickback.RecordOptions{
		HashEvery: 1, Effects: true, Meta: []tickback.MetaField{{Key: "stage", Value: "harbour"}},
	})
}

// replayMatch shows a recording.
func replayMatch(file *os.File, size int64) error {
	match, err := tickback.Replay(game, file, size, tickback.ReplayOptions[State, Input]{})
	if err != nil {
		return err
	}
	defer match.Close()
	for {
		wait, err := match.Update()
		if err != nil {
			return err
		}
		if _, over := match.Outcome(); over {
			return nil
		}
		draw(match.View(), match.Effects())
		match.Wait(wait)
	}
}

// control is what the keys of a replay do.
func control(match *tickback.Replayer[State, Input], key string) error {
	switch key {
	case "space":
		match.Pause() // and Unpause
	case "slower":
		return match.SetSpeed(1, 4)
	case "right":
		return match.Step(1)
	case "left":
		return match.Step(-1)
	case "home":
		return match.Seek(match.First())
	}
	return nil
}

var _, _, _, _ = recordMatch, recordFromHere, replayMatch, control

// A match is recorded to any io.Writer and replayed from any io.ReaderAt.
func ExampleReplay() {
	var file bytes.Buffer
	now := time.Unix(0, 0)
	match, err := tickback.Local(counting, tickback.Options[counter, uint32]{
		Players: 2, Match: tickback.Parameters{Frames: 600},
		Sample: func(p tickback.Player) uint32 { return 1 + uint32(p) },
		Record: &file, Advanced: tickback.Advanced{Now: func() time.Time { return now }},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, over := match.Outcome(); !over; _, over = match.Outcome() {
		if _, err := match.Update(); err != nil {
			fmt.Println(err)
			return
		}
		now = now.Add(time.Second / 60)
	}
	match.Close()

	replay, err := tickback.Replay(counting, bytes.NewReader(file.Bytes()), int64(file.Len()), tickback.ReplayOptions[counter, uint32]{Paused: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer replay.Close()
	for _, f := range []tickback.Frame{600, 100, 250} {
		if err := replay.Seek(f); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("frame", replay.At(), "of", replay.Next(), "sum", replay.View().Current.Sum)
	}
	// Output:
	// frame 600 of 600 sum 1800
	// frame 100 of 600 sum 300
	// frame 250 of 600 sum 750
}
