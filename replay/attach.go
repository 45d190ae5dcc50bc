package replay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The protocol for a build in another program: lines of JSON, with one answer to each request. The answer to the first
// request states the version.
const (
	// protocolVersion is the version of this protocol, not of recordings.
	protocolVersion = 1
	// maxRequest is the maximum length in bytes of our lines, and maxAnswer that of the other program's, which contain
	// the text and the encoding of a large state.
	maxRequest, maxAnswer = 1 << 10, 256 << 20
)

// request is a request to a build.
type request struct {
	Ask string `json:"ask"` // about, advance, hashes, state or result
	To  uint32 `json:"to,omitempty"`
}

// answer is the answer to a request. It contains only what the request asked for.
type answer struct {
	Version int      `json:"version,omitempty"`
	About   *About   `json:"about,omitempty"`
	Chain   uint64   `json:"chain,omitempty"`
	Hashes  []uint64 `json:"hashes,omitempty"`
	View    *View    `json:"view,omitempty"`
	Result  *Result  `json:"result,omitempty"`
	Error   string   `json:"error,omitempty"`
}

// ErrConversation means that the other program does not answer as a build does.
var ErrConversation = errors.New("replay: the other program does not answer as a build of a game")

// BuildError is an error reported by a build in another program.
type BuildError struct{ Text string }

// Error returns the text of the other build.
func (e *BuildError) Error() string { return "the other build: " + e.Text }

// Serve answers the requests of another program on behalf of a build, until there are no more. It is the other side of
// [Attach].
func Serve(ctx context.Context, build Build, questions io.Reader, answers io.Writer) error {
	lines := bufio.NewReaderSize(questions, maxRequest)
	for {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("replay: the question: %w", err)
		}
		var q request
		if err := json.Unmarshal(line, &q); err != nil {
			return fmt.Errorf("replay: the question: %w", err)
		}
		var a *answer
		err = Survive(func() (err error) {
			a, err = reply(ctx, build, q)
			return err
		})
		if err != nil {
			a = &answer{Error: err.Error()}
		}
		b, err := json.Marshal(a)
		if err == nil {
			_, err = answers.Write(append(b, '\n'))
		}
		if err != nil {
			return err
		}
	}
}

// reply returns the answer to one request.
func reply(ctx context.Context, build Build, q request) (*answer, error) {
	a := &answer{}
	var err error
	switch q.Ask {
	case "about":
		about := build.About()
		a.Version, a.About = protocolVersion, &about
	case "advance":
		a.Chain, err = build.Advance(ctx, q.To)
	case "hashes":
		a.Hashes, err = build.Hashes(ctx)
	case "state":
		a.View, err = build.State(ctx, q.To)
	case "result":
		var r Result
		r, err = build.Result(ctx)
		a.Result = &r
	default:
		err = fmt.Errorf("%.40q is no question", q.Ask)
	}
	return a, err
}

// attached is a build in another program.
type attached struct {
	questions io.Writer
	answers   *bufio.Reader
	about     About
}

// Attach returns a [Build] that sends its calls to another program, which runs [Serve]. The answers are limited in
// size and checked for their form, not for their truth. A read that waits for an answer cannot be interrupted, except
// by ending the other program.
func Attach(questions io.Writer, answers io.Reader) (Build, error) {
	b := &attached{questions: questions, answers: bufio.NewReader(answers)}
	a, err := b.ask(context.Background(), request{Ask: "about"})
	switch {
	case err != nil:
		return nil, err
	case a.Version != protocolVersion:
		return nil, fmt.Errorf("%w: it speaks version %d, and this program %d", ErrConversation, a.Version, protocolVersion)
	case a.About == nil || a.About.First > a.About.Next:
		return nil, fmt.Errorf("%w: it does not say which frames it has", ErrConversation)
	}
	b.about = *a.About
	return b, nil
}

// About implements [Build].
func (b *attached) About() About { return b.about }

// Advance implements [Build].
func (b *attached) Advance(ctx context.Context, to uint32) (uint64, error) {
	a, err := b.ask(ctx, request{Ask: "advance", To: to})
	if err != nil {
		return 0, err
	}
	return a.Chain, nil
}

// Hashes implements [Build].
func (b *attached) Hashes(ctx context.Context) ([]uint64, error) {
	a, err := b.ask(ctx, request{Ask: "hashes"})
	if err != nil {
		return nil, err
	}
	return a.Hashes, nil
}

// State implements [Build].
func (b *attached) State(ctx context.Context, n uint32) (*View, error) {
	a, err := b.ask(ctx, request{Ask: "state", To: n})
	if err == nil && a.View == nil {
		err = fmt.Errorf("%w: there is no state in the answer", ErrConversation)
	}
	if err != nil {
		return nil, err
	}
	return a.View, nil
}

// Result implements [Build].
func (b *attached) Result(ctx context.Context) (Result, error) {
	a, err := b.ask(ctx, request{Ask: "result"})
	if err == nil && a.Result == nil {
		err = fmt.Errorf("%w: there is no result in the answer", ErrConversation)
	}
	if err != nil {
		return Result{}, err
	}
	return *a.Result, nil
}

// ask sends a request and reads its answer.
func (b *attached) ask(ctx context.Context, q request) (*answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	line, err := json.Marshal(q)
	if err == nil {
		_, err = b.questions.Write(append(line, '\n'))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: it takes no question: %v", ErrConversation, err)
	}
	text, err := readLine(b.answers, maxAnswer)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrConversation, err)
	}
	a := &answer{}
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConversation, err)
	}
	if a.Error != "" {
		return nil, &BuildError{a.Error}
	}
	return a, nil
}

// readLine reads a line, which must not be longer than the limit. It allocates memory only for bytes that have
// arrived.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, fmt.Errorf("a line of more than %d bytes", most)
		}
		line = append(line, part...)
		switch err {
		case nil:
			return line, nil
		case bufio.ErrBufferFull:
		case io.EOF:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}
