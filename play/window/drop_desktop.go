//go:build desktop && !js

package window

import (
	"errors"
	"io/fs"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/tickback/tickback/play/app"
)

// drops gives the app the first file that was dropped on the window. It is read in the
// background: it may lie on a slow disk.
func drops(a *app.App) {
	if files := ebiten.DroppedFiles(); files != nil {
		go receive(a, files)
	}
}

func receive(a *app.App, files fs.FS) {
	names, err := fs.ReadDir(files, ".")
	if err != nil || len(names) == 0 {
		return // nothing that could be named
	}
	name := names[0].Name()
	f, err := files.Open(name)
	if err != nil {
		a.Receive(name, nil, err)
		return
	}
	defer f.Close()
	if names[0].IsDir() {
		a.Receive(name, nil, errors.New("this is a folder, and not a recording"))
		return
	}
	b, err := app.ReadFile(f)
	a.Receive(name, b, err)
}
