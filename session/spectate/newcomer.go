package spectate

import "github.com/tickback/tickback/wire/datagram"

// SendSeat sends the host a message of 1 to [MaxSeatMessage] bytes: once it has let us
// in ([Viewer.Attached]), and if we have asked for a seat. The errors are [ErrNoSeat],
// [ErrSeatMessage], and reliable.ErrFull. If the host is lost, so may the message be.
func (v *Viewer) SendSeat(b []byte) error {
	m, err := seatMessage(b)
	if err != nil {
		return err
	}
	if v.cfg.Seat == nil || !v.heard {
		return ErrNoSeat
	}
	return v.pipe.Channel.Send(m)
}

// Seat returns the next message of the present host to a newcomer, and forgets it. Each
// comes after what was queued before it ([Viewer.Front]), which may still wait. If they
// are not taken, nothing more is read.
func (v *Viewer) Seat() (b []byte, ok bool) {
	if len(v.seat) == 0 {
		return nil, false
	}
	b = v.seat[0]
	if v.seat = v.seat[1:]; len(v.seat) == 0 {
		v.seat = nil
	}
	return b, true
}

// seated is a message of the host to a newcomer.
func (v *Viewer) seated(b []byte) error {
	switch {
	case v.cfg.Seat == nil:
		return datagram.ErrKind
	case len(b) == 0 || len(b) > MaxSeatMessage:
		return datagram.ErrRange
	}
	v.seat = append(v.seat, append([]byte(nil), b...))
	return nil
}
