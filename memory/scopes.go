package memory

import "slices"

// ScopeRevision says how far a scope has come: five counters that only grow. A scope nothing was ever written to has
// zeros. What is kept in memory of a scope is compared with them, and nothing else tells whether it still holds.
type ScopeRevision struct {
	Audience Audience
	// Revision grows when something was said in the scope or added to its memories.
	Revision int64
	// Epoch grows when something in the scope was changed or removed: see changed for where it is known what.
	Epoch int64
	// Beliefs grows when something was believed anew, confirmed or given up in the scope.
	Beliefs int64
	// Names grows when a person or a room of the store got another name.
	Names int64
	// Edges grows when memories of the scope were joined, parted, or an edge between them got another weight: at 0 there is
	// none to read.
	Edges int64
	// Loose grows when memories may have become free to be summed up, or what was made of them untrue: when some were parted
	// or shown to be wrong, removed or awoken. SumUp alone reads it, and sets it back to zero.
	Loose int64
}

// advance adds by's counters, in the running transaction, to those of by's scope of persona.
func (c *conn) advance(persona string, by ScopeRevision) error {
	_, err := c.exec(`INSERT INTO scopes (persona, audience, ref, revision, epoch, beliefs, names, edges, loose)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (persona, audience, ref) DO UPDATE SET revision = scopes.revision + excluded.revision,
			epoch = scopes.epoch + excluded.epoch, beliefs = scopes.beliefs + excluded.beliefs,
			names = scopes.names + excluded.names, edges = scopes.edges + excluded.edges, loose = scopes.loose + excluded.loose`,
		persona, by.Audience.Kind, by.Audience.Ref, by.Revision, by.Epoch, by.Beliefs, by.Names, by.Edges, by.Loose)
	return err
}

// advanceNames notes in the running transaction that a person or a room got another name. Any scope may mention them,
// and it happens seldom.
func (c *conn) advanceNames() error {
	_, err := c.exec(`UPDATE scopes SET names = names + 1, loose = loose + 1`)
	return err
}

// stillScopes are scopes that cannot move, since the transaction that reads them sees one moment.
type stillScopes struct {
	persona string
	at      []ScopeRevision
}

// of are the scopes of audiences, in their order, nil unless all of them were read before.
func (st *stillScopes) of(persona string, audiences []Audience) []ScopeRevision {
	if st == nil || st.persona != persona {
		return nil
	}
	var out []ScopeRevision
	for _, a := range audiences {
		i := slices.IndexFunc(st.at, func(r ScopeRevision) bool { return r.Audience == a })
		if i < 0 {
			return nil
		}
		out = append(out, st.at[i])
	}
	return out
}

// revisions are how far each of persona's scopes has come, in the order asked for. A turn asks for the same ones again
// and again.
func (c *conn) revisions(persona string, audiences []Audience) ([]ScopeRevision, error) {
	if at := c.still.of(persona, audiences); at != nil {
		return at, nil
	}
	at, err := c.readRevisions(persona, audiences)
	if err == nil && c.still != nil {
		*c.still = stillScopes{persona, slices.Clone(at)}
	}
	return at, err
}

// readRevisions names every kind with every reference, which finds a few scopes too many and stays one statement for
// any mix.
func (c *conn) readRevisions(persona string, audiences []Audience) ([]ScopeRevision, error) {
	refs := make([]int64, len(audiences))
	at := make([]ScopeRevision, len(audiences))
	for i, a := range audiences {
		refs[i], at[i] = a.Ref, ScopeRevision{Audience: a}
	}
	slices.Sort(refs)
	in, args := list(slices.Compact(refs))
	found, err := collect[ScopeRevision](c.rows(`SELECT audience, ref, revision, epoch, beliefs, names, edges FROM scopes
		WHERE persona = ? AND audience IN ('private', 'room', 'world') AND ref IN `+in,
		append([]any{persona}, args...)...))(scanRevision)
	for _, r := range found {
		if i := slices.Index(audiences, r.Audience); i >= 0 {
			at[i] = r
		}
	}
	return at, err
}

func scanRevision(row scanner) (r ScopeRevision, err error) {
	err = row.Scan(&r.Audience.Kind, &r.Audience.Ref, &r.Revision, &r.Epoch, &r.Beliefs, &r.Names, &r.Edges)
	return r, err
}
