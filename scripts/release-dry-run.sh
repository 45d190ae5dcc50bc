#!/usr/bin/env bash
# Proves that a release of the last commit would work: tags all modules in a scratch clone
# (scripts/release.sh), writes them as a module proxy on disk, and is their first user, who has
# no checkout: installs the command line, makes a game with "tickback new", tests it, builds its
# page, and resolves what all other modules need. Nothing is left behind.
set -euo pipefail
cd "$(dirname "$0")/.."

version=v0.1.0-dryrun
path=github.com/tickback/tickback

step() { echo "release dry run: $1"; }
fail() {
	echo "release dry run: FAILED: $1" >&2
	exit 1
}

# A folder for each commit, and always the same one for it. What was compiled in it once need
# not be compiled again; but the go command remembers which packages a module in its cache has
# by the module's folder, so that two commits in one folder would be taken for each other.
scratch=${TMPDIR:-/tmp}/tickback-release-dry-run-$(git rev-parse --short HEAD)
mkdir -m 700 "$scratch" || fail "is another one under way? If not, remove $scratch"
trap 'rm -rf "$scratch"' EXIT

# quietly runs a command, and shows what it says only if it fails.
quietly() { "$@" >"$scratch/said" 2>&1 || fail "$*: $(cat "$scratch/said")"; }

step "tags in a clone of $(git rev-parse --short HEAD)"
git clone -q . "$scratch/clone"
export GIT_AUTHOR_NAME=release GIT_AUTHOR_EMAIL=release@localhost GIT_COMMITTER_NAME=release GIT_COMMITTER_EMAIL=release@localhost
quietly "$scratch/clone/scripts/release.sh" $version

step "a proxy on disk"
cache=file://$(go env GOMODCACHE)/cache/download others=$(go env GOPROXY)
export GOWORK=off GOFLAGS="${GOFLAGS:-} -modcacherw"
proxy=$(scripts/proxy.sh "$scratch/clone" $version "$scratch/fetched") || fail "the modules of the tags cannot be fetched"

# From here on nobody knows the clone. Other modules are those that this machine has already, or
# that its proxy has; the go.sum of the release pins them.
export GOPROXY=file://$proxy,$cache,$others GOMODCACHE=$scratch/mod GOBIN=$scratch/bin
export GONOSUMDB=$path GOSUMDB=off

step "the sums in go.sum are those of the tags"
git -C "$scratch/clone" checkout -q $version
for m in online cmd play; do
	quietly go -C "$scratch/clone/$m" list -mod=readonly -deps ./...
done
mv "$scratch/clone" "$scratch/aside"

step "install the command line"
quietly go install $path/cmd/tickback@$version
said=$("$scratch/bin/tickback" version)
[[ $said == "tickback $version,"* ]] || fail "it calls itself $said"

step "a new game"
mkdir "$scratch/user"
cd "$scratch/user"
said=$("$scratch/bin/tickback" new potato)
[[ $said == *"requires Tickback $version"* ]] || fail "tickback new says $said"
cd potato
! grep -q replace go.mod || fail "its go.mod replaces something"
go test -vet=off ./... # it is vetted where it is written
quietly go run ./pack
go build -o potato .
quietly ./potato play --web web --check
./potato sim --seed 7 --record match.tbr >/dev/null
quietly ./potato replay verify match.tbr

step "the other modules"
mkdir "$scratch/user/others"
cd "$scratch/user/others"
quietly go mod init others
quietly go get $path/online/metrics@$version $path/play/page@$version $path/play/cmd/tickback-play@$version
go build $path/online/metrics $path/play/page
GOOS=js GOARCH=wasm quietly go list -deps $path/play/cmd/tickback-play
GOOS=windows GOARCH=amd64 quietly go list -deps -tags desktop $path/play/cmd/tickback-play
step "archives"
mv "$scratch/aside" "$scratch/clone"
QUICK=1 "$scratch/clone/scripts/archives.sh" $version "$scratch/archives" linux/amd64 windows/amd64 >"$scratch/said" 2>&1 || fail "archives: $(cat "$scratch/said")"
cd "$scratch/archives"
sha256sum --quiet -c SHA256SUMS || fail "the checksums are not those of the archives"
tar -xzf "tickback_${version#v}_linux_amd64.tar.gz"
cd "tickback_${version#v}_linux_amd64"
for f in tickback LICENSE README.md CHANGELOG.md notices.txt Containerfile sbom.cdx.json web/index.html; do
	[ -s $f ] || fail "the archive has no $f"
done
said=$(./tickback version)
[[ $said == "tickback $version,"* ]] || fail "the program of the archive calls itself $said"
quietly ./tickback play --web web --check
grep -q "pkg:golang/github.com/pion/webrtc/v4@" sbom.cdx.json || fail "the bill of materials does not name what is linked"
if [ -x "$(command -v unzip)" ]; then
	# Not through a pipe into grep -q: it ends at the first match, and unzip, cut off, has failed then.
	listed=$(unzip -l "../tickback_${version#v}_windows_amd64.zip") || fail "the archive for Windows cannot be read"
	[[ $listed == *tickback.exe* ]] || fail "the archive for Windows has no program"
fi
step "ok, in ${SECONDS} s"
