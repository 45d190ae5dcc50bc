package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
)

// A server that was killed and restarted cannot return to its place in the room unless it knows the place's secret.
// The file of --room-file stores it in one line: the link to the place.

// maxRoomFile limits how much of such a file is read: a link has at most 2048 bytes.
const maxRoomFile = 4 << 10

// errRoomFile means that a file does not contain a place in a room. It is not overwritten, since it may be another
// file of the user.
var errRoomFile = errors.New("this is no file that --room-file has written, or it is damaged: give another name, or delete it, and the server opens a new room")

// parseRoomFile returns the link in such a file. The content is not trusted.
func parseRoomFile(b []byte, page string) (link string, err error) {
	link = strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
	at, _, _ := strings.Cut(link, "#")
	switch {
	case len(b) > maxRoomFile || strings.ContainsFunc(link, func(r rune) bool { return r <= ' ' || r > '~' }) || online.TicketOf(link) == "":
		return "", errRoomFile
	case strings.TrimRight(at, "/") != strings.TrimRight(strings.TrimSpace(page), "/"):
		return "", fmt.Errorf("it is for a room at %s, and not at %s: give that --room, or another file", console.Printable(at), page)
	}
	return link, nil
}

// readRoomFile returns the link in the file, or "" if there is no file. Every error is about wrong usage.
func readRoomFile(ctx context.Context, path, page string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err == nil && !info.Mode().IsRegular():
		err = errors.New("this is no regular file")
	}
	var link string
	if err == nil {
		var f *os.File
		if f, err = disk.Open(ctx, path); err == nil {
			defer f.Close()
			var b []byte
			if b, err = io.ReadAll(io.LimitReader(f, maxRoomFile+1)); err == nil {
				link, err = parseRoomFile(b, page)
			}
		}
	}
	if err != nil {
		return "", console.Usagef("--room-file %s: %w", disk.NameOf(path), disk.Bare(err))
	}
	return link, nil
}

// writeRoomFile replaces the file as a whole: a reader finds the old link or the new one. Only its owner may read it.
func writeRoomFile(path, link string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // if path is a symbolic link, replace the file that it leads to
	}
	f, err := disk.Beside(path, 0o600)
	if err != nil {
		return err
	}
	defer f.Discard()
	return f.Commit(context.Background(), func() error { // no need for a context: only a pipe would block
		_, err := f.WriteString(link + "\n")
		return err
	})
}

// readRoom reads the file of --room-file, if there is one; every error is about wrong usage.
func (h *serverSetup) readRoom(ctx context.Context) (err error) {
	if h.flags.roomFile != "" {
		h.kept, err = readRoomFile(ctx, h.flags.roomFile, h.flags.room)
	}
	return err
}

// enterRoom comes back to the room in the file, or opens a new one.
func (h *serverSetup) enterRoom(ctx context.Context) (err error) {
	o := h.flags
	cfg := roomConfig(h.game, o.room, o.name)
	cfg.Seats, cfg.Spectators = 1, min(o.players+watchers, rooms.MaxSpectators)
	if h.kept != "" {
		if err = h.comeBack(ctx, cfg); h.room != nil || err != nil {
			return err
		}
	}
	h.room, err = online.Create(ctx, o.room, cfg)
	return err
}

// comeBack takes the previous place in the room again, or the seat if that place is gone. If neither is possible, it
// reports why, and the setup remains without a room.
func (h *serverSetup) comeBack(ctx context.Context, cfg online.Config) error {
	first := 0
	cfg.Seat = &first
	r, err := online.Join(ctx, h.kept, cfg)
	var other *rooms.MismatchError
	switch {
	case errors.As(err, &other) && other.Item == "game":
		return h.roomFileError(fmt.Errorf("its room is for %s: give another file", console.Printable(other.Rooms)))
	case errors.As(err, &other):
		h.log.Say("the room of before is for build %s, and this is %s: a new one is opened", console.Printable(other.Rooms), other.Ours)
		return nil
	case isGone(err):
		h.log.Say("the room of before cannot be entered any more: %s; a new one is opened", strings.TrimPrefix(err.Error(), "rooms: "))
		return nil
	case err != nil:
		return err
	case r.Me().Seat != first:
		r.Abandon() // somebody else has the place now, so do not give it up
		return h.roomFileError(errors.New("its place in the room is that of a player, and no server's: give another file"))
	case r.Lost() != nil:
		h.log.Say("the place of before in the room was given up meanwhile, and was free: the link is the same")
	default:
		h.log.Say("back in the room of before, in the same place: its players come back by themselves")
	}
	h.room = r
	return nil
}

// isGone reports whether an error means that a room will no longer admit us.
func isGone(err error) bool {
	for _, e := range []error{rooms.ErrGone, rooms.ErrExpired, rooms.ErrFull, rooms.ErrSeatTaken, rooms.ErrKicked} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// keepRoom writes the file, unless there is none or it already leads to our place.
func (h *serverSetup) keepRoom() error {
	if h.flags.roomFile == "" {
		return nil
	}
	link := online.PlaceLink(h.room)
	if link == h.kept {
		return nil
	}
	if err := writeRoomFile(h.flags.roomFile, link); err != nil {
		return h.roomFileError(disk.Bare(err))
	}
	h.kept = link
	return nil
}

// roomFileError returns a failure that names the file.
func (h *serverSetup) roomFileError(err error) error {
	return console.Failed(fmt.Errorf("--room-file %s: %w", disk.NameOf(h.flags.roomFile), err))
}
