package console

import (
	"context"
	"io"
	"os"
	"sync"
)

// input is a reader whose waiting Read ends with the context.
type input struct {
	io.Reader
	ctx  context.Context
	stop func()
}

// newInput wraps r. What stop returns must be called when reading is over.
func newInput(ctx context.Context, r io.Reader) (*input, error) {
	in := &input{Reader: r, ctx: ctx}
	if file, ok := r.(*os.File); ok {
		waited, err := waitable(file)
		if err != nil {
			return nil, err
		}
		in.Reader = waited
	}
	var once sync.Once
	end := func() {
		once.Do(func() {
			if c, ok := in.Reader.(io.Closer); ok {
				_ = c.Close() // a reader that is given up
			}
		})
	}
	unhook := context.AfterFunc(ctx, end)
	in.stop = func() { unhook(); end() }
	return in, nil
}

// Read is the reader's, except that after the end of the context it is the context's error.
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
