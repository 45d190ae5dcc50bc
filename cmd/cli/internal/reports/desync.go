package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/session/desync"
)

func (a *family) desyncCommand() *cobra.Command {
	cmd := console.Group("desync", "Look at reports of matches whose players' states differed")
	cmd.AddCommand(a.desyncShowCommand(), a.desyncReplayCommand())
	return cmd
}

// readReport reads a report.
func readReport(src io.Reader) (*desync.Report, error) {
	b, err := io.ReadAll(io.LimitReader(src, desync.MaxReport+1))
	if err != nil {
		return nil, err
	}
	return desync.Decode(b)
}

// groupName returns the players of a group as text.
func groupName(r *desync.Report, group int) string {
	return words.People(tickback.PlayerSet(r.Members(group)))
}

// sourceText says how the state of a peer was obtained.
func sourceText(p *desync.Peer) string {
	refused := ""
	if p.Why != "" {
		refused = "; " + p.Why
	}
	switch p.Origin {
	case desync.Original:
		return "original"
	case desync.Resimulated:
		return fmt.Sprintf("simulated again from state %d%s", p.Base, refused)
	case desync.NotReproduced:
		return fmt.Sprintf("not reproduced: simulated again from state %d it is %s%s", p.Base, words.Checksum64(p.Hash), refused)
	}
	return "not available: " + p.Why
}

// Differing returns a text about which players' states differ.
func Differing(r *desync.Report) string {
	if len(r.Groups) > 2 {
		var names []string
		for g := range r.Groups {
			names = append(names, groupName(r, g))
		}
		return fmt.Sprintf("There are %d different ones: of %s.", len(names), strings.Join(names, "; of "))
	}
	few, rest := 1, 0
	size := func(g int) int { return tickback.PlayerSet(r.Members(g)).Len() }
	if size(0) < size(1) {
		few, rest = 0, 1
	}
	verb := "has"
	if size(few) > 1 {
		verb = "have"
	}
	return words.Capital(fmt.Sprintf("%s %s another one than %s.", groupName(r, few), verb, groupName(r, rest)))
}
