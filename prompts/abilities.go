package prompts

// Abilities is what a model may be asked beyond words, as far as is known.
type Abilities struct {
	// Tools: it may be offered tools. Images: it may be shown pictures.
	Tools, Images bool
}
