//go:build onnx

package onnx

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/options"
	"github.com/knights-analytics/hugot/pipelines"
)

// The files a folder must contain, named as in published models.
const (
	modelFile     = "model.onnx"
	tokenizerFile = "tokenizer.json"
	configFile    = "config.json" // contains the model's maximum text length
)

// Embedder is the model in one folder. It is safe for concurrent use.
type Embedder struct {
	folder string

	mu       sync.Mutex
	pipeline *pipelines.FeatureExtractionPipeline // nil until the first text
	plain    bool                                 // the model knows no accents
}

// New checks that folder contains a model. It does not load it.
func New(folder string) (*Embedder, error) {
	for _, name := range []string{modelFile, tokenizerFile, configFile} {
		if _, err := os.Stat(filepath.Join(folder, name)); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("find the model in %s: there is no %s: put %s, %s and %s of an embedding model there",
				folder, name, modelFile, tokenizerFile, configFile)
		} else if err != nil {
			return nil, fmt.Errorf("find the model in %s: %w", folder, err)
		}
	}
	return &Embedder{folder: folder}, nil
}

// Model returns the folder's name without its path.
func (e *Embedder) Model() string { return "onnx " + filepath.Base(e.folder) }

// Embed computes the vectors, the mean over each text's tokens. A computation cannot be stopped: when ctx ends, it
// continues in the background.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	type outcome struct {
		vectors [][]float32
		err     error
	}
	done := make(chan outcome, 1)
	go func() {
		vectors, err := e.compute(texts)
		done <- outcome{vectors, err}
	}()
	select {
	case o := <-done:
		return o.vectors, o.err
	case <-ctx.Done():
		return nil, fmt.Errorf("compute vectors with %s: %w", e.folder, ctx.Err())
	}
}

func (e *Embedder) compute(texts []string) (vectors [][]float32, err error) {
	defer func() {
		if p := recover(); p != nil { // the library panics on unknown models
			err = fmt.Errorf("compute vectors with %s: %v", e.folder, p)
		}
	}()
	pipeline, err := e.load()
	if err != nil {
		return nil, err
	}
	if e.plain {
		texts = slices.Clone(texts)
		for i := range texts {
			texts[i] = stripAccents(texts[i])
		}
	}
	for some := range slices.Chunk(texts, batches[len(batches)-1]) {
		out, err := pipeline.RunPipeline(some)
		if err != nil {
			return nil, fmt.Errorf("compute vectors with %s: %w", e.folder, err)
		}
		vectors = append(vectors, out.Embeddings...)
	}
	return vectors, nil
}

// Batches and texts, in tokens, are padded to these sizes: a computation is compiled and cached for each pair of sizes.
var (
	batches = []int{1, 8, 32}
	lengths = []int{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}
)

// load loads the model once; after a failure the next call tries again.
func (e *Embedder) load() (*pipelines.FeatureExtractionPipeline, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pipeline != nil {
		return e.pipeline, nil
	}
	tokenizer, err := os.ReadFile(filepath.Join(e.folder, tokenizerFile))
	if err != nil {
		return nil, fmt.Errorf("load the model in %s: %w", e.folder, err)
	}
	if e.plain, err = stripsAccents(tokenizer); err != nil {
		return nil, fmt.Errorf("load the model in %s: %s: %w", e.folder, tokenizerFile, err)
	}
	session, err := hugot.NewGoSession(options.WithGoMLXBatchBuckets(batches), options.WithGoMLXSequenceBuckets(lengths))
	if err != nil {
		return nil, fmt.Errorf("load the model in %s: %w", e.folder, err)
	}
	config := hugot.FeatureExtractionConfig{ModelPath: e.folder, Name: "embed", OnnxFilename: modelFile}
	if e.pipeline, err = hugot.NewPipeline(session, config); err != nil {
		return nil, fmt.Errorf("load the model in %s: %w", e.folder, errors.Join(err, session.Destroy()))
	}
	return e.pipeline, nil
}
