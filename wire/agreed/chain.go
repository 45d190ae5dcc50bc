package agreed

import "math/bits"

// AppendChain folds the hash of state f into the chain of the hashes of all hashed states
// before it, which begins with 0: a difference stays visible in it, even if it heals itself.
func AppendChain(chain, hash uint64, f uint32) uint64 {
	return bits.RotateLeft64((chain^hash)*0x9E3779B97F4A7C15, 29) + uint64(f)
}
