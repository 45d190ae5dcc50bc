package tbr

import (
	"crypto/sha256"
	"hash"
	"io"
)

// output writes the chunks of a file, with the digest of its body and the index of its segments. After an error of the
// io.Writer, or its end, it writes nothing more.
type output struct {
	w      io.Writer
	out    []byte // what is not written yet
	offset uint64 // where that begins in the file
	digest hash.Hash
	index  index // only the entries and the end are set: the rest is for looking up frames
	leads  bool  // the next chunk of a block is the first of its segment
	err    error // why nothing more can be written, or nil
}

func newOutput(w io.Writer) output {
	return output{w: w, digest: sha256.New(), out: append([]byte(magic), version)}
}

// at returns the offset of the next chunk.
func (o *output) at() uint64 { return o.offset + uint64(len(o.out)) }

// chunk adds a chunk.
func (o *output) chunk(k Kind, f Flags, payload []byte) {
	start := len(o.out)
	o.out = appendChunk(o.out, k, f, payload)
	if f&Body != 0 {
		o.digest.Write(o.out[start:])
	}
}

// block begins a block, perhaps the first one of a segment.
func (o *output) block(fresh bool) { o.leads = fresh || o.index.empty() }

// inBlock adds a chunk of a block, which may be the first of a segment.
func (o *output) inBlock(k Kind, f Flags, payload []byte) {
	if o.leads {
		o.index.begin(o.at(), k == KindKeyframe)
		o.leads = false
	}
	o.chunk(k, f, payload)
}

// flush writes what was added.
func (o *output) flush() error {
	if len(o.out) == 0 {
		return nil
	}
	n, err := o.w.Write(o.out)
	if err == nil && n < len(o.out) {
		err = io.ErrShortWrite
	}
	o.offset += uint64(len(o.out))
	o.out, o.err = o.out[:0], err
	return err
}

// end adds how the recording ended, with the digest, and the index, and writes everything.
func (o *output) end(e *End, h *Header) error {
	copy(e.Digest[:], o.digest.Sum(nil))
	o.index.end = o.at()
	o.chunk(KindEnd, Required, e.append(nil, h.Shape))
	at := o.at()
	o.chunk(KindIndex, Required, o.index.append(nil))
	o.out = appendTrailer(o.out, at)
	err := o.flush()
	if err == nil {
		o.err = ErrClosed
	}
	return err
}
