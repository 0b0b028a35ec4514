package memory

// recalledLines reads messages as lines of a snippet.
const recalledLines = `SELECT m.id, m.person_id, coalesce(p.name, m.persona), m.at, m.text
	FROM messages m LEFT JOIN people p ON p.id = m.person_id WHERE m.text <> '' AND m.id IN `

func scanLine(row scanner) (l SnippetLine, err error) {
	err = row.Scan(&l.MessageID, intoID(&l.PersonID), &l.Author, intoTime(&l.At), &l.Text)
	return l, err
}

// fill reads the rows of the candidates and, for packing, what was said in and around them. A candidate whose memory
// is gone since the index was read, or is not for this hearing, falls out.
func (f *found) fill(tx *conn, h Hearing, packing bool) error {
	for _, cs := range []*[]candidate{&f.matches, &f.standing, &f.pinned} {
		if len(*cs) == 0 {
			continue
		}
		ids := make([]int64, len(*cs))
		for i, c := range *cs {
			ids[i] = c.id
		}
		in, args := list(ids)
		memories, err := collect[Memory](tx.rows(memoryColumns+` WHERE m.id IN `+in, args...))(scanMemory)
		if err != nil {
			return err
		}
		*cs = joined(*cs, memories, h)
	}
	if !packing {
		return nil
	}
	return f.readLines(tx)
}

// joined gives each candidate its memory and keeps those that have one that may be heard.
func joined(cs []candidate, memories []Memory, h Hearing) []candidate {
	byID := make(map[int64]Memory, len(memories))
	for _, m := range memories {
		byID[m.ID] = m
	}
	kept := cs[:0]
	for _, c := range cs {
		if m, found := byID[c.id]; found && h.hears(m.Audience) && m.Persona == h.persona {
			c.memory = m
			kept = append(kept, c)
		}
	}
	return kept
}

func (f *found) readLines(tx *conn) error {
	var ids []int64
	for _, cs := range [][]candidate{f.matches, f.standing, f.pinned} {
		for _, c := range cs {
			for _, id := range []int64{c.message, c.before, c.after} {
				if id != 0 {
					ids = append(ids, id)
				}
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	in, args := list(ids)
	lines, err := collect[SnippetLine](tx.rows(recalledLines+in, args...))(scanLine)
	for _, l := range lines {
		f.lines[l.MessageID] = l
	}
	return err
}
