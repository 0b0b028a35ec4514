//go:build !onnx

package onnx

import (
	"context"
	"errors"
)

// errWithout says what to do about a build without onnx.
var errWithout = errors.New("this familiar was built without onnx: build it with `go build -tags onnx ./cmd/familiar`")

// Embedder is what a build without onnx has in its place: there is never one.
type Embedder struct{}

// New fails in a build without onnx.
func New(string) (*Embedder, error) { return nil, errWithout }

// Model is empty.
func (*Embedder) Model() string { return "" }

// Embed fails.
func (*Embedder) Embed(context.Context, []string) ([][]float32, error) { return nil, errWithout }
