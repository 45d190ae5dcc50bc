//go:build desktop && !js

package window

import (
	"errors"
	"io/fs"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/tickback/tickback/play/app"
)

// drops passes the first file that was dropped on the window to the app. It is read in the background, since it may
// be on a slow disk.
func drops(a *app.App) {
	if files := ebiten.DroppedFiles(); files != nil {
		go receive(a, files)
	}
}

func receive(a *app.App, files fs.FS) {
	names, err := fs.ReadDir(files, ".")
	if err != nil || len(names) == 0 {
		return // there is nothing to name
	}
	name := names[0].Name()
	f, err := files.Open(name)
	if err != nil {
		a.Receive(name, nil, err)
		return
	}
	defer f.Close()
	if names[0].IsDir() {
		a.Receive(name, nil, errors.New("this is a folder, not a recording"))
		return
	}
	b, err := app.ReadFile(f)
	a.Receive(name, b, err)
}
