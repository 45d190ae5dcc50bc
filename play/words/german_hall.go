package words

// germanHall has the tanks: their setup, and their matches with others.
var germanHall = map[string]string{
	// the setup
	"On this machine":  "Auf diesem Gerät",
	"People":           "Menschen",
	"Tanks in all":     "Panzer insgesamt",
	"calm":             "ruhig",
	"busy":             "eifrig",
	"5 minutes":        "5 Minuten",
	"endless":          "endlos",
	"Drive":            "Losfahren",
	"With others":      "Mit anderen",
	"bots, up to %s":   "Bots, bis zu %s",
	"Host a match":     "Ein Match hosten",
	"Or at an address": "Oder eine Adresse",
	"Join there":       "Dort beitreten",
	"An address is that of \"tickback tanks serve\", such as host1:7000": "Gemeint ist die Adresse von \"tickback tanks serve\", etwa host1:7000",
	"Left and right turn, up and down drive. Space, J or Enter shoots.":  "Links und rechts drehen, hoch und runter fahren. Leertaste, J oder Enter schießt.",
	"Four hits destroy a tank, which is back after two seconds.":         "Vier Treffer zerstören einen Panzer; nach zwei Sekunden ist er wieder da.",

	// before the match
	"Looking for %s":         "%s wird gesucht",
	"Asking the server":      "Frage an den Server",
	"Beginning the match":    "Das Match beginnt",
	"Waiting for the host":   "Warten auf den Host",
	"Connecting to the host": "Verbinden mit dem Host",
	"Asking for a place":     "Frage nach einem Platz",

	// the match
	"This is your match. Esc has the link for others.":     "Das ist dein Match. Esc hat den Link für andere.",
	"The server is out of reach. Trying again":             "Der Server ist nicht erreichbar. Neuer Versuch",
	"The server has stopped. When it is back, you play on": "Der Server ist ausgefallen. Ist er wieder da, spielst du weiter",
	"The server was started again: this is a new match.":   "Der Server wurde neu gestartet: Das ist ein neues Match.",
	"The server has not come back":                         "Der Server ist nicht zurückgekommen",
	"If it comes back, the match here goes on by itself.":  "Kommt er doch noch, geht es hier von selbst weiter.",
	"Beginning again":                                  "Es beginnt von vorn",
	"The server has stopped":                           "Der Server läuft nicht mehr",
	"Destroyed. Back in %d s":                          "Zerstört. Zurück in %d s",
	"Next match (%d)":                                  "Nächstes Match (%d)",
	"The next match begins soon":                       "Gleich kommt das nächste",
	"The match has ended with it.":                     "Damit ist das Match zu Ende.",
	"Wait for another link, or host a match yourself.": "Warte auf einen anderen Link oder hoste selbst ein Match.",
	"Bots, up to":                                      "Bots, bis zu",
	"Leave":                                            "Verlassen",
	"End the match for all: are you sure?":             "Match für alle beenden?",
	"Copy the link for others":                         "Link für andere kopieren",
	"Copy it from below":                               "Kopier ihn von unten",
	"Share the link":                                   "Link teilen",
}
