package layout

import (
	"embed"

	"familiar/web/wording"
)

//go:embed wordings/*.txt
var wordings embed.FS

// tongues are what the frame of pages says, by language.
var tongues = wording.Load(wordings)
