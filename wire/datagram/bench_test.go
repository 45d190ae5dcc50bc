package datagram_test

import (
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/wire/datagram"
)

// exchange is a datagram of a match of two players with inputs of 4 bytes, the last 8 of which are not acknowledged,
// with two changes.
type exchange struct {
	shape          datagram.Shape
	key            datagram.Key
	header, read   datagram.Header
	sent, received datagram.History
	scratch, b     []byte
}

func newExchange() *exchange {
	e := &exchange{shape: datagram.Shape{Sender: 1, Receiver: 1}, key: datagram.KeyOf(1, 2)}
	e.sent.Init(4)
	e.received.Init(4)
	for f := range 108 {
		e.sent.Push([]byte{byte(f / 4), 0, 0, byte(f / 50)})
	}
	e.b, e.scratch = make([]byte, 0, datagram.MaxSize), make([]byte, 0, datagram.MaxSize)
	e.encode()
	block, _ := e.sent.AppendBlock(nil, 0, 107, datagram.MaxSize)
	if _, err := e.received.ConsumeBlock(block, 0, 107); err != nil {
		panic(err)
	}
	return e
}

func (e *exchange) encode() {
	var end uint32
	e.scratch, end = e.sent.AppendBlock(e.scratch[:0], 100, 108, 1000)
	e.header = datagram.Header{Sequence: 9, Match: 1, HasPlay: true}
	e.header.Play.Ends[0], e.header.Play.Counts[0] = end, end-100
	e.header.Play.Acks[0], e.header.Play.Confirmed = 106, 106
	e.b = e.key.Seal(append(e.header.Append(e.b[:0], e.shape), e.scratch...), 0, 9)
}

// decode reads the datagram, of which one frame is new, except that the frame is known from the second time on.
func (e *exchange) decode() error {
	body, ok := e.key.Open(e.b, 9)
	if !ok {
		return datagram.ErrShort
	}
	rest, err := e.read.Consume(body, e.shape, e.received.Next())
	if err != nil {
		return err
	}
	p := &e.read.Play
	_, err = e.received.ConsumeBlock(rest, p.Ends[0]-p.Counts[0], int(p.Counts[0]))
	return err
}

// The floor of both directions is computing the hash of the tag.
func BenchmarkDatagram(b *testing.B) {
	var e *exchange
	hash := func(n int) {
		for range n {
			if xxh3.HashSeed(e.b[:len(e.b)-datagram.TagSize], 1) == 1 {
				b.Fatal("an unlikely hash")
			}
		}
	}
	b.Run("encode", func(b *testing.B) {
		e = newExchange()
		floor.Compare(b, hash, func(n int) {
			for range n {
				e.encode()
			}
		})
		b.ReportMetric(float64(len(e.b)), "bytes")
	})
	b.Run("decode", func(b *testing.B) {
		e = newExchange()
		fresh := e.received // one frame less, again in each round
		floor.Compare(b, hash, func(n int) {
			for range n {
				e.received.Rewind(&fresh)
				if err := e.decode(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.ReportMetric(float64(len(e.b)), "bytes")
	})
}
