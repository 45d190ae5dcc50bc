#!/usr/bin/env bash
# Builds what a tagged release has to offer, and publishes nothing: the command line and the page of the games for each
# platform, with the licences and a bill of materials; the page alone, for any server of files; and the checksums of all.
# The same tag and version of Go make the same bytes. scripts/release.sh makes the tags.
#
#   scripts/archives.sh VERSION FOLDER [OS/ARCH...]     (eight platforms unless told)
#
# The programs are built as "go install" builds them, from the modules of the tags. QUICK=1 compresses the page
# quickly, for tests. Exit codes: 0 all is there, 1 something failed, 2 wrong usage.
set -euo pipefail
cd "$(dirname "$0")/.."

[[ $# -ge 2 && $1 =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || {
	echo "usage: scripts/archives.sh VERSION FOLDER [OS/ARCH...], such as: scripts/archives.sh v0.1.0 bin/release" >&2
	exit 2
}
version=$1 out=$2
shift 2
platforms=("$@")
[ $# -gt 0 ] || platforms=(linux/amd64 linux/arm64 linux/arm linux/386 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64)

fail() {
	echo "archives: $1" >&2
	exit 1
}
git rev-parse -q --verify "refs/tags/cmd/$version" >/dev/null || fail "there is no tag cmd/$version: scripts/release.sh $version makes it"
[ ! -e "$out" ] || [ -z "$(ls -A "$out")" ] || fail "$out has files already"
mkdir -p "$out"
out=$(cd "$out" && pwd)

path=github.com/tickback/tickback
scratch=$(mktemp -d)
clean() {
	git worktree remove --force "$scratch/tree" 2>/dev/null || true
	rm -rf "$scratch"
}
trap clean EXIT
git worktree add -q --detach "$scratch/tree" "$version"

echo "archives: the page"
how=(-release)
[ "${QUICK:-0}" != 1 ] || how=()
(cd "$scratch/tree" && GOWORK=$scratch/tree/go.work go run ./play/cmd/pack -o "$scratch/page" "${how[@]}")

GOWORK=off go -C tools build -o "$scratch/archives" ./archives
cache=$(go env GOMODCACHE)/cache/download others=$(go env GOPROXY)
proxy=$(scripts/proxy.sh . "$version" "$scratch/fetched")
# The sums of our modules are in no database yet. Those of others are in the go.sum of the release, and verified.
export GOPROXY=file://$proxy,file://$cache,$others GOMODCACHE=$scratch/mod GOFLAGS="${GOFLAGS:-} -modcacherw" GOWORK=off GONOSUMDB=$path
mkdir "$scratch/user"
cd "$scratch/user"
go mod init user 2>/dev/null
cat "$scratch"/tree/*/go.sum "$scratch/tree/go.sum" | sort -u >go.sum
go get "$path/cmd/tickback@$version" 2>/dev/null || go get "$path/cmd/tickback@$version"
programs=()
for platform in "${platforms[@]}"; do
	echo "archives: $platform"
	CGO_ENABLED=0 GOARM=7 GOOS=${platform%/*} GOARCH=${platform#*/} \
		go build -trimpath -ldflags "-s -w" -o "$scratch/$platform/tickback" "$path/cmd/tickback"
	programs+=("$platform=$scratch/$platform/tickback")
done
cd "$scratch/tree"
"$scratch/archives" -version "$version" -time "$(git log -1 --format=%ct)" -o "$out" -page "$scratch/page" \
	-files LICENSE,README.md,CHANGELOG.md,cmd/cli/notices.txt,Containerfile "${programs[@]}"
ls -l "$out"
