package cli_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// Errors about wrong usage are in terms of the command line, and suggest the name that was meant if there is one
// nearby.
func TestWrongUsageNamesWhatWasMeant(t *testing.T) {
	for line, want := range map[string]string{
		"mach":                                    `toybox has no command "mach"; did you mean match?`,
		"replya":                                  `toybox has no command "replya"; did you mean replay?`,
		"tyo":                                     `toybox has no command "tyo"; did you mean toy?`,
		"replay verfy x.tbr":                      `toybox replay has no command "verfy"; did you mean verify?`,
		"toy sirve":                               `toybox toy has no command "sirve"; did you mean serve?`,
		"replay zzzz":                             `toybox replay has no command "zzzz"; there are: `,
		"match --playr 2":                         "toybox match has no flag --playr; did you mean --player",
		"toy --listne :7000":                      "toybox toy has no flag --listne; did you mean --listen?",
		"soak --zzzz":                             "toybox soak has no flag --zzzz\n",
		"sim --game toi":                          `no game "toi"; did you mean toy?`,
		"sim --game chess":                        `no game "chess"; there are: toy`,
		"sim --frames -5":                         "--frames -5: must be a whole number, 0 to 4294967295\n",
		"sim --frames 4294967296":                 "--frames 4294967296: must be a whole number, 0 to 4294967295\n",
		"match --frames many":                     "--frames many: must be a whole number, 0 to 4294967295",
		"sim --seed -1":                           "--seed -1: must be a whole number, 0 to 18446744073709551615",
		"match --players two":                     "--players two: must be a whole number\n",
		"match --window 99999999999999999999":     "--window 99999999999999999999: must be a whole number that is not as large\n",
		"match --drop 5":                          "--drop 5: must be a time with its unit, such as 300ms, 5s or 2m",
		"match --json=perhaps":                    "--json=perhaps: must be true or false",
		"match --set size":                        "--set size: must be NAME=N, where N is a whole number",
		"match --set size=big":                    "--set size=big: must be NAME=N, where N is a whole number",
		"replay cut x.tbr --from first":           "--from first: must be a whole number\n",
		"test --strcit ./...":                     "toybox test has no flag --strcit; did you mean --strict?",
		"build -strit -o x .":                     "toybox build has no flag -strit; did you mean --strict?",
		"run --stric . --strictly":                "toybox run has no flag --stric; did you mean --strict?",
		"completion bahs":                         `toybox completion has no command "bahs"; did you mean bash?`,
		"completion":                              "toybox completion needs a command: bash, fish, powershell, zsh",
		"spectate 127.0.0.1:7000":                 "--host is missing: whom to watch, such as --host 127.0.0.1:7000\n",
		"match --tick-rate 60":                    "toybox match has no flag --tick-rate: the tick rate is a rule of the game\n",
		"soak --threads 3":                        "toybox soak has no flag --threads; did you mean --jobs?",
		"spectate --port 7000":                    "toybox spectate has no flag --port; did you mean --listen?",
		"sim --duration 3s":                       "toybox sim has no flag --duration; did you mean --frames?",
		"match -z":                                "toybox match has no flag -z\n",
		"--version":                               "toybox has no flag --version; did you mean the command version?",
		"verify x.tbr":                            `toybox has no command "verify"; did you mean toybox replay verify?`,
		"diff a.tbr b.tbr":                        `toybox has no command "diff"; did you mean toybox replay diff?`,
		"help zzzz":                               `toybox has no command "zzzz"; there are: `,
		"help replay zzzz":                        `toybox replay has no command "zzzz"; there are: `,
		"replay wrong_test.go":                    `toybox replay has no command "wrong_test.go"; a file comes after one of: bisect, `,
		"replay convert a.tbr b.rplk":             "toybox replay convert needs one FILE, not 2: the one to write is named by -o",
		"replay cut x.tbr -o y.tbr --from -9":     "--from -9: frames are counted from 0",
		"replay export x.tbr --to -1":             "--to -1: frames are counted from 0",
		"sim --players 0":                         "--players 0: toy is for 2 to 3 players",
		"spectate --host 127.0.0.1:9 --players 0": "--players 0: toy is for 2 to 3 players",
		"spectate --host 127.0.0.1:9 --drop 0":    "--drop 0s: must be a second to a minute\n",
		"spectate --host 127.0.0.1:9 --timeout 0": "--timeout 0s: must be at least a second\n",
		"sim --frames":                            "--frames needs a value: --frames N",
		"soak --seeds ''":                         `--seeds "": must be a whole number`,
	} {
		args := strings.Fields(line)
		for i, a := range args {
			args[i] = strings.ReplaceAll(a, "''", "")
		}
		want = strings.Replace(want, "=perhaps", " perhaps", 1)
		_, stderr, code := clitest.Run(t, nil, args...)
		if code != 2 || !strings.Contains(stderr, want) || strings.Contains(stderr, "strconv") || strings.Contains(stderr, "parsing") {
			t.Errorf("%s: exit code %d, want %q:\n%s", line, code, want, stderr)
		}
	}
}
