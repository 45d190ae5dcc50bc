package main

import (
	"fmt"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// keyboard presses keys on an X display like a real one (extension XTEST).
type keyboard struct {
	conn  *xgb.Conn
	root  xproto.Window
	first xproto.Keycode
	codes *xproto.GetKeyboardMappingReply // the key symbols, from the first key code on
}

// openKeyboard opens the keyboard of the display in the environment.
func openKeyboard() (*keyboard, error) {
	conn, err := xgb.NewConn()
	if err != nil {
		return nil, fmt.Errorf("the display (start it under xvfb-run, if there is none): %w", err)
	}
	setup := xproto.Setup(conn)
	k := &keyboard{conn: conn, root: setup.DefaultScreen(conn).Root, first: setup.MinKeycode}
	if err = xtest.Init(conn); err == nil {
		k.codes, err = xproto.GetKeyboardMapping(conn, k.first, byte(setup.MaxKeycode-k.first+1)).Reply()
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return k, nil
}

func (k *keyboard) close() { k.conn.Close() }

// focus gives the keyboard to the window of a process.
func (k *keyboard) focus(pid int) error {
	const name = "_NET_WM_PID"
	atom, err := xproto.InternAtom(k.conn, true, uint16(len(name)), name).Reply()
	if err != nil {
		return err
	}
	tree, err := xproto.QueryTree(k.conn, k.root).Reply()
	if err != nil {
		return err
	}
	for _, w := range tree.Children {
		p, err := xproto.GetProperty(k.conn, false, w, atom.Atom, xproto.AtomCardinal, 0, 1).Reply()
		if err == nil && len(p.Value) >= 4 && int(xgb.Get32(p.Value)) == pid {
			return xproto.SetInputFocusChecked(k.conn, xproto.InputFocusParent, w, xproto.TimeCurrentTime).Check()
		}
	}
	return fmt.Errorf("process %d has no window", pid)
}

// press holds the key of a letter for a while.
func (k *keyboard) press(letter rune, hold time.Duration) error {
	each := int(k.codes.KeysymsPerKeycode)
	for i := 0; i < len(k.codes.Keysyms); i += each {
		if k.codes.Keysyms[i] != xproto.Keysym(letter) { // Latin letters are their own symbols
			continue
		}
		code := byte(k.first) + byte(i/each)
		if err := k.fake(xproto.KeyPress, code); err != nil {
			return err
		}
		time.Sleep(hold)
		return k.fake(xproto.KeyRelease, code)
	}
	return fmt.Errorf("the keyboard has no key for %q", letter)
}

func (k *keyboard) fake(what, code byte) error {
	return xtest.FakeInputChecked(k.conn, what, code, 0, k.root, 0, 0, 0).Check()
}
