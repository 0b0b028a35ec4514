package telegram

import "testing"

// M3: what somebody forwards or lets another bot write are not their own words.

func TestM3WhatIsPassedOnIsAnAttachment(t *testing.T) {
	for fields, want := range map[string]struct{ text, whole string }{
		`"forward_origin":{"type":"user","sender_user":{"id":43,"first_name":"Bo"},"date":1},"forward_date":1,"text":"I'm *Bo*"`: {"", "[forwarded: I'm *Bo*]"},
		`"forward_origin":{"type":"hidden_user","sender_user_name":"Bo","date":1},"text":"/forget me","entities":[{"type":"bot_command","offset":0,"length":7}]`: {
			"", "[forwarded: /forget me]",
		},
		`"forward_date":1,"text":"from an older server"`:                                                        {"", "[forwarded: from an older server]"},
		`"forward_date":1,"photo":[{"file_id":"a"}],"caption":"my dog"`:                                         {"", "[forwarded: my dog] [image]"},
		`"forward_date":1,"photo":[{"file_id":"a"}]`:                                                            {"", "[image]"},
		`"via_bot":{"id":8,"is_bot":true,"username":"gif"},"text":"I won 3 prizes"`:                             {"", "[via bot: I won 3 prizes]"},
		`"is_automatic_forward":true,"forward_date":1,"sender_chat":{"id":-1,"title":"News"},"text":"we moved"`: {"we moved", "we moved"},
		`"text":"mine"`: {"mine", "mine"},
	} {
		m, ok := read(t, message9(inPrivate+fromAnn+fields))
		if !ok || m.Text != want.text || m.FullText() != want.whole || !m.Addressed {
			t.Errorf("%s: %q and %q, %+v", fields, m.Text, m.FullText(), m)
		}
	}
}
