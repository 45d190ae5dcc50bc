package tbr

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math"
)

// Check reads the whole recording, and returns the first problem: a chunk that is damaged or out of place, frames or
// hashes that cannot be decoded, or an index or a digest that does not match the chunks. If there is no problem in
// what can be read, it returns the result of [Reader.Damage].
func (r *Reader) Check() error {
	if err := r.CheckChunks(); err != nil {
		return err
	}
	if err := r.checkFrames(); err != nil {
		return err
	}
	for h, err := range r.Hashes(0) {
		if err != nil {
			return err
		}
		if r.closed && r.end.Hashed && h.State == r.next && !h.Matches(r.end.Hash) {
			return r.endError(fmt.Sprintf("the hash of state %d is %#x, but %#x at the end", h.State, h.Hash, r.end.Hash))
		}
	}
	for frame := range r.Keyframes() {
		if _, _, err := r.Keyframe(frame); err != nil {
			return err
		}
	}
	return r.Damage()
}

// CheckChunks reads all chunks, and returns the first problem with a checksum, the order of chunks, the index, or the
// digest of the body, as [Reader.Check] does. As it decodes nothing, it takes little more time than reading the file.
func (r *Reader) CheckChunks() error {
	digest := sha256.New()
	w := r.walk(int64(preface), r.header.First)
	step := w.head // reads the chunks of the header
	for {
		if w.offset == r.begin {
			step = w.step
		}
		c, err := step()
		if err != nil {
			return err
		}
		if c == nil {
			break
		}
		if _, err = w.payload(c, MaxChunk); err != nil {
			return err
		}
		if c.Flags&Body != 0 {
			b, err := w.whole(c.Offset, int(c.next()-c.Offset))
			if err != nil {
				return err
			}
			digest.Write(b)
		}
	}
	if w.lead != 0 && r.closed {
		return &Error{Reason: ErrOrder, Offset: w.lead.offset(), Detail: "no frames follow"}
	}
	switch {
	case !r.closed:
		return nil
	case w.at != r.next:
		return &Error{Reason: ErrOrder, Offset: r.bodyEnd, Detail: fmt.Sprintf("frame %d; the recording ends with %d", w.at, r.next)}
	case [32]byte(digest.Sum(nil)) != r.end.Digest:
		return &Error{Reason: ErrDigest, Kind: KindEnd, Offset: r.bodyEnd}
	}
	return nil
}

// checkFrames decodes all frames.
func (r *Reader) checkFrames() error {
	c, err := r.Frames(r.First())
	for err == nil {
		_, err = c.Run(math.MaxInt32)
	}
	switch {
	case err != io.EOF:
		return err
	case r.closed && c.block.finished && (!r.end.Finished || r.end.Result != c.block.result):
		return r.endError(fmt.Sprintf("the last frame finishes the match with %d", c.block.result))
	case r.closed && r.end.Finished && !c.block.finished:
		return r.endError("the last frame does not finish the match")
	}
	return nil
}

func (r *Reader) endError(detail string) error {
	return &Error{Reason: ErrRange, Kind: KindEnd, Offset: r.bodyEnd, Detail: detail}
}
