package lexical

import "slices"

// Link is a document that shares a name with a match.
type Link struct {
	// Scope and Ordinal identify the document, as in Match.
	Scope, Ordinal int
	// From is the index of the match in the given list, Via the shared name.
	From int
	Via  string
}

// commonLink is the maximum number of documents that may share a name for it to link them.
const commonLink = 12

// link records the names that a document mentions. Each name is stored once, however many documents share it.
func (x *Index) link(ordinal uint32, names []string) {
	for _, n := range names {
		if slices.Contains(x.linked[ordinal], n) {
			continue
		}
		if _, known := x.links[n]; !known {
			x.bytes += nameBytes
		}
		x.links[n] = append(x.links[n], ordinal)
		x.linked[ordinal] = append(x.linked[ordinal], n)
		x.bytes += postingBytes + 32
	}
}

// unlink removes all names of a document.
func (x *Index) unlink(ordinal uint32) {
	for _, n := range x.linked[ordinal] {
		x.links[n] = slices.DeleteFunc(x.links[n], func(o uint32) bool { return o == ordinal })
		x.bytes -= postingBytes + 32
	}
	delete(x.linked, ordinal)
}

// Linked goes one hop from each match to the documents that share a name with it, newest first, over all scopes. It
// ignores names shared by more than twelve documents and does not return the matches themselves.
func Linked(scopes []*Index, from []Match) []Link {
	type place struct{ scope, ordinal int }
	seen := map[place]bool{}
	for _, m := range from {
		seen[place{m.Scope, m.Ordinal}] = true
	}
	var links []Link
	for i, m := range from {
		for _, name := range scopes[m.Scope].linked[uint32(m.Ordinal)] {
			var sharing int
			for _, x := range scopes {
				sharing += len(x.links[name])
			}
			if sharing > commonLink {
				continue
			}
			for s, x := range scopes {
				for _, d := range slices.Backward(x.links[name]) {
					p := place{s, int(d)}
					if x.rows[d].flags&isContext == 0 && !seen[p] {
						seen[p] = true
						links = append(links, Link{Scope: s, Ordinal: int(d), From: i, Via: name})
					}
				}
			}
		}
	}
	return links
}
