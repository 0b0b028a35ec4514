package modelvoice

import (
	"familiar/persona/scene"
	"familiar/prompts"
)

// Sees reports whether the voice's model may be shown pictures.
func (v *Voice) Sees() bool { return Can(v.model).Images }

// Sees reports whether the primary voice may be shown pictures.
func (f fallback) Sees() bool { return sees(f.primary) }

// Sees reports whether the voice may be shown pictures.
func (i informing) Sees() bool { return sees(i.Voice) }

func sees(voice scene.Voice) bool {
	s, ok := voice.(interface{ Sees() bool })
	return ok && s.Sees()
}

// imageShare is the divisor for the part of a prompt that pictures may take.
const imageShare = 2

// images returns the newest pictures to answer that a prompt of a size has room for.
func (v *Voice) images(s scene.Scene, budget int) (shown []prompts.Image) {
	if !v.Sees() {
		return nil
	}
	for _, l := range s.Incoming {
		for _, p := range l.Pictures {
			shown = append(shown, prompts.Image{MIME: p.MIME, Data: p.Data})
		}
	}
	most := budget / imageShare / prompts.ImageTokens
	return shown[max(0, len(shown)-most):]
}
