package rollback

import (
	"fmt"

	"github.com/tickback/tickback/canon"
)

// checkInput refuses types of inputs that cannot be sent whole.
func checkInput[I comparable]() error {
	plan, err := canon.PlanFor[I]()
	if err != nil {
		return fmt.Errorf("rollback: inputs: %w", canon.AdviseFloats(err,
			"inputs have none, since machines compare them: give an integer, such as int16(32767*x), and divide in the step"))
	}
	if plan.Size() > MaxInputSize {
		return fmt.Errorf("rollback: inputs of type %T have %d bytes, more than %d", *new(I), plan.Size(), MaxInputSize)
	}
	for _, g := range plan.Gaps() {
		if g.Kind == canon.Excluded {
			return fmt.Errorf("rollback: inputs of type %T: the field %s is excluded, so that it would not reach other machines", *new(I), g.Path)
		}
	}
	return nil
}
