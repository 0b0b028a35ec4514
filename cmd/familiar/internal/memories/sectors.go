package memories

import (
	"familiar/internal/cli"
	"familiar/memory/model"
)

// sectorNames returns the names of the sectors.
func sectorNames() []string {
	return cli.Strings([]model.Sector{model.Episodic, model.Semantic, model.Procedural, model.Emotional, model.Reflective})
}
