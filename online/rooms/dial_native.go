//go:build !js

package rooms

import (
	"context"
	"io"
	"net/http"

	"github.com/coder/websocket"
)

// socket is a WebSocket for texts.
type socket interface {
	read(ctx context.Context) ([]byte, error)
	write(ctx context.Context, b []byte) error
	close()
}

type nativeSocket struct{ conn *websocket.Conn }

// dial opens a WebSocket.
func dial(ctx context.Context, url string) (socket, error) {
	conn, answer, err := websocket.Dial(ctx, url, &websocket.DialOptions{
		Subprotocols: []string{Subprotocol}, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, dialError(answer, err)
	}
	conn.SetReadLimit(maxPush)
	return nativeSocket{conn}, nil
}

// dialError returns the reason that the server gave for refusing a WebSocket.
func dialError(answer *http.Response, err error) error {
	if answer == nil {
		return unreachable(err)
	}
	var words []byte
	if answer.Body != nil {
		words, _ = io.ReadAll(io.LimitReader(answer.Body, maxText))
	}
	switch answer.StatusCode {
	case http.StatusTooManyRequests:
		return &Error{ErrRate, clip(string(words), maxText)}
	case http.StatusServiceUnavailable:
		return &Error{ErrServerFull, clip(string(words), maxText)}
	}
	return unreachable(err)
}

func (s nativeSocket) read(ctx context.Context) ([]byte, error) {
	_, b, err := s.conn.Read(ctx)
	return b, err
}

func (s nativeSocket) write(ctx context.Context, b []byte) error {
	return s.conn.Write(ctx, websocket.MessageText, b)
}

func (s nativeSocket) close() { _ = s.conn.CloseNow() }
