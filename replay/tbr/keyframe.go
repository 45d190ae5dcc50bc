package tbr

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
)

// MaxState is the maximum size of a keyframe's state in bytes.
const MaxState = 1 << 25

// WantsKeyframe reports whether the state before the next frame may become a keyframe. The writer may still leave it
// out.
func (w *Writer) WantsKeyframe() bool {
	if w.usable() != nil || w.keyframe == w.next+1 || w.next == 0 {
		return false
	}
	return w.next == w.header.First || w.keyframeDue()
}

func (w *Writer) keyframeDue() bool {
	if w.next%uint32(w.segment) != 0 {
		return false
	}
	number, every := w.next/uint32(w.segment), w.header.KeyframeEvery
	return every >= 0 && number%uint32(max(every, 1)) == 0
}

// Keyframe gives the writer the state before the next frame, of at most [MaxState] bytes. If the state is not wanted,
// the error is [ErrGap].
//
// With KeyframeEvery 0, the state of segment m is written if it has at most 1 KiB << j bytes when compressed, and 64
// times that when not, where j is how often 2 divides m, at most 6. So keyframes take about as much space as inputs,
// and there are fewer if states are large. The state of the first frame of the recording is always written. A keyframe
// is written together with its frame: if no frame follows, it is not written.
func (w *Writer) Keyframe(state []byte) error {
	switch err := w.usable(); {
	case err != nil:
		return err
	case !w.WantsKeyframe() || w.hashes.missing != 0:
		return fmt.Errorf("%w: no keyframe of frame %d is wanted", ErrGap, w.next)
	case len(state) > MaxState:
		return fmt.Errorf("%w: a state of %d bytes, more than %d", ErrTooLarge, len(state), MaxState)
	}
	w.keyframe = w.next + 1
	first := w.next == w.header.First
	small, plain := w.keyframeLimits()
	if !first && len(state) > plain {
		return nil
	}
	data, flag := w.packer.pack(w.spare, state)
	if flag != 0 {
		w.spare = data[:0]
	}
	flags := Required | flag
	switch due := w.keyframeDue() && len(data) <= small && len(state) <= plain; {
	case due:
		flags |= Body
	case !first:
		return nil
	}
	w.state, w.stated = append(binary.LittleEndian.AppendUint32(w.state[:0], w.next), data...), flags
	return nil
}

// keyframeLimits returns the maximum size of the keyframe of this segment in bytes, compressed and uncompressed.
func (w *Writer) keyframeLimits() (small, plain int) {
	if w.header.KeyframeEvery > 0 {
		return MaxState, MaxState
	}
	small = 1 << 10 << min(bits.TrailingZeros32(w.next/uint32(w.segment)), 6)
	return small, 64 * small
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

// Keyframe returns the last keyframe at or before a frame. The error wraps [ErrNoKeyframe] if there is none.
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
