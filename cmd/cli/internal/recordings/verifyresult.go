package recordings

import "time"

// verifyResult is the result for one recording. The tags are the keys of --json.
type verifyResult struct {
	File     string `json:"file"`
	Game     string `json:"game"`
	Frames   uint32 `json:"frames"`
	Seed     uint64 `json:"seed"`
	Checksum string `json:"checksum"` // the checksum of the last state, as sim and match print it; empty on failure
	OK       bool   `json:"ok"`
	Error    string `json:"error"` // empty when ok

	Format    string          `json:"format"`    // empty if the format was not recognized
	Hash      string          `json:"hash"`      // the 64-bit hash of the last state; empty on failure and for RPLK
	First     uint32          `json:"first"`     // the first frame of the recording
	Verdict   string          `json:"verdict"`   // ok, unverified, wrong, damaged or failed
	Hashes    uint32          `json:"hashes"`    // how many recorded hashes match
	Keyframes uint32          `json:"keyframes"` // how many keyframes match
	Checked   uint32          `json:"checked"`   // the last state that was compared
	Workers   int             `json:"workers"`
	Mismatch  *mismatchResult `json:"mismatch"` // null if there is none

	took time.Duration
}

// mismatchResult says where a recording and this build diverge.
type mismatchResult struct {
	Good     uint32        `json:"good"`     // the last state that matches
	State    uint32        `json:"state"`    // the first state that is known to differ
	Frame    *uint32       `json:"frame"`    // the frame that led to it; null if it is not known
	Recorded string        `json:"recorded"` // the recorded hash, or as much of it as was recorded
	Computed string        `json:"computed"` // the computed hash
	Ended    string        `json:"ended"`    // how the match ended, if that differs
	FieldsAt uint32        `json:"fields_at"`
	Fields   []fieldResult `json:"fields"` // the differing fields of state fields_at
	More     int           `json:"more"`   // fields that are not listed
}

// fieldResult is a field that differs. A is recorded, or from the first of two builds; B is computed by this build, or
// from the second.
type fieldResult struct {
	Path string `json:"path"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// Verdicts about a recording.
const (
	verdictOK         = "ok"
	verdictUnverified = "unverified"
	verdictWrong      = "wrong"
	verdictDamaged    = "damaged"
	verdictFailed     = "failed"
)
