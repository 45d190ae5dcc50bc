package served

import (
	"testing"
	"time"
)

// Rule: a margin is rounded towards late, by less than a unit or an eighth of it; encoding the decoded
// margin gives the same code, and a quarter of a second takes no more than a byte.
func TestMarginsAreRoundedTowardsLate(t *testing.T) {
	last := int32(-1 << 31)
	for early := -3 * time.Second; early < 3*time.Second; early += 100 * time.Microsecond {
		code := earlyCode(early)
		told, ok := earlyOf(code)
		if late, most := early-told, max(marginUnit, early/marginSteps, -early/marginSteps+marginUnit); !ok || late < 0 || late >= most {
			t.Fatalf("%v is told as %v", early, told)
		}
		if again := earlyCode(told); again != code || code < last {
			t.Fatalf("%v has the code %d, and %v, as which it is told, %d; before it came %d", early, code, told, again, last)
		}
		if last = code; early >= -250*time.Millisecond && early < 256*time.Millisecond && (code < -64 || code > 63) {
			t.Fatalf("the code of %v is %d", early, code)
		}
	}
	for _, code := range []int32{earlyCode(time.Hour), earlyCode(-time.Hour), earlyCode(1 << 62), earlyCode(-1 << 62)} {
		if told, ok := earlyOf(code); !ok || told < -time.Hour*9/8 || told > time.Hour {
			t.Errorf("code %d is %v, %v", code, told, ok)
		}
	}
	for _, code := range []int32{maxEarlyCode + 1, -maxEarlyCode - 1, 1<<31 - 1, -1 << 31} {
		if told, ok := earlyOf(code); ok {
			t.Errorf("code %d is %v", code, told)
		}
	}
}
