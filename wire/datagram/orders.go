package datagram

// Order says that a player has given orders in a frame of the datagram.
type Order struct {
	Player int    // the index among the sender's players
	Frame  uint32 // a frame whose inputs the datagram carries
	// Bytes are the orders. If empty, the orders come on the control stream.
	Bytes []byte
}

// OrderSize is the maximum overhead of an order, in addition to its bytes.
const OrderSize = 1 + 2 + 2

// AppendOrder appends an order to a list that must begin with its length ([AppendUint]). end is the end of the player's
// inputs in the datagram.
func AppendOrder(b []byte, o Order, s Shape, end uint32) []byte {
	if s.Sender > 1 {
		b = append(b, byte(o.Player))
	}
	b = AppendUint(AppendUint(b, end-o.Frame), uint32(len(o.Bytes)))
	return append(b, o.Bytes...)
}

// ConsumeOrder reads an order from the front of b, and returns the rest. Bytes is a slice of b.
func ConsumeOrder(b []byte, p *Play, s Shape) (o Order, rest []byte, err error) {
	if s.Sender > 1 {
		if len(b) == 0 {
			return o, nil, ErrShort
		}
		o.Player, b = int(b[0]), b[1:]
		if o.Player >= s.Sender {
			return o, nil, ErrRange
		}
	}
	f := fields{b: b}
	back, size := f.uint(), f.uint()
	switch {
	case f.bad:
		return o, nil, ErrVarint
	case back == 0 || back > p.Counts[o.Player]:
		return o, nil, ErrRange
	case uint32(len(f.b)) < size:
		return o, nil, ErrShort
	}
	o.Frame, o.Bytes = p.Ends[o.Player]-back, f.b[:size:size]
	return o, f.b[size:], nil
}
