// Package onnx computes vectors in this process, with a model in ONNX format from a folder: no text leaves the machine.
// It uses pure Go, through hugot, and loads nothing before the first text. It requires the build tag onnx, because
// otherwise half of the library's code would occupy memory in every process; without the tag New returns an error that
// says so.
package onnx
