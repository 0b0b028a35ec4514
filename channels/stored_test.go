package channels

import (
	"encoding/json"
	"testing"
)

// TestMessageKeepsItsStoredKeys: pending messages are stored as JSON, and older databases must stay readable.
func TestMessageKeepsItsStoredKeys(t *testing.T) {
	got, err := json.Marshal(Message{Attachments: []Attachment{{}}})
	want := `{"ID":"","Act":"","Of":"","Room":{"Channel":"","ID":"","Thread":""},` +
		`"Author":{"Handle":{"Channel":"","ID":""},"Alias":"","Name":"","Bot":false},"Direct":false,"RoomTitle":"","Text":"",` +
		`"Attachments":[{"Kind":"","Name":"","Caption":"","Size":0,"Path":""}],"ReplyTo":"","At":"0001-01-01T00:00:00Z",` +
		`"Arrival":false,"Unasked":"","Addressed":false,"Via":"","Discreet":false,"Fades":0}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}
