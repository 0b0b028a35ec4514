package app

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"familiar/config"
	"familiar/internal/embed"
	"familiar/internal/llm"
	"familiar/internal/onnx"
	"familiar/memory"
)

// connectEmbedder creates the workers that compute the vectors of memories and queries, none without an embedder.
func (a *App) connectEmbedder() error {
	e, err := NewEmbedder(a.Config, a.Now)
	if e == nil || err != nil {
		return err
	}
	a.EmbedWorker = NewEmbedWorker(a.Config, a.Store, e, a.Log)
	a.EmbedQuery = NewQueryEmbedder(a.Config, e, a.Now, a.Log).EmbedQuery
	return nil
}

// NewEmbedWorker returns a worker that computes the vectors of the memories in store with e, at the configured pace.
func NewEmbedWorker(cfg *config.Config, store *memory.Store, e embed.Embedder, log *slog.Logger) *embed.Worker {
	return &embed.Worker{Store: store, Embedder: e, Batch: cfg.Embedder.Batch, Timeout: cfg.Embedder.Timeout, Log: log}
}

// NewQueryEmbedder returns an embedder for queries that uses e within the configured time.
func NewQueryEmbedder(cfg *config.Config, e embed.Embedder, now func() time.Time, log *slog.Logger) *embed.QueryEmbedder {
	return &embed.QueryEmbedder{Embedder: e, Timeout: cfg.Embedder.QueryTimeout, Now: now, Log: log}
}

// RecallLine describes in one line what recall uses and how many memories still lack a vector.
func (a *App) RecallLine(ctx context.Context) (string, error) {
	if a.EmbedWorker == nil {
		return "words", nil
	}
	if err := a.Store.Entries.UseEmbedder(ctx, a.EmbedWorker.Embedder.Model()); err != nil {
		return "", err
	}
	st, err := a.Store.Entries.Embedding(ctx)
	return fmt.Sprintf("words and vectors of %s, %d pending, %d given up", st.Model, st.Waiting, st.Failed), err
}

// NewEmbedder creates the configured embedder, nil for none. It uses no network and loads no model.
func NewEmbedder(cfg *config.Config, now func() time.Time) (embed.Embedder, error) {
	e := cfg.Embedder
	switch e.Provider {
	case config.NoEmbedder:
		return nil, nil
	case config.ONNXEmbedder:
		folder := e.Model
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(string(cfg.Home), folder)
		}
		found, err := onnx.New(folder)
		if err != nil {
			return nil, cfg.Problem("embedder.model", err)
		}
		return found, nil
	}
	key, err := revealed(cfg, "embedder.api_key", e.APIKey)
	if err != nil {
		return nil, err
	}
	return llm.NewEmbedder(llm.EmbedderSettings{
		Provider: string(e.Provider), Model: e.Model, BaseURL: e.BaseURL, APIKey: key, Now: now,
	})
}
