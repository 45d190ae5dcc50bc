package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// MaxPlanSize is how many bytes of JSON [ParsePlan] accepts: several times what the largest plan needs.
const MaxPlanSize = 1 << 20

// JSON returns the plan as a file: times in nanoseconds, probabilities in parts per million, sets as
// numbers whose bit i is player or machine i.
func (p *Plan) JSON() []byte { return EncodePlan(p) }

// EncodePlan returns a plan of any kind as a file. A plan is a struct of plain data.
func EncodePlan(p any) []byte {
	b, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		panic("fleet: a plan is not valid JSON: " + err.Error()) // cannot happen: nothing in a plan can fail to encode
	}
	return append(b, '\n')
}

// ParsePlan reads a plan as [Plan.JSON] writes it. Unknown fields, trailing data and whatever
// [Plan.Validate] rejects are errors that wrap [ErrPlan].
func ParsePlan(b []byte) (Plan, error) {
	var p Plan
	if err := DecodePlan(b, &p); err != nil {
		return Plan{}, err
	}
	return p, nil
}

// DecodePlan reads a plan of any kind as [EncodePlan] writes it. Unknown fields, trailing data and
// what the plan itself rejects are errors that wrap [ErrPlan].
func DecodePlan(b []byte, p interface{ Validate() error }) error {
	if len(b) > MaxPlanSize {
		return planError("%d bytes, at most %d", len(b), MaxPlanSize)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(p); errors.Is(err, io.EOF) {
		return planError("the file is empty")
	} else if err != nil {
		return planError("%w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return planError("something follows the plan")
	}
	return p.Validate()
}
