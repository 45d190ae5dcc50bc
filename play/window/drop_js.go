package window

import "github.com/tickback/tickback/play/app"

// drops does nothing: the page itself handles dropped files.
func drops(*app.App) {}
