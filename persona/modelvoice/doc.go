// Package modelvoice is the voice that asks a language model. It has the fallback to another voice, and the limits on
// model use: daily caps and the budget of a job run.
package modelvoice
