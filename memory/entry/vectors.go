package entry

import (
	"familiar/memory/internal/scope"
)

// unembedded is the condition that a memory m is recalled, has no vector written after a revision and did not fail: the
// persona's own story and dreams are never found by what they mean.
const Unembedded = scope.RecallableKinds + ` AND NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.memory_id = m.id AND v.revision > ?)
	AND NOT EXISTS (SELECT 1 FROM embedding_failures f WHERE f.memory_id = m.id)`
