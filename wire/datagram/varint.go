package datagram

// Numbers are unsigned LEB128: seven bits a byte, the low ones first, in the shortest form. Signed differences are
// mapped in the order 0, -1, 1, -2, 2, ... first (zigzag).

// MaxVarint is the maximum size of a number in bytes.
const MaxVarint = 5

// AppendUint appends a number.
func AppendUint(b []byte, v uint32) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// ConsumeUint reads a number from the front of b, and returns how many bytes it took: 0 if there is none, or if it is
// not in its shortest form.
func ConsumeUint(b []byte) (v uint32, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint32(b[0]), 1
	}
	return consumeLong(b)
}

func consumeLong(b []byte) (v uint32, n int) {
	for i := range min(len(b), MaxVarint) {
		c := b[i]
		if i == MaxVarint-1 && c > 0x0F {
			return 0, 0
		}
		v |= uint32(c&0x7F) << (7 * i)
		if c < 0x80 {
			if c == 0 && i > 0 {
				return 0, 0
			}
			return v, i + 1
		}
	}
	return 0, 0
}

// AppendInt appends a difference.
func AppendInt(b []byte, v int32) []byte {
	return AppendUint(b, zigzag(v))
}

// ConsumeInt reads a difference, with the results of [ConsumeUint].
func ConsumeInt(b []byte) (v int32, n int) {
	u, n := ConsumeUint(b)
	return unzigzag(u), n
}

func zigzag(v int32) uint32 { return uint32(v<<1) ^ uint32(v>>31) }

func unzigzag(u uint32) int32 { return int32(u>>1) ^ -int32(u&1) }

// Widen returns the number nearest to near whose low 16 bits are low.
func Widen(near uint32, low uint16) uint32 {
	return near + uint32(int32(int16(low-uint16(near))))
}
