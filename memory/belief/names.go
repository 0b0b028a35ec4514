package belief

import (
	"context"
	"slices"

	"familiar/memory/understand/rel"
)

// maxNames limits how many beliefs about names are read. No home has more people.
const maxNames = 1_000_000

// ClaimedNames returns the current names that people gave themselves, by person, latest first: for operators.
func (s *Store) ClaimedNames(ctx context.Context, f Filter) (map[int64][]string, error) {
	f.Relations, f.Limit = []string{rel.CallMe, "name"}, maxNames
	beliefs, err := s.ListBeliefs(ctx, f)
	if err != nil {
		return nil, err
	}
	told := make(map[int64][]string)
	for _, b := range beliefs {
		if p := b.SubjectPerson; p != 0 && b.AuthorID == p && !slices.Contains(told[p], b.Value) {
			told[p] = append(told[p], b.Value)
		}
	}
	return told, nil
}
