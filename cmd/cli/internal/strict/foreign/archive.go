package foreign

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
)

// archives returns the files of the compiled packages that the linker is given, by package path.
func archives(args []string) (main string, files map[string]string, err error) {
	f, err := os.Open(value(args, "importcfg"))
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	files = map[string]string{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		at, ok := strings.CutPrefix(lines.Text(), "packagefile ")
		if !ok {
			continue
		}
		path, file, _ := strings.Cut(at, "=")
		files[path] = file
		if file == args[len(args)-1] {
			main = path
		}
	}
	return main, files, lines.Err()
}

// value returns the value of a flag.
func value(args []string, flag string) string {
	for i, word := range args {
		name, value, has := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch {
		case !strings.HasPrefix(word, "-") || name != flag:
		case has:
			return value
		case i+1 < len(args):
			return args[i+1]
		}
	}
	return ""
}

var errArchive = errors.New("this is no compiled package")

// hasForeign reports whether a compiled package contains anything besides compiled Go: output of a C compiler or an
// assembler.
func hasForeign(file string) (bool, error) {
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	const magic, head = "!<arch>\n", 60 // ar(5): a name of 16 bytes, four numbers, and at offset 48 the size in 10 digits
	at := int64(len(magic))
	b := make([]byte, head)
	if _, err := io.ReadFull(f, b[:at]); err != nil || string(b[:at]) != magic {
		return false, errors.Join(errArchive, err)
	}
	for {
		switch _, err := f.ReadAt(b, at); {
		case err == io.EOF:
			return false, nil
		case err != nil:
			return false, err
		}
		size, err := strconv.ParseInt(string(bytes.TrimSpace(b[48:58])), 10, 64)
		if err != nil || size < 0 {
			return false, errors.Join(errArchive, err)
		}
		if name := string(bytes.TrimSpace(b[:16])); name != "__.PKGDEF" && name != "_go_.o" {
			return true, nil
		}
		at += head + size + size&1
	}
}
