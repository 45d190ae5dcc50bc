package words

// germanTitle has the title, the settings and the pause.
var germanTitle = map[string]string{
	"rollback you can feel": "Rollback zum Anfassen",
	"Quit":                  "Beenden",

	"Versus bot":          "Gegen den Bot",
	"Two at one keyboard": "Zwei an einer Tastatur",
	"Netcode lab":         "Netcode-Labor",
	"Replays":             "Replays",

	"A duel, best of three":                                             "Ein Duell, zwei Gewinnrunden",
	"A duel for two, side by side":                                      "Ein Duell zu zweit, Seite an Seite",
	"A brawl for up to eight: people and bots":                          "Eine Keilerei für bis zu acht: Menschen und Bots",
	"A strategy game against up to seven bots, with thousands of units": "Ein Strategiespiel gegen bis zu sieben Bots, mit Tausenden Einheiten",
	"Two peers, one bad network between them: feel what rollback does":  "Zwei Peers, dazwischen ein schlechtes Netz: spür, was Rollback tut",
	"Matches just played, or from a file: watch, scrub, verify":         "Matches von eben oder aus einer Datei: ansehen, spulen, prüfen",
	"Sound, colours, motion, keys":                                      "Ton, Farben, Bewegung, Sprache, Tasten",

	"Arrows or mouse to choose, Enter to play": "Auswählen mit Pfeilen oder Maus, spielen mit Enter",
	"F1 figures   F2 picture only   Esc pause": "F1 Zahlen   F2 nur Bild   Esc Pause",
	"   F11 full screen":                       "   F11 Vollbild",

	"Opening %s": "%s wird geöffnet",

	"Paused":      "Pause",
	"Begin again": "Neu beginnen",

	"Volume":           "Lautstärke",
	"Colours":          "Farben",
	"Reduced motion":   "Weniger Bewegung",
	"Input delay":      "Input-Delay",
	"Language":         "Sprache",
	"as the system":    "wie das System",
	"Keys and buttons": "Tasten",
	"Defaults":         "Zurücksetzen",
	"Input delay makes rollbacks rarer, and counts from the next round on.": "Input-Delay macht Rollbacks seltener und gilt ab der nächsten Runde.",

	"vivid":             "kräftig",
	"colour-blind safe": "farbenblind-sicher",
	"high contrast":     "hoher Kontrast",

	"press a key": "Taste drücken",
	"Gamepads need no settings: the first one is player 1's, the second player 2's. Esc keeps a key.": "Gamepads gehen von selbst: das erste hat Spieler 1, das zweite Spieler 2. Esc behält die Taste.",

	"Left":           "Links",
	"Right":          "Rechts",
	"Up / jump":      "Hoch / springen",
	"Down":           "Runter",
	"Attack / shoot": "Schlagen / schießen",
	"Dash":           "Sprint",
	"Shield":         "Schild",

	"Space":        "Leertaste",
	"Numpad Enter": "Num Enter",
	"Left Shift":   "Umschalt links",
	"Right Shift":  "Umschalt rechts",
	"Left Ctrl":    "Strg links",
	"Right Ctrl":   "Strg rechts",
	"Backspace":    "Rücktaste",
	"Caps Lock":    "Feststelltaste",
}
