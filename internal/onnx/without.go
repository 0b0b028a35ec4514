//go:build !onnx

package onnx

import (
	"context"
	"errors"
)

// errNotBuilt says how to get a build with onnx.
var errNotBuilt = errors.New("this familiar was built without onnx: build it with `go build -tags onnx ./cmd/familiar`")

// Embedder is a placeholder in builds without onnx.
type Embedder struct{}

// New fails in a build without onnx.
func New(string) (*Embedder, error) { return nil, errNotBuilt }

// Model returns "".
func (*Embedder) Model() string { return "" }

// Embed fails.
func (*Embedder) Embed(context.Context, []string) ([][]float32, error) { return nil, errNotBuilt }
