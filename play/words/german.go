package words

// germanTexts and germanPlurals are the German tables, by parts of the client. A text that several parts have is in
// germanShared.
var (
	germanTexts   = []map[string]string{germanShared, germanTitle, germanGames, germanSkirmish, germanLab, germanTheatre, germanTrouble, germanNetplay, germanLAN, germanHall, germanOverlay}
	germanPlurals = []map[string][2]string{germanSharedPlurals, germanNetplayPlurals}
)
