package words

// germanShared has what several parts of the client show.
var germanShared = map[string]string{
	"%s WINS":      "%s GEWINNT",
	"Again":        "Nochmal",
	"Arena":        "Arena",
	"Back":         "Zurück",
	"Bots":         "Bots",
	"Bots are":     "Bots sind",
	"Cancel":       "Abbrechen",
	"DRAW":         "UNENTSCHIEDEN",
	"Duel":         "Duell",
	"FIGHT!":       "KÄMPFT!",
	"Fight":        "Kämpfen",
	"Give up":      "Aufgeben",
	"Map":          "Karte",
	"Menu":         "Menü",
	"Once more":    "Noch einmal",
	"Player %d":    "Spieler %d",
	"Players":      "Spieler",
	"Rematch":      "Revanche",
	"Resume":       "Weiter",
	"Save":         "Speichern",
	"Settings":     "Einstellungen",
	"Skirmish":     "Scharmützel",
	"TIME":         "ZEIT",
	"Tanks":        "Panzer",
	"To the title": "Zum Titel",
	"YOU":          "DU",
	"YOU WIN":      "DU GEWINNST",

	"That did not work":                    "Das hat nicht geklappt",
	"Turn the picture":                     "Bild drehen",
	"Turn the device for a larger picture": "Dreh das Gerät für ein größeres Bild",
	"Units to begin with":                  "Einheiten zu Beginn",

	"easy":   "leicht",
	"hard":   "schwer",
	"none":   "keine",
	"normal": "normal",
	"off":    "aus",
	"on":     "an",
	"online": "online",
	"you":    "du",
}

var germanSharedPlurals = map[string][2]string{
	"%d frames": {"%d Frame", "%d Frames"},
	"%d rounds": {"%d Runde", "%d Runden"},
}
