// Package modelvoice is the voice that asks a language model, the fallback to another voice when it fails, and the limits of
// what the model may be used for: daily caps and the budget of one job run.
package modelvoice
