#!/usr/bin/env bash
# Makes a release in this checkout, and publishes nothing: release.sh VERSION, such as v0.1.0.
# On a commit of its own, which no branch has, the modules require each other in that version in
# place of their replace lines, and go.sum has the sums; the tags of all modules are on it. The
# branch stays as it is. Exit codes: 0 tagged, 1 something failed (no tag is left), 2 wrong usage.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:-}
[[ $# -eq 1 && $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || {
	echo "usage: scripts/release.sh VERSION, such as v0.1.0 or v0.1.0-rc.1" >&2
	exit 2
}
path=github.com/tickback/tickback
# Each after those that it requires.
modules=(. detlint online cmd play)

fail() {
	echo "release: $1" >&2
	exit 1
}

# tag is the tag of a module.
tag() { [ "$1" = . ] && echo "$version" || echo "$1/$version"; }

[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed"
for m in "${modules[@]}"; do
	! git rev-parse -q --verify "refs/tags/$(tag "$m")" >/dev/null || fail "the tag $(tag "$m") exists already"
done

scratch=$(mktemp -d)
branch=$(git symbolic-ref -q --short HEAD || git rev-parse HEAD)
done=0
clean() {
	git checkout -q --force "$branch"
	if [ $done = 0 ]; then
		for m in "${modules[@]}"; do git tag -d "$(tag "$m")" >/dev/null 2>&1 || true; done
	fi
	rm -rf "$scratch"
}
trap clean EXIT
git checkout -q --detach

# The go command takes our modules from this checkout, by git, as it takes them from the
# repository once the tags are there; and other modules as always.
export GOWORK=off GOFLAGS=-modcacherw GOPRIVATE=$path GOMODCACHE=$scratch/mod
cache=$(env -u GOMODCACHE go env GOMODCACHE)/cache/download
GOPROXY=file://$cache,$(go env GOPROXY)
export GOPROXY
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$PWD.insteadOf" GIT_CONFIG_VALUE_0="https://$path"

for m in "${modules[@]}"; do
	[ "$m" != . ] || continue
	edits=()
	for other in $(sed -nE "s|^\s+($path\S*) v.*|\1|p" "$m/go.mod"); do
		edits+=("-dropreplace=$other" "-require=$other@$version")
	done
	[ ${#edits[@]} -eq 0 ] || go mod edit "${edits[@]}" "$m/go.mod" # detlint requires none of ours, and is required by cmd
done
git commit -q --allow-empty -am "release: $version"
for m in "${modules[@]}"; do
	if [ "$m" != . ]; then
		go -C "$m" mod tidy 2>"$scratch/tidy" || fail "go mod tidy in $m: $(cat "$scratch/tidy")"
		! grep -q "^replace\|=>" "$m/go.mod" || fail "$m/go.mod still replaces something, so nobody could install it"
		git commit -q --amend -am "release: $version"
	fi
	git tag "$(tag "$m")"
done
# All on the commit that has all of it. Those of before have the same files in their modules.
for m in "${modules[@]}"; do git tag -f "$(tag "$m")" >/dev/null; done
done=1
echo "release: $version is tagged here: $(for m in "${modules[@]}"; do echo -n "$(tag "$m") "; done)"
