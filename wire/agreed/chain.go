package agreed

import "math/bits"

// AppendChain adds the hash of state f to the chain of the hashes of all hashed states before it, which begins with 0.
// A difference stays visible in the chain, even if later states are equal again.
func AppendChain(chain, hash uint64, f uint32) uint64 {
	return bits.RotateLeft64((chain^hash)*0x9E3779B97F4A7C15, 29) + uint64(f)
}
