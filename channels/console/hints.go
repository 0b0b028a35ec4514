package console

import "familiar/channels"

// What can be done at the console besides talking.
var (
	leaves = channels.Localized{"en": "leaves", "de": "beendet das Gespräch", "es": "termina la conversación", "fr": "termine la conversation"}
	// interrupts is Ctrl-C at a terminal.
	interrupts = channels.Localized{
		"en": "interrupts me; otherwise clears the line, and leaves if pressed again",
		"de": "unterbricht mich; sonst leert es die Zeile und beendet das Gespräch, wenn du es noch einmal drückst",
		"es": "me interrumpe; si no, borra la línea, y termina la conversación si lo pulsas otra vez",
		"fr": "m'interrompt ; sinon efface la ligne, et termine la conversation si tu appuies encore",
	}
	newLine = channels.Localized{
		"en": "starts a new line in a message", "de": "beginnt eine neue Zeile in einer Nachricht",
		"es": "empieza una línea nueva en un mensaje", "fr": "commence une nouvelle ligne dans un message",
	}
)

var showsPicture = channels.Localized{
	"en": "shows a picture, with words after it if you like", "de": "zeigt ein Bild, mit Worten dahinter, wenn du magst",
	"es": "muestra una imagen, con palabras detrás si quieres", "fr": "montre une image, suivie de quelques mots si tu veux",
}

// Hints lists the ways to leave and, at a terminal, its keys.
func (c *Console) Hints() []channels.Hint {
	picture := channels.Hint{Input: showPicture + " PATH", Effect: showsPicture}
	if _, ok := c.frontend.(*terminal); !ok {
		return []channels.Hint{picture, {Input: "/quit", Effect: leaves}}
	}
	return []channels.Hint{
		picture, {Input: "/quit, Ctrl-D", Effect: leaves}, {Input: "Ctrl-C", Effect: interrupts}, {Input: "Alt-Enter", Effect: newLine},
	}
}
