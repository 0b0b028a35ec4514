package channeltest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"familiar/channels"
)

// StateStore is a channels.StateStore in memory. Passed to another adapter, it is the state a later process finds.
type StateStore struct {
	mu     sync.Mutex
	values map[string]string
	before func(key, value string) error
}

// NewStateStore returns an empty store.
func NewStateStore() *StateStore { return &StateStore{values: map[string]string{}} }

// BeforePut makes Put call f first. If f returns an error, Put stores nothing and returns it. A nil f ends this.
func (s *StateStore) BeforePut(f func(key, value string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = f
}

// Copy returns the store as a process finds it that starts after this moment.
func (s *StateStore) Copy() *StateStore {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &StateStore{values: maps.Clone(s.values)}
}

// Set stores a value without calling the BeforePut function.
func (s *StateStore) Set(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = value
}

// Value returns the value under key, empty if there is none.
func (s *StateStore) Value(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[key]
}

// Get implements channels.StateStore.
func (s *StateStore) Get(_ context.Context, key string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.values[key]; ok {
		return v, nil
	}
	return "", channels.ErrNotFound
}

// Put implements channels.StateStore.
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

// Delete implements channels.StateStore.
func (s *StateStore) Delete(_ context.Context, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, key)
	return nil
}

// Keys implements channels.StateStore.
func (s *StateStore) Keys(_ context.Context, prefix string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.values)), func(k string) bool { return !strings.HasPrefix(k, prefix) }), nil
}
