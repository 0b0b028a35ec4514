package toolserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is one connection to a server.
type session struct {
	settings Settings
	mcp      *mcp.ClientSession
	// listChanged receives when the server says so; what it says meanwhile is one change.
	listChanged chan struct{}
	// done is closed when the connection has ended.
	done chan struct{}
	// end ends whatever the connection runs on, at once.
	end func()
	// child is the server's process, nil if there is none.
	child *child

	mu    sync.Mutex
	cause error
}

// connect opens a connection and greets the server.
func connect(ctx context.Context, s Settings, now func() time.Time) (*session, error) {
	c := &session{settings: s, listChanged: make(chan struct{}, 1), done: make(chan struct{})}
	m := &meter{now: now, exceeded: c.giveUp}
	transport, err := c.transport(m)
	if err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "familiar", Version: "1"}, &mcp.ClientOptions{
		Capabilities: noAbilities,
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			select {
			case c.listChanged <- struct{}{}:
			default:
			}
		},
	})
	greeted := make(chan error, 1)
	go func() {
		opened, err := client.Connect(context.WithoutCancel(ctx), transport, nil)
		c.mcp = opened
		greeted <- err
	}()
	wait, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	select {
	case err = <-greeted:
	case <-wait.Done():
		c.end()               // the greeting fails then
		if <-greeted == nil { // it answered in the last moment
			go func() { _ = c.mcp.Close() }()
		}
		err = fmt.Errorf("it does not answer: %w", wait.Err())
	}
	if err != nil {
		c.end()
		return nil, c.fault(fmt.Errorf("connect to the tool server %s: %w", s.Name, err))
	}
	go func() {
		_ = c.mcp.Wait() // why it ended is what fault tells
		close(c.done)
	}()
	return c, nil
}

// transport starts the child process, or prepares the requests.
func (c *session) transport(m *meter) (mcp.Transport, error) {
	if c.settings.URL != "" {
		client := httpClient(c.settings, m)
		c.end = client.CloseIdleConnections
		return &mcp.StreamableClientTransport{
			Endpoint: c.settings.URL, HTTPClient: client, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxFrame,
		}, nil
	}
	child, err := start(c.settings)
	if err != nil {
		return nil, err
	}
	c.end, c.child = child.kill, child
	return &mcp.IOTransport{Reader: m.read(child.out), Writer: child, MaxLineLength: maxFrame}, nil
}

func (c *session) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// giveUp ends the connection at once and keeps why.
func (c *session) giveUp(cause error) {
	c.mu.Lock()
	if c.cause == nil {
		c.cause = cause
	}
	c.mu.Unlock()
	c.end()
	if c.mcp != nil {
		go func() { _ = c.mcp.Close() }() // it may wait for the server
	}
}

// close ends the connection and waits, not long, until the server has gone.
func (c *session) close() {
	closed := make(chan struct{})
	go func() {
		_ = c.mcp.Close() // there is nothing left to do about a failure
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(grace):
	}
	c.end()
}

// fault returns why the connection ended, without secrets: what gave it up, else err with the child's last words.
func (c *session) fault(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause != nil {
		err = c.cause
	} else if c.child != nil && c.child.words.String() != "" {
		err = fmt.Errorf("%w; its last words: %s", err, c.child.words.String())
	}
	return errors.New(conceal(err.Error(), c.settings.Secrets))
}

// list returns the tools that can be offered, and why others cannot.
func (c *session) list(ctx context.Context) (tools []Tool, left []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	seen := map[string]bool{}
	cursor := ""
	for range maxPages {
		page, err := c.mcp.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, nil, c.fault(fmt.Errorf("list the tools of %s: %w", c.settings.Name, err))
		}
		for _, t := range page.Tools {
			switch kept, err := bounded(t); {
			case err != nil:
				left = append(left, err.Error())
			case seen[kept.Name]:
				left = append(left, kept.Name+" is there twice")
			case len(tools) == MaxTools:
				left = append(left, fmt.Sprintf("%s is one of more than %d", kept.Name, MaxTools))
			default:
				seen[kept.Name] = true
				tools = append(tools, kept)
			}
			if len(left) > MaxTools {
				return tools, left[:MaxTools], nil
			}
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	return tools, left, nil
}

// call calls a tool. The request goes on without its caller if the server does not even read it.
func (c *session) call(ctx context.Context, tool string, arguments []byte) (string, error) {
	type answer struct {
		result *mcp.CallToolResult
		err    error
	}
	answered := make(chan answer, 1)
	go func() {
		result, err := c.mcp.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
		answered <- answer{result, err}
	}()
	select {
	case <-ctx.Done():
		return "", fmt.Errorf("the tool server %s did not answer in time: %w", c.settings.Name, ctx.Err())
	case a := <-answered:
		if a.err != nil {
			return "", errors.New(conceal(fmt.Sprintf("the tool server %s failed: %.300s", c.settings.Name, a.err), c.settings.Secrets))
		}
		text := conceal(textOf(a.result), c.settings.Secrets)
		if a.result.IsError {
			return "", fmt.Errorf("%w: %.1000s", ErrTool, text)
		}
		return text, nil
	}
}
