package channeltest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"familiar/channels"
)

// StateStore is a channels.Shelf in memory. Handed to another adapter it is what a process finds that starts later.
type StateStore struct {
	mu     sync.Mutex
	values map[string]string
	before func(key, value string) error
}

// NewStateStore is an empty shelf.
func NewStateStore() *StateStore { return &StateStore{values: map[string]string{}} }

// BeforePut has f called with what is to be kept. Its error is that of Put, and nothing is kept then; nil ends it.
func (s *StateStore) BeforePut(f func(key, value string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = f
}

// Copy is the shelf as a process finds it that starts after this moment.
func (s *StateStore) Copy() *StateStore {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &StateStore{values: maps.Clone(s.values)}
}

// Set keeps a value whatever Before says.
func (s *StateStore) Set(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = value
}

// Value is what is kept under key, empty when nothing is.
func (s *StateStore) Value(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[key]
}

// Get implements channels.Shelf.
func (s *StateStore) Get(_ context.Context, key string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.values[key]; ok {
		return v, nil
	}
	return "", channels.ErrNotFound
}

// Put implements channels.Shelf.
func (s *StateStore) Put(_ context.Context, key, value string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.before != nil {
		if err := s.before(key, value); err != nil {
			return err
		}
	}
	s.values[key] = value
	return nil
}

// Delete implements channels.Shelf.
func (s *StateStore) Delete(_ context.Context, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, key)
	return nil
}

// Keys implements channels.Shelf.
func (s *StateStore) Keys(_ context.Context, prefix string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.values)), func(k string) bool { return !strings.HasPrefix(k, prefix) }), nil
}
