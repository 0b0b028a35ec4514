package scope

import (
	"errors"
	"testing"

	"familiar/memory/internal/db"
	"familiar/memory/internal/dbtest"
	"familiar/memory/model"
)

func TestScopeRevisions(t *testing.T) {
	s := dbtest.Open(t)
	ada, room := model.Audience{Kind: model.Private, Ref: 1}, model.Audience{Kind: model.InRoom, Ref: 1}
	err := s.Write(t.Context(), "note", func(tx *db.Tx) error {
		return errors.Join(
			Advance(tx, "mira", model.ScopeRevision{Audience: ada, Revision: 1, Beliefs: 2}),
			Advance(tx, "mira", model.ScopeRevision{Audience: ada, Revision: 1, Epoch: 1, Beliefs: 1}),
			Advance(tx, "mira", model.ScopeRevision{Audience: room, Epoch: 1}),
			Advance(tx, "otto", model.ScopeRevision{Audience: room, Revision: 1}),
			AdvanceNames(tx),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []model.ScopeRevision
	err = s.Read(t.Context(), "read the scopes", func(tx *db.Tx) (err error) {
		got, err = Revisions(tx, "mira", []model.Audience{room, {Kind: model.World}, ada})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []model.ScopeRevision{
		{Audience: room, Epoch: 1, Names: 1},
		{Audience: model.Audience{Kind: model.World}},
		{Audience: ada, Revision: 2, Epoch: 1, Beliefs: 3, Names: 1},
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("scope %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}
