package main

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

// findVectors makes what gives memories their vectors, and what asks for those of questions; none without an embedder.
func (h *house) findVectors() error {
	e, err := newEmbedder(h.cfg, h.now)
	if e == nil || err != nil {
		return err
	}
	h.drain = newDrain(h.cfg, h.store, e, h.log)
	h.near = newAsker(h.cfg, e, h.now, h.log).EmbedQuery
	return nil
}

func newDrain(cfg *config.Config, store *memory.Store, e embed.Embedder, log *slog.Logger) *embed.Worker {
	return &embed.Worker{Store: store, Embedder: e, Batch: cfg.Embedder.Batch, Timeout: cfg.Embedder.Timeout, Log: log}
}

func newAsker(cfg *config.Config, e embed.Embedder, now func() time.Time, log *slog.Logger) *embed.QueryEmbedder {
	return &embed.QueryEmbedder{Embedder: e, Timeout: cfg.Embedder.QueryTimeout, Now: now, Log: log}
}

// recallLine says in one line what recall goes by, and how many memories still lack their vector.
func (h *house) recallLine(ctx context.Context) (string, error) {
	if h.drain == nil {
		return "words", nil
	}
	if err := h.store.UseEmbedder(ctx, h.drain.Embedder.Model()); err != nil {
		return "", err
	}
	st, err := h.store.Embedding(ctx)
	return fmt.Sprintf("words and vectors of %s, %d waiting, %d given up", st.Model, st.Waiting, st.Failed), err
}

// newEmbedder makes the one that is configured, nil for none. That uses no network and loads no model.
func newEmbedder(cfg *config.Config, now func() time.Time) (embed.Embedder, error) {
	e := cfg.Embedder
	switch e.Provider {
	case config.NoEmbedder:
		return nil, nil
	case config.ONNXVectors:
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
	var key string
	if e.APIKey.Set() {
		var err error
		if key, err = e.APIKey.Reveal(); err != nil {
			return nil, cfg.Problem("embedder.api_key", err)
		}
	}
	return llm.NewEmbedder(llm.EmbedderSettings{
		Provider: string(e.Provider), Model: e.Model, BaseURL: e.BaseURL, APIKey: key, Now: now,
	})
}
