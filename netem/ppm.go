package netem

import "strconv"

// PPM is a probability in parts per million, so that runs use only integers: 0 means never, [Always] always, and
// 3*[Percent] 3%.
type PPM uint32

// Probabilities from which to build others.
const (
	Percent PPM = 10_000
	Always  PPM = 100 * Percent
)

// String returns the probability in percent, exactly: "0.25%".
func (p PPM) String() string {
	text := strconv.Itoa(int(p / Percent))
	if rest := int(p % Percent); rest != 0 {
		digits := strconv.Itoa(int(Percent) + rest)[1:] // with leading zeros
		for digits[len(digits)-1] == '0' {
			digits = digits[:len(digits)-1]
		}
		text += "." + digits
	}
	return text + "%"
}

// chance is a probability as a number to compare 32 random bits with: the event happens if they are less. It is rounded
// up, so that a possible event stays possible; 2^32 means always.
type chance uint64

func (p PPM) chance() chance {
	return (chance(p)<<32 + chance(Always) - 1) / chance(Always)
}

// happens decides with 32 random bits.
func (c chance) happens(random uint32) bool { return chance(random) < c }
