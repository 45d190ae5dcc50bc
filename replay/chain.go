package replay

import (
	"context"
	"fmt"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// maxChained is the maximum length, in frames, of a recording whose chain is checked: 19 hours at 60 frames a second.
// Parts are simulated in any order, but the chain has a fixed order, so hashes wait in memory.
const maxChained = 1 << 22

// links are the hashes, in order, of the states whose number is divisible by every.
type links struct {
	every  uint32 // the interval; 0: no hashes
	last   uint32 // the last state in the list
	hashes []uint64
}

// add adds the hash of a state, if it is the next of these states.
func (l *links) add(state uint32, hash uint64) {
	if l.every != 0 && state%l.every == 0 && state > l.last {
		l.hashes, l.last = append(l.hashes, hash), state
	}
}

// fold returns the chain of the states whose number is divisible by every.
func fold(parts []part, every uint32) (chain uint64) {
	for i := range parts {
		l := &parts[i].links
		state := parts[i].from/l.every*l.every + l.every
		for _, hash := range l.hashes {
			if state%every == 0 {
				chain = agreed.AppendChain(chain, hash, state)
			}
			state += l.every
		}
	}
	return chain
}

// chainEvery returns the interval of the recorded hashes if there is a chain that can be compared: it must be known and
// begin with the recording. Otherwise it returns 0.
func chainEvery(r *tbr.Reader) uint32 {
	end, closed := r.End()
	if !closed || end.Chain == 0 || r.First() != 0 || r.Next() > maxChained {
		return 0
	}
	return uint32(r.Header().HashEvery)
}

// checkChain compares the chain of the hashes at the end, if everything else matches the recording. The chain also
// covers states between those whose hashes are in the file: a match hashes states at an interval that divides the
// recording's. If the two intervals differ, everything is simulated once more, and each state is hashed.
func (v *verifier) checkChain(ctx context.Context, workers int) error {
	every := chainEvery(v.r)
	if every == 0 || v.result.Mismatch != nil || v.result.Damage != nil {
		return nil
	}
	end, _ := v.r.End()
	if v.result.Chained = fold(v.parts, every) == end.Chain; v.result.Chained {
		return nil
	}
	all := &verifier{r: v.r, game: v.game, o: VerifyOptions{MostFields: 1}, every: 1}
	if err := all.divide(); err != nil {
		return err
	}
	all.result.Workers = workers
	all.wrong.Store(int64(len(all.parts)))
	if err := all.run(ctx, workers, nil); err != nil {
		return err
	}
	for d := min(every, v.r.Next()); d > 0; d-- {
		if v.result.Chained = every%d == 0 && fold(all.parts, d) == end.Chain; v.result.Chained {
			return nil
		}
	}
	chain := fold(all.parts, 1)
	v.result.Mismatch = &Mismatch{
		Good: v.r.First(), State: v.r.Next(), Recorded: tbr.Hash{State: v.r.Next(), Hash: end.Chain, Bits: 64}, Computed: chain,
		Ended: fmt.Sprintf("the chain of the hashes is %016x in the recording, and %016x here", end.Chain, chain),
	}
	return nil
}
