package turns

import (
	"testing"

	"familiar/memory/model"
)

// TestEpisodesAreCachedWhileNothingChanged asks for what was kept after each change that can make it stale.
func TestEpisodesAreCachedWhileNothingChanged(t *testing.T) {
	club, world := model.Audience{Kind: model.InRoom, Ref: 7}, model.Audience{Kind: model.World}
	state := func(compacted int64, revisions ...model.ScopeRevision) sessionEpisodes {
		return sessionEpisodes{compacted: compacted, at: revisions}
	}
	at := func(a model.Audience, epoch int64) model.ScopeRevision {
		return model.ScopeRevision{Audience: a, Epoch: epoch}
	}
	added := at(club, 3)
	added.Revision = 9 // a memory was added: an episode would have moved compacted

	key := episodesKey{"mira", 7, 1}
	kept := state(20, at(club, 3), at(world, 1))
	kept.told = []EpisodeView{{ID: 5, Text: "They sailed to Skye."}}
	var c episodeCache
	if _, same := c.get(key, kept); same {
		t.Error("an empty cache has episodes")
	}
	c.put(key, kept)
	for name, asked := range map[string]struct {
		key  episodesKey
		now  sessionEpisodes
		same bool
	}{
		"nothing changed":             {key, state(20, at(club, 3), at(world, 1)), true},
		"a memory was added":          {key, state(20, added, at(world, 1)), true},
		"more was compacted":          {key, state(24, at(club, 3), at(world, 1)), false},
		"a memory was removed":        {key, state(20, at(club, 4), at(world, 1)), false},
		"a memory of the world was":   {key, state(20, at(club, 3), at(world, 2)), false},
		"another scope may be heard":  {key, state(20, at(club, 3), at(world, 1), at(model.Audience{Kind: model.Private, Ref: 1}, 0)), false},
		"fewer may be heard":          {key, state(20, at(club, 3)), false},
		"the session of another room": {episodesKey{"mira", 8, 1}, kept, false},
		"another session":             {episodesKey{"mira", 7, 2}, kept, false},
		"another persona":             {episodesKey{"nell", 7, 1}, kept, false},
	} {
		told, same := c.get(asked.key, asked.now)
		if same != asked.same || same && (len(told) != 1 || told[0] != kept.told[0]) {
			t.Errorf("%s: %+v, %v", name, told, same)
		}
	}
	c.put(key, state(24, at(club, 3), at(world, 1)))
	if _, same := c.get(key, kept); same {
		t.Error("what was replaced is still kept")
	}
}

func TestEpisodeCacheIsBounded(t *testing.T) {
	var c episodeCache
	for session := range int64(3*maxCachedEpisodes + 1) {
		key := episodesKey{"mira", 7, session}
		c.put(key, sessionEpisodes{compacted: session})
		if _, same := c.get(key, sessionEpisodes{compacted: session}); !same || len(c.sessions) > maxCachedEpisodes {
			t.Fatalf("session %d: kept %v among %d", session, same, len(c.sessions))
		}
	}
}
