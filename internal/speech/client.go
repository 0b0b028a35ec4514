package speech

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"familiar/internal/llm"
	"familiar/internal/sleep"
)

// Server is a server that speaks OpenAI's audio API.
type Server struct {
	// BaseURL is its address, "" for OpenAI's. A path such as /audio/transcriptions is added to it.
	BaseURL string
	// APIKey may be empty for servers that need none.
	APIKey string
	// Timeout limits one attempt.
	Timeout time.Duration
	// HTTPClient makes the requests, a default client if nil. Redirects are not followed: they could send the key and what was
	// said to another host.
	HTTPClient *http.Client
	// Sleep waits, with a timer if nil.
	Sleep func(ctx context.Context, d time.Duration) error
}

// DefaultURL is the address of OpenAI's API.
const DefaultURL = "https://api.openai.com/v1"

const (
	// attempts is how often a request is made at most, firstPause the pause before the second.
	attempts   = 3
	firstPause = 500 * time.Millisecond
	// longestPause is the longest pause that a server may ask for: somebody is waiting.
	longestPause = 15 * time.Second
	// maxRefusal is how much of an error response is read, in bytes.
	maxRefusal = 64 << 10
)

// request is what is asked of a server. said is what must not stand in an error.
type request struct {
	act, section, path, kind string
	body                     []byte
	limit                    int64
	said                     string
}

// ask makes the attempts at a request and returns the response's body and type. count is the number of attempts.
func (s Server) ask(ctx context.Context, r request) (body []byte, kind string, count int, _ *Error) {
	for pause := firstPause; ; pause *= 2 {
		count++
		body, kind, fault := s.try(ctx, r)
		if fault == nil {
			return body, kind, count, nil
		}
		fault.Act, fault.Section = r.act, r.section
		fault.Detail = llm.OperatorText(fault.Detail, []string{s.APIKey}, r.said)
		wait := cmp.Or(fault.RetryAfter, pause)
		if !fault.retried() || count == attempts || wait > longestPause {
			return nil, "", count, fault
		}
		if s.wait(ctx, wait) != nil {
			return nil, "", count, fault
		}
	}
}

func (s Server) wait(ctx context.Context, d time.Duration) error {
	if s.Sleep != nil {
		return s.Sleep(ctx, d)
	}
	sleep.For(ctx, d)
	return ctx.Err()
}

// try makes one attempt.
func (s Server) try(ctx context.Context, r request) ([]byte, string, *Error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	address := strings.TrimRight(cmp.Or(s.BaseURL, DefaultURL), "/") + r.path
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(r.body))
	if err != nil {
		return nil, "", &Error{Kind: Refused, Detail: "the address is not valid"}
	}
	req.Header.Set("Content-Type", r.kind)
	if s.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+s.APIKey)
	}
	resp, err := s.client().Do(req)
	if err != nil {
		return nil, "", unreached(ctx, withoutURL(err))
	}
	defer resp.Body.Close() //nolint:errcheck // it was only read
	if resp.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // an explanation that breaks off explains something
		fault := &Error{Kind: kindOf(resp.StatusCode), Status: resp.StatusCode, RetryAfter: retryAfter(resp.Header)}
		if fault.Kind != Auth { // servers often repeat part of the key here
			fault.Detail = string(said)
		}
		return nil, "", fault
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, r.limit+1))
	switch {
	case err != nil:
		return nil, "", unreached(ctx, withoutURL(err))
	case int64(len(body)) > r.limit:
		return nil, "", &Error{Kind: Nonsense, Detail: "the response is larger than any answer"}
	}
	return body, resp.Header.Get("Content-Type"), nil
}

func (s Server) client() *http.Client {
	c := http.Client{}
	if s.HTTPClient != nil {
		c = *s.HTTPClient
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}

// retryAfter returns how many seconds a server asked to wait.
func retryAfter(h http.Header) time.Duration {
	n, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || n < 0 || n > int(longest/time.Second) {
		return 0
	}
	return time.Duration(n) * time.Second
}

// withoutURL returns err without the address, which the operator knows.
func withoutURL(err error) error {
	if at, ok := errors.AsType[*url.Error](err); ok {
		return at.Err
	}
	return err
}
