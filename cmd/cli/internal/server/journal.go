package server

import (
	"errors"
	"fmt"
	"os"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/journal"
)

// checkJournal checks the flags of the journal.
func (o *serveFlags) checkJournal() error {
	switch {
	case o.journalSync && o.journal == "":
		return console.Usagef("--journal-sync goes with --journal")
	case o.journal != "" && o.secretMadeHere:
		return console.Usagef("--token new with --journal: a server that goes on needs the token of before; give --token TEXT or @FILE")
	}
	return nil
}

// openJournal opens the file of --journal, if there is one.
func (h *serverSetup) openJournal() (err error) {
	o := h.flags
	if o.journal == "" {
		return nil
	}
	if h.journal, err = journal.Open(o.journal, journal.Options{Sync: o.journalSync}); err != nil {
		return console.Usagef("--journal %s: %w", disk.NameOf(o.journal), disk.Bare(err))
	}
	if n := h.journal.Removed(); n > 0 {
		h.log.Say("--journal %s: removed %d bytes that were not written to their end", disk.NameOf(o.journal), n)
	}
	if h.journal.Found() > 0 && o.observe.Record != "" {
		return h.setAside(o.observe.Record)
	}
	return nil
}

// setAside renames the recording of the process before, as no recording replaces one: that of a match that goes on has
// all of the match.
func (h *serverSetup) setAside(path string) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil // whoever opens it says what is wrong
	}
	to := path + ".before"
	if err := os.Rename(path, to); err != nil {
		return console.Failed(fmt.Errorf("--record %s: %w", disk.NameOf(path), disk.Bare(err)))
	}
	h.log.Say("%s is %s now: the new recording has all of the match", disk.NameOf(path), disk.NameOf(to))
	return nil
}

// closeJournal writes what is left of the journal.
func (h *serverSetup) closeJournal() error {
	if h.journal == nil {
		return nil
	}
	if err := h.journal.Close(); err != nil {
		return fmt.Errorf("--journal %s: %w", disk.NameOf(h.flags.journal), disk.Bare(err))
	}
	return nil
}

// explainJournal names the file in an error of the journal.
func (h *serverSetup) explainJournal(err error) error {
	wrong := (*tickback.JournalError)(nil)
	switch name := disk.NameOf(h.flags.journal); {
	case h.journal == nil || !errors.As(err, &wrong):
		return err
	case wrong.Record > 0:
		return fmt.Errorf("--journal %s: record %d: %w", name, wrong.Record, wrong.Unwrap())
	default:
		return fmt.Errorf("--journal %s: %w", name, disk.Bare(wrong.Unwrap()))
	}
}
