package recordings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/replay"
)

// mostFields limits how many fields of a state are listed.
const mostFields = 50

// statesCommand is the other side of bisect --with: it answers the requests of that command.
func (a *family) statesCommand() *cobra.Command {
	var game string
	cmd := &cobra.Command{
		Use:    "states FILE",
		Short:  "Tell another build what this one simulates",
		Long:   "Answers, on the standard output, what \"replay bisect --with\" of another build asks on\nthe standard input: which states this build comes to.",
		Hidden: true,
		Args:   disk.ExactlyFiles(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			return a.with(cmd.Context(), files[0], game, func(m *recorded) error {
				build, err := replay.Local(m.r, m.replay)
				if err != nil {
					return err
				}
				// Waiting for a request must not prevent the program from ending.
				questions := &console.Interruptible{Ctx: cmd.Context(), Src: a.Stdin}
				err = replay.Serve(cmd.Context(), build, questions, a.Output)
				return interrupted(cmd.Context(), err)
			})
		},
	}
	a.gameFlag(cmd, &game)
	return cmd
}

// bisectPrograms compares this build with the build of another program.
func (a *family) bisectPrograms(ctx context.Context, m *recorded, o bisectOptions, res *bisectResult) error {
	here, err := replay.Local(m.r, m.replay)
	if err != nil {
		return err
	}
	other, err := startOther(ctx, o.with, m)
	if err != nil {
		return interrupted(ctx, err)
	}
	defer other.stop()
	frames := m.r.Next() - m.r.First()
	p := console.NewProgress(a.Stderr, int64(frames), "simulating")
	defer p.Hide()
	done := uint32(0)
	s, err := replay.BisectBuilds(ctx, here, other, mostFields, func(now uint32) {
		p.Add(int64(now - done))
		done = now
	})
	if err != nil {
		return interrupted(ctx, other.explain(err))
	}
	res.called[0], res.called[1] = "this build", "the other"
	if s.Found {
		state, good := s.State, s.State-1
		res.Found, res.What, res.State, res.At = true, "state", &state, state
		res.A, res.B = words.Checksum64(s.HashA), words.Checksum64(s.HashB)
		res.List, res.More = fieldResults(s.Fields), s.Fields.Total-len(s.Fields.Differences)
		if s.Step {
			res.Frame, res.Good = &good, &good
		}
		return inputsOf(ctx, m, res)
	}
	if s.ResultA != s.ResultB {
		res.Found, res.What = true, "end"
		res.A = fmt.Sprintf("%s here, and %s in the other build", finishText(s.ResultA), finishText(s.ResultB))
	}
	return nil
}

func finishText(r replay.Result) string {
	if !r.Finished {
		return "nothing finishes the match"
	}
	return fmt.Sprintf("frame %d finishes the match with result %d", r.Frame, r.Result)
}

// otherBuild is a build in a running program.
type otherBuild struct {
	replay.Build
	cmd    *exec.Cmd
	stderr beginning
	end    context.CancelFunc
}

// patience is the maximum time that the other program may take to end.
const patience = 2 * time.Second

// startOther runs another program on the same file.
func startOther(ctx context.Context, program string, m *recorded) (*otherBuild, error) {
	path, err := filepath.Abs(m.path)
	if err != nil {
		return nil, err
	}
	if !strings.ContainsRune(program, os.PathSeparator) {
		// A name without a path may also be that of a program in this directory.
		if _, err := os.Stat(program); err == nil {
			program = "." + string(os.PathSeparator) + program
		}
	}
	ctx, end := context.WithCancel(ctx)
	b := &otherBuild{end: end, cmd: exec.CommandContext(ctx, program, "replay", "states", "--game", m.game.Info().ID, "--", path)}
	b.cmd.Stderr, b.cmd.WaitDelay = &b.stderr, patience
	questions, err := b.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := b.cmd.Start(); err != nil {
		end()
		if unfound := (*exec.Error)(nil); errors.As(err, &unfound) {
			err = unfound.Err
		}
		return nil, console.Failed(fmt.Errorf("the other build: %s: %w", console.Printable(disk.NameOf(program)), disk.Bare(err)))
	}
	if b.Build, err = replay.Attach(questions, answers); err != nil {
		b.stop()
		return nil, b.explain(err)
	}
	return b, nil
}

// stop kills the program.
func (b *otherBuild) stop() {
	b.end()
	_ = b.cmd.Wait() // it was killed
}

// explain adds the program's output on stderr to an error.
func (b *otherBuild) explain(err error) error {
	if !errors.Is(err, replay.ErrConversation) {
		return err
	}
	b.stop()
	if said := strings.TrimSpace(string(b.stderr.b)); said != "" {
		line, _, _ := strings.Cut(said, "\n")
		return fmt.Errorf("%w (%s says: %s)", err, b.cmd.Path, line)
	}
	return fmt.Errorf("%w (%s)", err, b.cmd.Path)
}

// beginning stores the beginning of a program's output on stderr.
type beginning struct{ b []byte }

// Write stores as much as fits, and never fails.
func (t *beginning) Write(p []byte) (int, error) {
	const most = 4096
	if room := most - len(t.b); room > 0 {
		t.b = append(t.b, bytes.ToValidUTF8(p[:min(len(p), room)], nil)...)
	}
	return len(p), nil
}
