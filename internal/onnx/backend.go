//go:build onnx

package onnx

import (
	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/simplego"
)

// sequential makes the backend compute one operation after another. By default it computes independent operations at the
// same time, each in a worker that waits for more workers to multiply its matrices. There are two workers per processor,
// so with one processor, two such operations wait for each other without end. A multiplication is still divided among all
// processors.
const sequential = "ops_sequential"

// hugot names its backend only by simplego.BackendName, so the settings come with what is registered under that name.
func init() {
	backends.Register(simplego.BackendName, func(string) (backends.Backend, error) { return simplego.New(sequential) })
}
