// Package evidence finds which of the lines that were said answers a question, and how likely it does. It is pure.
package evidence
