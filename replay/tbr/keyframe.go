package tbr

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
)

// MaxState is the maximum size of a keyframe's state in bytes.
const MaxState = 1 << 25

// keyframeWriter decides which states become keyframes, and keeps one until its frame.
type keyframeWriter struct {
	first   uint32 // the first frame of the recording
	segment uint32 // frames of a segment
	every   int    // as Header.KeyframeEvery
	asked   uint32 // the frame whose state was given, plus one
	payload []byte // of a keyframe that is not yet written
	flags   Flags  // of that keyframe; 0 if there is none
}

// none reports whether no state was given yet.
func (k *keyframeWriter) none() bool { return k.asked == 0 }

func (k *keyframeWriter) wants(next uint32) bool {
	return next != 0 && k.asked != next+1 && (next == k.first || k.due(next))
}

func (k *keyframeWriter) due(next uint32) bool {
	return next%k.segment == 0 && k.every >= 0 && next/k.segment%uint32(max(k.every, 1)) == 0
}

// give takes the state before a frame, and keeps it unless it is too large.
func (k *keyframeWriter) give(next uint32, state []byte, p *packer) {
	k.asked = next + 1
	small, plain := k.limits(next)
	if next != k.first && len(state) > plain {
		return
	}
	data, flag := p.pack(state)
	flags := Required | flag
	switch due := k.due(next) && len(data) <= small && len(state) <= plain; {
	case due:
		flags |= Body
	case next != k.first:
		return
	}
	k.payload, k.flags = append(binary.LittleEndian.AppendUint32(k.payload[:0], next), data...), flags
}

// limits returns the maximum size of the keyframe of a segment in bytes, compressed and uncompressed.
func (k *keyframeWriter) limits(next uint32) (small, plain int) {
	if k.every > 0 {
		return MaxState, MaxState
	}
	small = 1 << 10 << min(bits.TrailingZeros32(next/k.segment), 6)
	return small, 64 * small
}

// take returns the keyframe that is kept, which is valid until the next one; flags is 0 if there is none.
func (k *keyframeWriter) take() (payload []byte, flags Flags) {
	flags, k.flags = k.flags, 0
	return k.payload, flags
}

// WantsKeyframe reports whether the state before the next frame may become a keyframe. The writer may still leave it
// out.
func (w *Writer) WantsKeyframe() bool { return w.out.err == nil && w.keyframes.wants(w.next) }

// Keyframe gives the writer the state before the next frame, of at most [MaxState] bytes. If the state is not wanted,
// the error is [ErrGap].
//
// With KeyframeEvery 0, the state of segment m is written if it has at most 1 KiB << j bytes when compressed, and 64
// times that when not, where j is how often 2 divides m, at most 6. So keyframes take about as much space as inputs,
// and there are fewer if states are large. The state of the first frame of the recording is always written. A keyframe
// is written together with its frame: if no frame follows, it is not written.
func (w *Writer) Keyframe(state []byte) error {
	switch {
	case w.out.err != nil:
		return w.out.err
	case !w.WantsKeyframe() || w.hashes.missing != 0:
		return fmt.Errorf("%w: no keyframe of frame %d is wanted", ErrGap, w.next)
	case len(state) > MaxState:
		return fmt.Errorf("%w: a state of %d bytes, more than %d", ErrTooLarge, len(state), MaxState)
	}
	w.keyframes.give(w.next, state, &w.packer)
	return nil
}

// Keyframes yields the frames that have a keyframe, in order.
func (r *Reader) Keyframes() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, e := range r.index.entries {
			if e.keyframe() && !yield(r.index.frame(i)) {
				return
			}
		}
	}
}

// Keyframe returns the frame and state of the last keyframe at or before a frame. The error wraps [ErrNoKeyframe] if
// there is none.
func (r *Reader) Keyframe(atOrBefore uint32) (frame uint32, state []byte, err error) {
	for i := min(r.index.of(max(atOrBefore, r.First())), len(r.index.entries)-1); i >= 0; i-- {
		if r.index.entries[i].keyframe() && r.index.frame(i) <= atOrBefore {
			return r.readKeyframe(i)
		}
	}
	return 0, nil, &Error{Reason: ErrNoKeyframe, Detail: fmt.Sprintf("at frame %d or before", atOrBefore)}
}

func (r *Reader) readKeyframe(i int) (uint32, []byte, error) {
	frame := r.index.frame(i)
	w := r.walk(r.index.entries[i].offset(), frame)
	c, err := w.step()
	if err != nil {
		return 0, nil, err
	}
	if c == nil || c.Kind != KindKeyframe {
		return 0, nil, &Error{Reason: ErrIndex, Offset: r.index.entries[i].offset(), Detail: "want a keyframe"}
	}
	payload, err := w.payload(c, MaxChunk)
	if err != nil {
		return 0, nil, err
	}
	p := parser{b: payload}
	if b := p.take(4); b == nil || binary.LittleEndian.Uint32(b) != frame {
		return 0, nil, c.fail(ErrIndex, fmt.Sprintf("want the keyframe of frame %d", frame))
	}
	if c.Flags&packed == 0 {
		return frame, p.b, nil
	}
	u := unpackers.Get().(*unpacker)
	defer unpackers.Put(u)
	state, ok := u.unpack(p.b, MaxState)
	if !ok {
		return 0, nil, c.fail(ErrRange, "the state cannot be decompressed")
	}
	return frame, state, nil
}
