package signedlore

import "golang.org/x/mod/sumdb/note"

// SignBody signs any bytes as entries, as a hostile signer can.
func SignBody(l Lore, entries int, body []byte, by *Secret) ([]byte, error) {
	l.Key = by.public
	h := head{Lore: l, entries: entries, sha256: digest(body)}
	signed, err := note.Sign(&note.Note{Text: h.text()}, by.signer)
	return append(append(signed, '\n'), body...), err
}
