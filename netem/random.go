package netem

// Every datagram of a path has its own eight random words, no matter what happens to it and what the settings are. The
// words are those of splitmix64, whose state is a counter: unused words cost nothing.
const (
	wordLoss         = iota // low half: is the datagram lost? high half: does a burst begin or end?
	wordAccident            // low half: is the datagram duplicated? high half: is it corrupted?
	wordJitter              // the jitter of the datagram
	wordDamage              // the bits that are flipped
	wordCopyAccident        // high half: is the copy corrupted?
	wordCopyJitter          // the jitter of the copy
	wordCopyDamage          // the bits of the copy that are flipped
	_                       // not used
	wordsPerDatagram = iota
)

// golden is 2^64 divided by the golden ratio, the step of splitmix64's counter.
const golden = 0x9E3779B97F4A7C15

// mix is the output function of Steele, Lea and Flood's SplitMix (OOPSLA 2014)
// with Stafford's variant 13 of the mixing constants.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// luck is the counter of splitmix64 at the first random word of a datagram.
type luck uint64

// newLuck returns the luck of the first datagram of a path. Paths begin at unrelated places in a cycle of 2^64 words,
// so in practice they never overlap: for 56 paths of 2^32 words each the probability is below 10^-5.
func newLuck(seed, from, to uint64) luck {
	s := mix(seed + golden)
	s = mix(s + from + golden)
	return luck(mix(s + to + golden))
}

// word returns the i-th word of the datagram.
func (l luck) word(i uint64) uint64 { return mix(uint64(l) + i*golden) }

// next returns the luck of the next datagram.
func (l luck) next() luck {
	const step = wordsPerDatagram * golden & (1<<64 - 1)
	return l + step
}
