package words

// germanOverlay has the figures of a session.
var germanOverlay = map[string]string{
	"picture":                     "Bild",
	"%.0f/s, ticks %.0f/s":        "%.0f/s, Ticks %.0f/s",
	"frame":                       "Frame",
	"newest remote":               "neuester der anderen",
	"state":                       "Zustand",
	"CONFIRMED":                   "BESTÄTIGT",
	"PREDICTED %d":                "VORHERGESAGT %d",
	"rollbacks":                   "Rollbacks",
	"%d, deepest %d":              "%d, tiefster %d",
	"resimulated":                 "neu simuliert",
	"stalls":                      "Stalls",
	"traffic":                     "Verkehr",
	"checksum":                    "Prüfsumme",
	"health":                      "Befund",
	"unverified":                  "ungeprüft",
	"healthy":                     "gesund",
	"desynced":                    "Desync",
	"ping to %v":                  "Ping zu %v",
	"  lag, jitter":               "  Lag, Jitter",
	"resimulated, at most %.0f":   "neu simuliert, max. %.0f",
	"inputs arrive %.0f ms early": "Inputs %.0f ms zu früh",
	"inputs arrive %.0f ms late":  "Inputs %.0f ms zu spät",
}
