package tbr_test

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"math"

	"github.com/klauspost/compress/zstd"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/rate"
)

// naive reads a file as docs/reference/recording-format.md says, from front to back, and shares no code
// with the package. A file that is wrong makes it panic.
type naive struct {
	b      []byte // the rest of the file, or of a payload
	body   []byte
	header tbr.Header
	frames []*agreed.Frame
	hashes map[uint32]uint64
	states map[uint32]string
	end    tbr.End

	next, block uint32 // the next frame, frames of a block
	coder       *naiveCoder
	gone        uint16
	orders      []byte
	starts      []uint64 // of segments, twice, plus 1 with a keyframe
	lead        uint64
}

func (n *naive) take(k int) []byte {
	t := n.b[:k]
	n.b = n.b[k:]
	return t
}

func (n *naive) varint() uint64 {
	v, k := binary.Uvarint(n.b)
	n.take(k)
	return v
}

func (n *naive) byte() byte     { return n.take(1)[0] }
func (n *naive) uint64() uint64 { return binary.LittleEndian.Uint64(n.take(8)) }

// players reads a set of players: two bytes if there are more than 8 players.
func (n *naive) players() uint16 {
	set := uint16(n.byte())
	if n.header.Shape.Players > 8 {
		set |= uint16(n.byte()) << 8
	}
	return set
}

func (n *naive) text() string { return string(n.take(int(n.varint()))) }

func must(ok bool, what string) {
	if !ok {
		panic(what)
	}
}

func readNaively(file []byte) *naive {
	n := &naive{b: file, hashes: map[uint32]uint64{}, states: map[uint32]string{}}
	must(string(n.take(8)) == "\x89TBR\r\n\x1a\x01", "magic")
	var ends, index uint64
	for kind := ""; kind != "INDX"; {
		whole, at := n.b, uint64(len(file)-len(n.b))
		kind = string(n.take(4))
		flags := n.byte()
		payload := n.take(int(n.varint()))
		chunk := whole[:len(whole)-len(n.b)]
		must(binary.LittleEndian.Uint32(n.take(4)) == crc32.Checksum(chunk, crc32.MakeTable(crc32.Castagnoli)), "checksum")
		if flags&2 != 0 {
			n.body = append(n.body, whole[:len(whole)-len(n.b)]...)
		}
		rest := n.b
		n.b = payload
		switch kind {
		case "GAME":
			n.game()
		case "INFO":
			n.info()
		case "KEYF":
			n.lead = 2*at + 1
			frame := binary.LittleEndian.Uint32(n.take(4))
			n.states[frame] = string(n.unpacked(flags))
			must(frame == n.next, "the frame of a keyframe")
		case "ORDR":
			n.leadBy(at)
			n.orders = append(n.orders, n.unpacked(flags)...)
		case "FRMS":
			n.leadBy(at)
			n.readFrames(flags)
		case "HASH":
			n.readHashes()
		case "ENDS":
			n.ends()
			ends = at
		case "INDX":
			must(n.varint() == ends, "the offset of the end")
			must(n.varint() == uint64(len(n.starts)), "how many segments")
			last := uint64(0)
			for _, s := range n.starts {
				last = last&^1 + n.varint()
				must(last == s, "the offset of a segment")
			}
			index = at
		default:
			must(flags&1 == 0, "an unknown chunk")
			n.b = nil
		}
		must(len(n.b) == 0, kind)
		n.b = rest
	}
	trailer := n.b
	must(n.uint64() == index, "the offset of the index")
	must(binary.LittleEndian.Uint32(n.take(4)) == crc32.Checksum(trailer[:8], crc32.MakeTable(crc32.Castagnoli)), "the trailer")
	must(string(n.b) == "tbr!", "the last letters")
	must(n.end.Digest == sha256.Sum256(n.body), "the digest")
	return n
}

func (n *naive) leadBy(at uint64) {
	if n.lead == 0 {
		n.lead = 2 * at
	}
}

func (n *naive) unpacked(flags byte) []byte {
	b := n.take(len(n.b))
	if flags&0x10 == 0 {
		return b
	}
	z, err := zstd.NewReader(nil)
	must(err == nil, "zstd")
	defer z.Close()
	b, err = z.DecodeAll(b, nil)
	must(err == nil, "zstd")
	return b
}

func (n *naive) game() {
	h := &n.header
	h.Game = n.text()
	h.Shape = agreed.Shape{Players: int(n.byte()), InputSize: int(n.byte()), MaxOrders: int(n.varint())}
	if h.TickRate = int(n.varint()); h.TickRate == 0 {
		h.Rate = rate.Rate{Frames: uint32(n.varint()), Seconds: uint32(n.varint())}
		h.TickRate = int(math.Floor(float64(h.Rate.Frames)/float64(h.Rate.Seconds) + 0.5))
	}
	h.HashEvery, h.KeyframeEvery = int(n.varint()), int(n.varint())-1
	h.Length = uint32(n.varint())
	h.Seed, h.Content, h.State0 = n.uint64(), n.uint64(), n.uint64()
	h.Data = []byte(n.text())
	n.block = 8 * uint32(h.TickRate)
}

func (n *naive) info() {
	i := &n.header.Info
	i.Build, i.Platform, i.Recorder, i.Created = n.text(), n.text(), n.text(), int64(n.uint64())
	i.Match, i.First = uint32(n.varint()), uint32(n.varint())
	for range n.varint() {
		i.Meta = append(i.Meta, tbr.Field{Key: n.text(), Value: n.text()})
	}
	n.next = i.First
}

func (n *naive) readFrames(flags byte) {
	s := n.header.Shape
	if n.next == n.header.First || n.next%(8*n.block) == 0 {
		n.coder, n.gone = newNaiveCoder(s.Players, s.InputSize), 0
		n.starts = append(n.starts, n.lead)
	}
	n.lead = 0
	count, begun := int(n.block-n.next%n.block), n.next
	if flags&0x10 != 0 {
		count = int(n.varint())
	}
	frames := make([]*agreed.Frame, count)
	for i := range frames {
		frames[i] = &agreed.Frame{Number: begun + uint32(i), Gone: n.gone}
	}
	if flags&0x20 != 0 {
		frames[count-1].Finished, frames[count-1].Result = true, n.uint64()
	}
	if flags&0x40 != 0 {
		at := 0
		for range n.varint() {
			at += int(n.varint())
			n.gone = n.players()
			for _, f := range frames[at:] {
				f.Gone = n.gone
			}
		}
	}
	rows := n.coder.decode(n.take(len(n.b)), begun/n.block, count)
	for i := range frames {
		frames[i].Inputs = rows[i*s.Players*s.InputSize:][:s.Players*s.InputSize]
	}
	n.b = n.orders
	for at := 0; len(n.b) > 0; {
		at += int(n.varint())
		o := make([][]byte, s.Players)
		for set, p := n.players(), 0; set>>p != 0; p++ {
			if set>>p&1 == 1 {
				o[p] = []byte(n.text())
			}
		}
		frames[at].Orders = o
	}
	n.orders = nil
	n.frames = append(n.frames, frames...)
	n.next += uint32(count)
}

func (n *naive) readHashes() {
	every := uint32(n.header.HashEvery)
	last := n.frames[len(n.frames)-1].Number
	begun := max(last/n.block*n.block, n.header.First)
	for state := begun/every*every + every; len(n.b) > 0; state += every {
		if len(n.b) > 8 {
			n.hashes[state] = uint64(binary.LittleEndian.Uint32(n.take(4)))
		} else {
			n.hashes[state] = n.uint64()
		}
	}
}

func (n *naive) ends() {
	flags := n.byte()
	n.end.Finished, n.end.Hashed, n.end.Gone = flags&1 != 0, flags&2 != 0, n.players()
	n.end.Next = binary.LittleEndian.Uint32(n.take(4))
	n.end.Result, n.end.Chain, n.end.Hash = n.uint64(), n.uint64(), n.uint64()
	copy(n.end.Digest[:], n.take(32))
	n.end.Reason = n.text()
}
