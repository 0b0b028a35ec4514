// Package words compares short texts by their content words and cuts, quotes and joins them. It is pure.
package words
