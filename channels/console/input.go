package console

import (
	"context"
	"io"
	"os"
	"sync"
)

// input is a reader whose blocked Read ends with the context.
type input struct {
	io.Reader
	ctx  context.Context
	stop func()
}

// newInput wraps r. The caller must call stop after the last read.
func newInput(ctx context.Context, r io.Reader) (*input, error) {
	in := &input{Reader: r, ctx: ctx}
	if file, ok := r.(*os.File); ok {
		waited, err := cancelable(file)
		if err != nil {
			return nil, err
		}
		in.Reader = waited
	}
	var once sync.Once
	end := func() {
		once.Do(func() {
			if c, ok := in.Reader.(io.Closer); ok {
				_ = c.Close() // the reader is abandoned
			}
		})
	}
	detach := context.AfterFunc(ctx, end)
	in.stop = func() { detach(); end() }
	return in, nil
}

// Read reads from the reader. After the context ends, it returns the context's error.
func (in *input) Read(p []byte) (int, error) {
	if err := in.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := in.Reader.Read(p)
	if err != nil && in.ctx.Err() != nil {
		return n, in.ctx.Err()
	}
	return n, err
}
