package recordings

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/rate"
)

// What is said about a recording goes by its exact rate: 3 frames in 2 seconds are no 2 in each.
func TestARecordingIsAsLongAsItsRateSays(t *testing.T) {
	var file bytes.Buffer
	w, err := tbr.NewWriter(&file, tbr.Header{Game: "slow", Shape: agreed.Shape{Players: 1}, TickRate: 2, Rate: rate.Rate{Frames: 3, Seconds: 2}})
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint32(30) {
		if err := w.Frame(&agreed.Frame{Number: n}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(tbr.End{}); err != nil {
		t.Fatal(err)
	}
	r, err := tbr.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	res, err := infoOf(t.Context(), &recordingFile{r: r})
	if err != nil {
		t.Fatal(err)
	}
	if res.Seconds != 20 || res.Rate != "3/2" || res.TickRate != 2 {
		t.Errorf("%v seconds at %q, about %d", res.Seconds, res.Rate, res.TickRate)
	}
	var text strings.Builder
	if printDetails(&text, &res); !strings.Contains(text.String(), "at 3/2 frames/s") {
		t.Error(text.String())
	}
}
