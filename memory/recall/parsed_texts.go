package recall

import (
	"familiar/internal/recent"
	"familiar/memory/understand/retraction"
)

// parseText is retraction.Parse: with each turn the same running talk is looked through for what was taken back.
var parseText = recent.Texts(1000, 1<<10, retraction.Parse)
