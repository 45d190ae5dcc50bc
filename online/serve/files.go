package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// files serves the files of a page.
type files struct {
	fs      fs.FS
	log     *slog.Logger
	proxied bool // behind a proxy with TLS

	mu     sync.Mutex
	hashes map[string]hashed // the hashes of files that exist, so their number is limited
}

// hashed is the hash of a file, with the file's size and time when it was read.
type hashed struct {
	size int64
	mod  time.Time
	hash string // in hexadecimal
}

func newFiles(f fs.FS, log *slog.Logger, proxied bool) *files {
	return &files{fs: f, log: log, proxied: proxied, hashes: map[string]hashed{}}
}

// types are the media types of important files, which a system may not know, or may define differently.
var types = map[string]string{
	".wasm": "application/wasm", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".json": "application/json",
	".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".ico": "image/x-icon", ".txt": "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json", ".woff2": "font/woff2", ".ogg": "audio/ogg", ".mp3": "audio/mpeg", ".wav": "audio/wav",
}

func typeOf(name string) string {
	ext := strings.ToLower(path.Ext(name))
	if t, ok := types[ext]; ok {
		return t
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "application/octet-stream"
}

const indexName = "index.html"

// nameOf returns the file for the path of a request, or "" if there cannot be one. Files whose name begins with a dot
// are not served.
func nameOf(urlPath string) string {
	name := strings.TrimPrefix(path.Clean("/"+urlPath), "/")
	if name == "" || strings.HasSuffix(urlPath, "/") {
		name = path.Join(name, indexName)
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return ""
		}
	}
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") {
		return ""
	}
	return name
}

// ServeHTTP answers a request with a file.
func (f *files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := nameOf(r.URL.Path)
	info, err := f.stat(name)
	if err != nil {
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	if name == indexName && f.index(w, r, info) {
		return
	}
	hash, err := f.hash(name, info)
	if err != nil {
		f.broken(w, name, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", typeOf(name))
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", caching(name, r.URL.Query().Get("v"), hash))
	sent, encoding := f.variant(name, info, r.Header.Values("Accept-Encoding"))
	tag := `"` + hash[:32] + `"`
	if encoding != "" {
		tag = `"` + hash[:32] + "-" + encoding + `"`
	}
	h.Set("ETag", tag)
	if matches(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	f.send(w, r, sent, encoding)
}

func (f *files) stat(name string) (fs.FileInfo, error) {
	if name == "" {
		return nil, fs.ErrNotExist
	}
	info, err := fs.Stat(f.fs, name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	return info, err
}

func (f *files) broken(w http.ResponseWriter, name string, err error) {
	f.log.Warn("a file cannot be read", "name", name, "error", err)
	w.Header().Del("Cache-Control")
	http.Error(w, "the file cannot be read", http.StatusInternalServerError)
}

// sendTime is the time limit for sending a file: enough for 20 MB at 70 KB a second.
const sendTime = 5 * time.Minute

// send sends a file without changes.
func (f *files) send(w http.ResponseWriter, r *http.Request, name, encoding string) {
	file, err := f.fs.Open(name)
	if err != nil {
		f.broken(w, name, err)
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		f.broken(w, name, err)
		return
	}
	if encoding != "" {
		w.Header().Set("Content-Encoding", encoding)
	}
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	// Not every writer supports deadlines; those of tests do not.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTime))
	if r.Method == http.MethodGet {
		if _, err := io.CopyN(w, file, info.Size()); errors.Is(err, io.EOF) {
			f.log.Warn("a file has become shorter while it was sent", "name", name)
		}
	}
}

// hash returns the hash of a file, which is read again only if it has changed.
func (f *files) hash(name string, info fs.FileInfo) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock() // held while reading, so that only one request reads a file
	known, ok := f.hashes[name]
	if ok && known.size == info.Size() && known.mod.Equal(info.ModTime()) {
		return known.hash, nil
	}
	file, err := f.fs.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	hash := hex.EncodeToString(sum.Sum(nil))
	f.hashes[name] = hashed{info.Size(), info.ModTime(), hash}
	return hash, nil
}

// hashInName matches the hash that a build puts into the names of files whose content never changes.
var hashInName = regexp.MustCompile(`[.-][0-9a-f]{8,64}\.`)

// caching returns the Cache-Control header: how long a browser may use a file without revalidating it.
func caching(name, version, hash string) string {
	const least = 8
	if hashInName.MatchString(path.Base(name)) || len(version) >= least && strings.HasPrefix(hash, version) {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}

// matches reports whether a browser already has the current version.
func matches(headers []string, tag string) bool {
	for _, header := range headers {
		for one := range strings.SplitSeq(header, ",") {
			if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
				return true
			}
		}
	}
	return false
}
