package window

import "github.com/tickback/tickback/play/app"

// drops does nothing: the page itself hears of files that are dropped on it.
func drops(*app.App) {}
