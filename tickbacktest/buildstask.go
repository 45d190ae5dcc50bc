package tickbacktest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/internal/rebuild"
	"github.com/tickback/tickback/rollback"
)

// Tasks: a test that was built for another target gets a task in a file, which an environment variable names. It plays
// the matches of the task in the call that the task names, and writes its reply to another file. All other checks
// return at once in that process.

const (
	taskVariable = "TICKBACK_TEST_TASK"
	mostReply    = 256 << 20 // maximum size of a reply in bytes
	mostShown    = 64 << 20  // maximum size of a state's text in bytes
)

// task is a request to a build.
type task struct {
	Test  string   // the name of the test
	Call  int      // the number of the call of Builds in the test, from 0
	Lines []string // the matches, in the form that Replay takes
	Show  *int     `json:",omitempty"` // the number of a state of the only match, which is to be returned as text
	Reply string   // the file for the reply
}

// reply is the answer to a task.
type reply struct {
	// Outcomes are the outcomes of each match: hash, effects, whether it is finished (1 or 0), and the result. The first
	// one is for state 0, the others for the state after each frame.
	Outcomes [][]outcome `json:"-"`
	Numbers  [][][4]uint64
	Text     []byte
	Failure  string `json:",omitempty"` // the failure that ended the last of these matches
}

// inOtherBuild reports whether this process is another build that is being compared, in which nothing else is tested.
func inOtherBuild() bool { return os.Getenv(taskVariable) != "" }

// calls counts the calls of Builds in each running test.
var calls struct {
	sync.Mutex
	of map[string]int
}

// callOf returns the number of a call, and counts it.
func callOf(t testing.TB) int {
	calls.Lock()
	defer calls.Unlock()
	name := t.Name()
	n, again := calls.of[name]
	if !again {
		if calls.of == nil {
			calls.of = map[string]int{}
		}
		t.Cleanup(func() { // the test may be run again, with -count
			calls.Lock()
			defer calls.Unlock()
			delete(calls.of, name)
		})
	}
	calls.of[name] = n + 1
	return n
}

// ask runs a build of this test with the task.
func (k task) ask(ctx context.Context, g rebuild.Target, program, dir string) (*reply, error) {
	k.Reply = filepath.Join(dir, "reply.json")
	file := filepath.Join(dir, "task.json")
	b, err := json.Marshal(k)
	if err == nil {
		err = os.WriteFile(file, b, 0o600)
	}
	if err == nil {
		err = os.Remove(k.Reply)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	ran := g.Run(ctx, program, home, argumentsFor(k.Test, os.Args[1:]), []string{taskVariable + "=" + file})
	if errors.Is(ran, rebuild.ErrCannotRun) || ctx.Err() != nil {
		return nil, ran
	}
	r, err := k.read()
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("the test has not come to this call there: %w", errors.Join(ran, err))
	}
	return r, err
}

// argumentsFor returns the arguments for a run of one test, with the test's own flags as in this process.
func argumentsFor(test string, args []string) []string {
	var names []string
	for name := range strings.SplitSeq(test, "/") {
		names = append(names, "^"+regexp.QuoteMeta(name)+"$")
	}
	list := []string{"-test.run=" + strings.Join(names, "/"), "-test.count=1", "-test.timeout=" + buildTime.String()}
	for _, a := range args {
		if !strings.HasPrefix(a, "-test.") && !strings.HasPrefix(a, "--test.") {
			list = append(list, a)
		}
	}
	return list
}

// read reads the reply. It comes from another process, so its content is not trusted.
func (k task) read() (*reply, error) {
	f, err := os.Open(k.Reply)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, mostReply+1))
	if err != nil {
		return nil, err
	}
	if len(b) > mostReply {
		return nil, fmt.Errorf("its reply has more than %d bytes", mostReply)
	}
	r := &reply{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("its reply: %w", err)
	}
	if r.Failure = rebuild.Printable(r.Failure); len(r.Failure) > mostShownFailure {
		r.Failure = strings.ToValidUTF8(r.Failure[:mostShownFailure], "")
	}
	for _, list := range r.Numbers {
		var out []outcome
		for _, n := range list {
			out = append(out, outcome{rollback.StepReport{Effects: n[1], Finished: n[2] != 0, Result: n[3]}, n[0]})
		}
		r.Outcomes = append(r.Outcomes, out)
	}
	if k.Show == nil && len(r.Outcomes) != len(k.Lines) && (r.Failure == "" || len(r.Outcomes) > len(k.Lines) || len(r.Outcomes) == 0) {
		return nil, fmt.Errorf("its reply has %d matches, and not %d", len(r.Outcomes), len(k.Lines))
	}
	return r, nil
}

// mostShownFailure is the maximum length in bytes of the text of a failure in another build.
const mostShownFailure = 4 << 10

// answer plays the task of this process, if it is for this call.
func (b *builds[S, I]) answer() {
	b.t.Helper()
	var k task
	text, err := os.ReadFile(os.Getenv(taskVariable))
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err == nil && (k.Test != b.t.Name() || k.Call != b.call) {
		return
	}
	var r *reply
	if err == nil {
		r, err = b.replyTo(k)
	}
	if err == nil {
		text, err = json.Marshal(r)
	}
	if err == nil {
		err = os.WriteFile(k.Reply, text, 0o600)
	}
	if err != nil {
		b.t.Fatalf("tickbacktest.%s in another build: %v", b.name, err)
	}
}

func (b *builds[S, I]) replyTo(k task) (r *reply, err error) {
	if b.codec, err = newCodec[I](); err != nil {
		return nil, err
	}
	r = &reply{}
	for i, line := range k.Lines {
		m, err := b.parse(line)
		if err != nil {
			return nil, fmt.Errorf("match %d: %w", i, err)
		}
		if k.Show != nil {
			if r.Text, err = b.show(m, *k.Show); err != nil {
				r.Failure = err.Error()
			}
			return r, nil
		}
		frames, f := b.record(m)
		r.Numbers = append(r.Numbers, nil)
		for _, o := range frames {
			n := [4]uint64{o.hash, o.Effects, 0, o.Result}
			if o.Finished {
				n[2] = 1
			}
			r.Numbers[i] = append(r.Numbers[i], n)
		}
		if f != nil {
			r.Failure = f.what
			break
		}
	}
	return r, nil
}

// record plays a match, and returns the outcome of each frame, state 0 first. A match that goes on beyond
// Options.Frames gets its final length here.
func (b *builds[S, I]) record(m *match[I]) (list []outcome, f *failure) {
	f = b.probe.guard(func() *failure {
		box, err := rollback.NewSandbox(b.game, m.players, 0)
		if err != nil {
			return refusal(err)
		}
		b.probe.frame = -1
		h, err := box.Hash()
		if err != nil {
			return refusal(fmt.Errorf("the state cannot be hashed: %w", err))
		}
		list = append(list, outcome{hash: h})
		for f := 0; f < m.frames(); f++ {
			b.probe.frame = f
			said, err := box.Step(m.frame(f))
			if err != nil {
				return &failure{frame: f, what: "cannot run: " + err.Error()}
			}
			if h, err = box.Hash(); err != nil {
				return refusal(fmt.Errorf("the state cannot be hashed: %w", err))
			}
			b.probe.see(h)
			b.probe.compared++
			list = append(list, outcome{said, h})
			if m.settled(&b.probe, f, h) {
				break
			}
		}
		return nil
	})
	m.quiet = 0 // from now on its length is fixed
	return list, f
}

// show plays a match up to a state, and returns that state as text.
func (b *builds[S, I]) show(m *match[I], state int) (text []byte, err error) {
	f := b.probe.guard(func() *failure {
		box, err := rollback.NewSandbox(b.game, m.players, 0)
		if err != nil {
			return refusal(err)
		}
		for f := range min(state, m.frames()) {
			if _, err := box.Step(m.frame(f)); err != nil {
				return refusal(err)
			}
		}
		text, err = newViewer[S](b.game).text(box.Live())
		if err == nil && len(text) > mostShown {
			err = fmt.Errorf("the state has %d bytes as text, and %d are shown at most", len(text), mostShown)
		}
		if err != nil {
			return refusal(err)
		}
		return nil
	})
	if f != nil {
		return nil, errors.New(f.what)
	}
	return text, nil
}

// text returns a state as text, with one line for each leaf.
func (v viewer[S]) text(s *S) ([]byte, error) {
	switch {
	case v.plan != nil:
		return v.plan.AppendText(nil, s), nil
	case v.describe != nil:
		return canon.AppendTextAny(nil, v.describe(s))
	}
	return canon.AppendTextAny(nil, s)
}

// diffTexts returns the differences between two states, from the texts that two builds have made.
func diffTexts(here, there []byte) (canon.Report, error) {
	if bytes.Equal(here, there) {
		return canon.Report{}, nil
	}
	clean := func(b []byte) []byte { return []byte(rebuild.Printable(string(b))) }
	return canon.DiffTexts(clean(here), clean(there), mostDifferences), nil
}
