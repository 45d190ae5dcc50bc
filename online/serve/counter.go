package serve

import "net/http"

// counter is a response whose status and length are counted.
type counter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader notes the status.
func (c *counter) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

// Write counts.
func (c *counter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// Unwrap lets WebSockets take the connection over.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }
