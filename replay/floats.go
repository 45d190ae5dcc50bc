package replay

import (
	"fmt"

	"github.com/tickback/tickback/portable/strict"
)

// FloatsError means that a recording was made with other floats than those of this program. Each field names a
// platform, or the proof of a strict build, as [rollback.PlatformOf] does.
type FloatsError struct{ Recorded, Here string }

// floatsDiffer compares two platforms, and returns an error if they differ. A recording does not have to name one.
func floatsDiffer(recorded, here string) *FloatsError {
	if recorded == "" || recorded == here {
		return nil
	}
	return &FloatsError{recorded, here}
}

// Error names both platforms, and says how to build a program that has the recording's floats.
func (e *FloatsError) Error() string {
	here := "has no floats"
	if e.Here != "" {
		here = "has " + named(e.Here)
	}
	remedy := fmt.Sprintf(`by "go build", for %s and with AllowFloats, not Floats: Strict`, e.Recorded)
	if version, strictly := strict.VersionOf(e.Recorded); strictly {
		remedy = fmt.Sprintf("with %s and the Tickback that recorded it, by %s", version, strict.Command("build --strict"))
	}
	return fmt.Sprintf("replay: the recording has %s, and this program %s: build a program that verifies it %s", named(e.Recorded), here, remedy)
}

// named returns a description of a platform.
func named(platform string) string {
	if _, strictly := strict.VersionOf(platform); strictly {
		return fmt.Sprintf("the floats of a strict build (proof %s)", platform)
	}
	return fmt.Sprintf("the floats of a plain build (%s)", platform)
}
