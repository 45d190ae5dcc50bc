package words

// germanGames has the games on one machine.
var germanGames = map[string]string{
	// hints and touch buttons
	"turn":         "drehen",
	"drive":        "fahren",
	"fire":         "feuern",
	"run":          "laufen",
	"jump":         "springen",
	"hit":          "schlagen",
	"shoot":        "schießen",
	"dash":         "sprinten",
	"shield":       "Schild",
	"stick":        "Stick",
	"stick up":     "Stick hoch",
	"lower button": "Knopf unten",
	"right button": "Knopf rechts",
	"left button":  "Knopf links",
	"HIT":          "SCHLAG",
	"JUMP":         "SPRUNG",
	"SHOOT":        "SCHUSS",
	"DASH":         "SPRINT",
	"SHIELD":       "SCHILD",
	"FIRE":         "FEUER",

	// for screen readers
	"%s: %d %% health":          "%s: %d %% Leben",
	"%d %% health":              "%d %% Leben",
	"out of the round":          "aus der Runde",
	"%s: %s, rounds won: %d":    "%s: %s, gewonnene Runden: %d",
	"Rounds: %s %d, %s %d":      "Runden: %s %d, %s %d",
	"%s: destroyed %d, lost %d": "%s: %d zerstört, %d verloren",

	// duel
	"BOT":                          "BOT",
	"BOT ADA":                      "BOT ADA",
	"BOT BO":                       "BOT BO",
	"PLAYER 1":                     "SPIELER 1",
	"PLAYER 2":                     "SPIELER 2",
	"ROUND %d":                     "RUNDE %d",
	"DOUBLE K.O.":                  "DOPPEL-K.O.",
	"without a scratch":            "ohne einen Kratzer",
	"nobody has won the match":     "niemand hat das Match gewonnen",
	"The bot is":                   "Der Bot ist",
	"The bot waits for you. It is": "Der Bot wartet auf dich. Er ist",
	"The bots wait for you":        "Die Bots warten auf dich",

	// the lesson
	"Lesson":                               "Übung",
	"Skip":                                 "Genug",
	"The bot stands still.":                "Der Bot steht still.",
	"%d of %d   %s":                        "%d von %d   %s",
	"Run to the bot.":                      "Lauf zum Bot.",
	"Hit it. Four hits win a round.":       "Schlag ihn. Vier Treffer gewinnen eine Runde.",
	"Jump over it: hold a direction, too.": "Spring über ihn: halte dabei eine Richtung.",

	// arena
	"People at this machine":                        "Menschen an diesem Gerät",
	"Fighters in all":                               "Kämpfer insgesamt",
	"Run with the stick or the keys.":               "Lauf mit dem Stick oder den Tasten.",
	"Hold attack to charge a shot, let go to fire.": "Halten lädt den Schuss, loslassen feuert.",
	"Dash through shots, and into others.":          "Sprinte durch Schüsse und in andere hinein.",
	"The shield costs energy. Three rounds win.":    "Schild kostet Energie. Drei Runden gewinnen.",
	"NOBODY":          "NIEMAND",
	"round %d":        "Runde %d",
	"round %d   %d s": "Runde %d   %d s",
	"win the round":   "gewinnst die Runde",
	"wins the round":  "gewinnt die Runde",
	"the match":       "das Match",
}

// germanSkirmish has the skirmish.
var germanSkirmish = map[string]string{
	"Map number": "Kartennummer",

	"%d units":   "%d Einheiten",
	"%d idle":    "%d untätig",
	"beaten":     "besiegt",
	"+ group %d": "+ Gruppe %d",

	"March":       "Marsch",
	"Halt":        "Halt",
	"All units":   "Alle",
	"To the keep": "Zur Burg",
	"Barracks":    "Kaserne",
	"Stop":        "Stopp",
	"Wall":        "Mauer",

	"keep":     "Burg",
	"barracks": "Kaserne",
	"wall":     "Mauer",
	"mine":     "Mine",
	"spearman": "Speer",
	"archer":   "Bogen",
	"knight":   "Ritter",
	"catapult": "Katapult",

	"health %.0f %%":   "Zustand %.0f %%",
	"%d gold a second": "%d Gold pro Sekunde",
	"%.0f %% built":    "%.0f %% gebaut",

	"You are beaten. Watch how it ends, or leave by the menu.":                                           "Du bist besiegt. Sieh zu, wie es ausgeht, oder geh über das Menü.",
	"Drag a box to select units, tap to send them. Two fingers move and magnify the map.":                "Zieh einen Rahmen um Einheiten, tipp ihr Ziel an. Zwei Finger bewegen und vergrößern die Karte.",
	"Drag a box to select units, click right to send them. With Ctrl they march, and attack on the way.": "Zieh einen Rahmen um Einheiten, Rechtsklick schickt sie. Mit Strg greifen sie unterwegs an.",

	"NOBODY WINS": "NIEMAND GEWINNT",
	"VICTORY":     "SIEG",
	"DEFEAT: %s":  "NIEDERLAGE: %s",
	"trained":     "ausgebildet",
	"felled":      "besiegt",
	"fallen":      "gefallen",
}
