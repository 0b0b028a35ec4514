package entry

import (
	"familiar/memory/model"
)

// heardBy says that everybody in the audience asked for may hear the message.
func (s Source) HeardBy(a model.Audience) bool {
	return s.room.Audience() == a || a.Kind == model.Private && !s.room.Direct && s.spokeThere
}
