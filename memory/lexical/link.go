package lexical

import (
	"cmp"
	"slices"
)

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

// mentions are the names that one document mentions, by their numbers in linkNames.
type mentions struct {
	ordinal uint32
	names   []int32
}

// link records the names that a document mentions. Each name is stored once, however many documents share it.
func (x *Index) link(ordinal uint32, names []string) {
	if len(names) == 0 {
		return
	}
	at, found := x.mentionsOf(ordinal)
	if !found {
		x.linked = slices.Insert(x.linked, at, mentions{ordinal, make([]int32, 0, len(names))})
		x.bytes += mentionsBytes
	}
	m := &x.linked[at]
	for _, name := range names {
		n, known := x.linkNumbers[name]
		if !known {
			n = int32(len(x.links))
			x.linkNumbers[name] = n
			x.links, x.linkNames = append(x.links, nil), append(x.linkNames, name)
			x.bytes += nameBytes
		}
		if slices.Contains(m.names, n) {
			continue
		}
		x.links[n] = append(x.links[n], ordinal)
		m.names = append(m.names, n)
		x.bytes += linkBytes
	}
}

// mentionsOf returns the position of a document's names in linked, or their insertion point.
func (x *Index) mentionsOf(ordinal uint32) (at int, found bool) {
	if n := len(x.linked); n == 0 || x.linked[n-1].ordinal < ordinal {
		return n, false
	}
	return slices.BinarySearchFunc(x.linked, ordinal, func(m mentions, o uint32) int { return cmp.Compare(m.ordinal, o) })
}

// unlink removes all names of a document.
func (x *Index) unlink(ordinal uint32) {
	at, found := x.mentionsOf(ordinal)
	if !found {
		return
	}
	for _, n := range x.linked[at].names {
		x.links[n] = slices.DeleteFunc(x.links[n], func(o uint32) bool { return o == ordinal })
		x.bytes -= linkBytes
	}
	x.linked = slices.Delete(x.linked, at, at+1)
	x.bytes -= mentionsBytes
}

// namesIn returns the names that a document mentions.
func (x *Index) namesIn(ordinal uint32) (names []string) {
	if at, found := x.mentionsOf(ordinal); found {
		for _, n := range x.linked[at].names {
			names = append(names, x.linkNames[n])
		}
	}
	return names
}

// mentioning returns the documents that mention a name.
func (x *Index) mentioning(name string) []uint32 {
	if n, known := x.linkNumbers[name]; known {
		return x.links[n]
	}
	return nil
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
		for _, name := range scopes[m.Scope].namesIn(uint32(m.Ordinal)) {
			var sharing int
			for _, x := range scopes {
				sharing += len(x.mentioning(name))
			}
			if sharing > commonLink {
				continue
			}
			for s, x := range scopes {
				for _, d := range slices.Backward(x.mentioning(name)) {
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
