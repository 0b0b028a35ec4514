package llm

// Elsewhere reports whether another model may answer the same prompt. It may not if the caller cancelled, or if this
// model did answer, only with nothing of use. A prompt that is too long is made smaller first.
func (e *Error) Elsewhere() bool {
	switch e.Kind {
	case Canceled, Empty, TooLong, ContextTooLong:
		return false
	}
	return true
}
