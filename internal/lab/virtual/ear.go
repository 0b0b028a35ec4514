package virtual

import (
	"context"
	"sync"

	"familiar/persona/scene"
)

// Ear is a voice that remembers its last scene and what it said. It is safe for concurrent use.
type Ear struct {
	mu     sync.Mutex
	voice  scene.Voice
	scene  scene.Scene
	speech scene.Reply
}

// SpeakWith replaces the voice.
func (e *Ear) SpeakWith(v scene.Voice) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.voice = v
}

// Forget forgets the last scene.
func (e *Ear) Forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.scene, e.speech = scene.Scene{}, scene.Reply{}
}

// Heard returns the last scene and what was said in it, both empty if the voice was not asked since Forget.
func (e *Ear) Heard() (scene.Scene, scene.Reply) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.scene, e.speech
}

// Name returns the voice's name.
func (e *Ear) Name() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.voice.Name()
}

// Reply records the scene and calls the voice.
func (e *Ear) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	e.mu.Lock()
	voice := e.voice
	e.mu.Unlock()
	speech, err := voice.Reply(ctx, s, show)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.scene, e.speech = s, speech
	return speech, err
}
