package reliable

// sectionReader reads one section, field by field. It checks only the form; sender and
// receiver check whether the numbers are possible.
type sectionReader struct {
	rest  []byte
	flags byte
	count int // fragments not yet read
	first bool
	after uint64
}

// fragment is a fragment as read; its bytes alias the section.
type fragment struct {
	number    uint64
	bytes     []byte
	continues bool
}

// start reads the flags.
func (r *sectionReader) start(b []byte) error {
	if len(b) == 0 || b[0] == 0 || b[0]&(ackFlag|holesFlag) == holesFlag {
		return ErrMalformed
	}
	*r = sectionReader{rest: b[1:], flags: b[0], count: int(b[0] & countBits), first: true}
	return nil
}

// acknowledgement reads the acknowledgement, if the flags say that there is one.
func (r *sectionReader) acknowledgement() (a acknowledgement, err error) {
	if a.arrived, r.rest, err = consumeVarint(r.rest); err != nil {
		return a, err
	}
	if r.flags&holesFlag == 0 {
		return a, nil
	}
	if len(r.rest) < 1 {
		return a, ErrMalformed
	}
	n := int(r.rest[0])
	if n == 0 || n > len(a.holes) || n >= len(r.rest) || r.rest[n] == 0 {
		return a, ErrMalformed
	}
	copy(a.holes[:], r.rest[1:1+n])
	if r.rest = r.rest[1+n:]; a.holes[len(a.holes)-1]>>7 != 0 {
		return a, ErrMalformed // its bit would stand for arrived+Window, beyond the window
	}
	return a, nil
}

// fragment reads the next fragment, while count is above 0.
func (r *sectionReader) fragment() (f fragment, err error) {
	if r.first {
		if r.after, r.rest, err = consumeVarint(r.rest); err != nil {
			return f, err
		}
	}
	head, rest, err := consumeVarint(r.rest)
	if err != nil {
		return f, err
	}
	if head&gapBit != 0 {
		var skipped uint64
		if skipped, rest, err = consumeVarint(rest); err != nil {
			return f, err
		}
		// The sum cannot wrap around into the window: the previous number was inside it, or reading would have
		// stopped.
		if skipped == 0 || skipped >= Window || r.first {
			return f, ErrMalformed
		}
		r.after += skipped
	}
	length := head >> lengthShift
	if length == 0 || length > MaxFragment || length > uint64(len(rest)) {
		return f, ErrMalformed
	}
	f = fragment{r.after, rest[:length:length], head&continuesBit != 0}
	r.rest = rest[length:]
	r.after++
	r.first = false
	r.count--
	return f, nil
}
