package smooth_test

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/predict/smooth"
)

// A correction moves the prediction from 12 to 10. What is shown follows.
func ExampleOffset() {
	var offset smooth.Offset
	offset.Add(smooth.Vec{12 - 10})
	for range 4 {
		fmt.Printf("%.2f\n", 10+offset.At()[0])
		offset.Advance(60 * time.Millisecond)
	}
	// Output:
	// 12.00
	// 10.99
	// 10.49
	// 10.23
}

// Another player is shown 100 ms behind: between the states that have come.
func ExampleTrack() {
	track, err := smooth.NewTrack(smooth.TrackConfig[float64]{
		Blend: func(a, b, share float64) float64 { return a + (b-a)*share },
		Delay: 100 * time.Millisecond,
	})
	if err != nil {
		panic(err)
	}
	track.Add(50*time.Millisecond, 1)
	track.Add(100*time.Millisecond, 2)
	for _, now := range []time.Duration{175 * time.Millisecond, 225 * time.Millisecond} {
		x, shown := track.At(now)
		fmt.Println(x, shown)
	}
	// Output:
	// 1.5 between
	// 2.5 guessed
}
