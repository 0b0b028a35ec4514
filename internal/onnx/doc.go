// Package onnx turns texts into vectors in this process, with a model in ONNX format from a folder: no text leaves the
// machine. It computes in Go alone, through hugot, and loads nothing before the first text. It is built with the tag
// onnx, since half of the library's code would else lie in the memory of everybody who does not use it; without the tag
// there is only an error that says so.
package onnx
