#!/usr/bin/env bash
# Looks for known vulnerabilities in what our modules call: vulncheck.sh [MODULE...]
# The modules are those of go.work, such as . and cmd; without one, it is all of them.
# GOVULNDB is the database, such as file:///some/copy; without it, it is Go's own.
# Exit codes: 0 nothing is known, 1 something was found, 2 a module cannot be looked at,
# 3 NOT CHECKED, as the database cannot be reached: that is no pass.
set -uo pipefail
cd "$(dirname "$0")/.."

modules=("$@")
[ ${#modules[@]} -gt 0 ] || mapfile -t modules < <(scripts/modules.sh)
[ ${#modules[@]} -gt 0 ] || exit 2 # no go.work
db=()
[ -z "${GOVULNDB:-}" ] || db=(-db "$GOVULNDB")
findings=() unclear=()

# A tool that we cannot build has looked at nothing.
mkdir -p bin/tools && GOWORK=off go -C tools build -o ../bin/tools/ golang.org/x/vuln/cmd/govulncheck || exit 2

not_checked() {
	echo "vulncheck: NOT CHECKED: the database is not reachable: $1" >&2
	echo "vulncheck: GOVULNDB=file:///some/copy takes a copy of it" >&2
	exit 3
}

# govulncheck takes a folder without any entry or index for a database without entries.
if [[ ${GOVULNDB:-} == file://* ]] && [ -z "$(find "${GOVULNDB#file://}" -name '*.json' -print -quit 2>/dev/null)" ]; then
	not_checked "there is none in ${GOVULNDB#file://}"
fi

# look looks at what one module builds: look NAME [GOVULNCHECK FLAGS AND PATTERNS...]
look() {
	local name=$1 errors status
	shift
	echo "vulncheck: $name"
	{ errors=$(bin/tools/govulncheck "${db[@]}" "$@" 2>&1 >&3); } 3>&1
	status=$?
	[ -z "$errors" ] || echo "$errors" >&2
	case $status in
	0) ;;
	3) findings+=("$name") ;;
	*)
		# It has no exit code of its own for this; the test in tools/vulncheck sees if the words change.
		[[ $errors != *"fetching vulnerabilities:"* && $errors != *"creating client:"* ]] || not_checked "see above"
		unclear+=("$name")
		;;
	esac
}

# The games are a page, and a window: that for Windows needs no C compiler, and differs
# from the others by no library of ours.
for m in "${modules[@]}"; do
	if [ "$m" = play ]; then
		GOOS=js GOARCH=wasm look "play, a page" -C play ./cmd/tickback-play
		GOOS=windows GOARCH=amd64 CGO_ENABLED=0 look "play, a window" -C play -tags desktop ./...
	else
		look "$m" -C "$m" ./...
	fi
done

[ ${#findings[@]} -eq 0 ] || printf 'vulncheck: FOUND: %s\n' "${findings[@]}" >&2
[ ${#unclear[@]} -eq 0 ] || printf 'vulncheck: FAILED: %s\n' "${unclear[@]}" >&2
[ ${#findings[@]} -eq 0 ] || exit 1
[ ${#unclear[@]} -eq 0 ] || exit 2
echo "vulncheck: ok: nothing is known of ${modules[*]}"
