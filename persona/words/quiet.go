package words

import "familiar/internal/lazyregexp"

// Phrases by which people turn proactive messages on or off. A question does neither.
var (
	NotFirst = lazyregexp.New(`(?i)(?:^|[.!;,]\s*|\b(?:please|but|and|so|from now on|rather)\s+)` +
		`(?:(?:please|just)\s+)?(?:do not|don't|never|stop)\s+(?:ever\s+)?(?:` +
		`(?:writ|messag|text|contact|reach|ping|start|bother)\w*(?:\s+(?:out|to|me|us|again))*\s+(?:first\b|unasked\b|unprompted\b|out of the blue\b|by yourself\b|` +
		`unless I (?:write|text|message|ask|talk|speak|contact|reach)|on your own\b|until I (?:write|text|message))` +
		`|(?:be|being) the (?:one|first) (?:who|to) (?:writ|messag|text)\w*|checking in on me|check in on me)[^?]*$`)
	WritesFirst = lazyregexp.New(`(?i)(?:^|[.!;,]\s*|\b(?:please|but|and|so)\s+)(?:you (?:can|may|could)|feel free to|do)\s+` +
		`(?:writ|messag|text|contact|ping|reach|check)\w*(?:\s+(?:out|to|me|in|on|us))*\s+(?:first|again|unasked|whenever|any ?time)\b[^?]*$`)
)
