package capacity

// pool is memory that a package keeps.
var pool []int32

//tickback:deterministic
func longerPool(n int) int32 {
	pool = pool[:n] // want globals
	return pool[n-1]
}
