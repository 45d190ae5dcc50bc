package tbr_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// duelHeader is the header of a recording of the duel by two peers.
func duelHeader(hashEvery, keyframeEvery int) tbr.Header {
	return tbr.Header{
		Game: "duel", Shape: agreed.Shape{Players: 2, InputSize: 2}, TickRate: 60, Seed: 7, HashEvery: hashEvery, KeyframeEvery: keyframeEvery,
		Info: tbr.Info{Build: "1.2.3", Platform: "linux/amd64", Recorder: "players 1", Created: 1_700_000_000_000},
	}
}

// duelFrames is what both bots of the duel's random script do: each presses four new
// random buttons in every sixth frame.
func duelFrames(t testing.TB, n int) []*agreed.Frame {
	script, err := duel.Scripted("random", 7)
	if err != nil {
		t.Fatal(err)
	}
	frames := make([]*agreed.Frame, n)
	for i := range frames {
		in := script(uint32(i))
		b := binary.LittleEndian.AppendUint16(nil, uint16(in[0]))
		frames[i] = &agreed.Frame{Number: uint32(i), Inputs: binary.LittleEndian.AppendUint16(b, uint16(in[1]))}
	}
	return frames
}

// The whole file of a duel of an hour takes at most 0.35 bytes a frame, and 0.45 with
// a hash a second. The entropy of the script is 2.4715 bits, 0.3089 bytes.
func TestADuelOfAnHourIsSmall(t *testing.T) {
	const entropy, second, minute = 0.3089, 60, 3600
	frames, page := duelFrames(t, 60*minute), readPage(t)
	for _, c := range []struct {
		name                     string
		frames                   int
		hashEvery, keyframeEvery int
		most                     float64 // bytes a frame
	}{
		{"an hour", 60 * minute, 0, tbr.NoKeyframes, 0.35},
		{"an hour with hashes", 60 * minute, second, tbr.NoKeyframes, 0.45},
		{"an hour with hashes and keyframes", 60 * minute, second, 0, 0.48},
		{"five minutes", 5 * minute, 0, tbr.NoKeyframes, 0.37},
		{"five minutes with hashes", 5 * minute, second, tbr.NoKeyframes, 0.46},
		{"ten seconds", 10 * second, 0, tbr.NoKeyframes, 0.8},
	} {
		size := len(recordDuel(t, duelHeader(c.hashEvery, c.keyframeEvery), frames[:c.frames]))
		switch rate := float64(size) / float64(c.frames); {
		case rate > c.most:
			t.Errorf("%s: %d bytes, %.4f a frame, more than %v", c.name, size, rate, c.most)
		case rate < entropy:
			t.Errorf("%s: %d bytes, %.4f a frame: less than there is to know", c.name, size, rate)
		case c.frames > minute && !strings.Contains(page, fmt.Sprintf("| %d,%03d |", size/1000, size%1000)):
			t.Errorf("%s: docs/reference/recording-format.md does not have its %d bytes", c.name, size)
		default:
			t.Logf("%s: %d bytes, %.4f a frame", c.name, size, rate)
		}
	}
}

// recordDuel records a duel with the keyframes that it has.
func recordDuel(t *testing.T, h tbr.Header, frames []*agreed.Frame) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := tbr.NewWriter(&file, h)
	if err != nil {
		t.Fatal(err)
	}
	s, err := duel.New(uint32(h.Seed))
	for i := 0; err == nil && i < len(frames); i++ {
		if w.WantsKeyframe() {
			var state []byte
			if state, err = binary.Append(nil, binary.LittleEndian, &s); err == nil {
				err = w.Keyframe(state)
			}
		}
		if err == nil {
			err = w.Frame(frames[i])
		}
		in := binary.LittleEndian.Uint32(frames[i].Inputs)
		duel.Step(&s, [2]duel.Input{duel.Input(in), duel.Input(in >> 16)})
		if err == nil {
			err = w.Hash(frames[i].Number+1, uint64(duel.Checksum(&s))*0x9E3779B97F4A7C15)
		}
	}
	if err == nil {
		err = w.Close(tbr.End{Reason: "done"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}
