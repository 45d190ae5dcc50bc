package canon

// FNV32 folds 32-bit fields into a 32-bit checksum: FNV-1a with its published
// constants, but one round for each field instead of one for each byte. It is
// therefore not FNV-1a of the bytes.
//
// It exists for games whose checksum is defined in this way. Prefer [Plan.Hash]: it is faster except for a handful of
// fields, has 64 bits, and cannot forget a field. One round per field also mixes poorly: the high bits of a field never
// reach the low bits of the sum.
//
// It is a value; keep the result: h = h.Add(v).
type FNV32 uint32

// The constants of 32-bit FNV (Fowler, Noll, Vo; RFC 9923).
const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

// NewFNV32 returns the sum of zero fields, the FNV offset basis.
func NewFNV32() FNV32 { return fnvOffset }

// Add returns the sum with one more field. Convert signed fields with uint32(v), and split wider ones.
func (h FNV32) Add(v uint32) FNV32 { return (h ^ FNV32(v)) * fnvPrime }

// Sum returns the checksum.
func (h FNV32) Sum() uint32 { return uint32(h) }
