package whatsapptest

import (
	"maps"
	"slices"
	"strconv"

	binary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// handle deals with one stanza of a client.
func (s *Server) handle(l *link, node *binary.Node) {
	if node.Tag == "iq" {
		s.query(l, node)
		return
	}
	if l.device == nil { // not linked yet: it has nothing to say
		return
	}
	switch node.Tag {
	case "message":
		s.message(l, node)
	case "receipt":
		s.receipt(l, node)
	case "ack":
		s.confirm(l, text(node.Attrs["id"]))
	case "chatstate":
		s.chatstate(l, node)
	case "presence":
		s.note(Entry{What: "presence", Phone: l.phone(), Note: text(node.Attrs["type"])})
	}
}

// message takes one message, hands it on and tells its sender.
func (s *Server) message(l *link, node *binary.Node) {
	to, _ := node.Attrs["to"].(types.JID)
	id := text(node.Attrs["id"])
	ack := binary.Node{Tag: "ack", Attrs: binary.Attrs{"class": "message", "id": id, "from": to, "t": s.clock()}}
	switch f, ok := s.fault(Taking, l.phone()); {
	case ok && f.Do == Drop:
		l.close()
		return
	case ok && f.Do == Swallow:
		return
	case ok && f.Do == Refuse:
		ack.Attrs["error"] = strconv.Itoa(f.Code)
		l.say(ack)
		return
	}
	s.note(Entry{What: "taken", Phone: l.phone(), To: to.String(), ID: id, Note: text(node.Attrs["edit"])})
	if !s.pass(l.device, to, node) {
		ack.Attrs["error"] = "404"
	}
	switch f, ok := s.fault(Taken, l.phone()); {
	case ok && f.Do == Drop:
		l.close()
		return
	case ok && f.Do == Swallow:
		return
	}
	l.say(ack)
}

// pass hands a message on to everybody it is for and says whether there is such a place.
func (s *Server) pass(from *device, to types.JID, node *binary.Node) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	encrypted := byDevice(node)
	if to.Server == types.GroupServer {
		return s.passGroup(from, to, node, encrypted)
	}
	if direct := node.GetChildrenByTag("enc"); len(direct) > 0 { // for one device alone: said again to whom could not read it
		d := s.device(to)
		if d != nil {
			s.hand(d, from.stamp(d, node, s.clock()), direct)
		}
		return d != nil
	}
	if s.owner(to) == nil {
		return false
	}
	for j, content := range encrypted {
		if d := s.device(j); d != nil && d != from {
			stamped := from.stamp(d, node, s.clock())
			if d.account == from.account {
				stamped["recipient"] = to.ToNonAD()
			}
			s.hand(d, stamped, content)
		}
	}
	return true
}

// byDevice are the parts of a message that were encrypted for one device each.
func byDevice(node *binary.Node) map[types.JID][]binary.Node {
	parts := map[types.JID][]binary.Node{}
	participants := node.GetChildByTag("participants")
	for _, p := range participants.GetChildren() {
		parts[p.AttrGetter().JID("jid")] = p.GetChildren()
	}
	return parts
}

func (s *Server) passGroup(from *device, to types.JID, node *binary.Node, encrypted map[types.JID][]binary.Node) bool {
	g := s.groups[to.User]
	if g == nil || !slices.Contains(g.members, from.phone.User) {
		return false
	}
	only, retried := node.Attrs["participant"].(types.JID)
	for _, phone := range g.members {
		a := s.account(phone)
		if a == nil {
			continue
		}
		for _, d := range a.devices {
			if d == from || retried && s.device(only) != d {
				continue
			}
			content := slices.Concat(encrypted[d.hidden()], encrypted[d.number()], node.GetChildrenByTag("enc"))
			stamped := from.stamp(d, node, s.clock())
			stamped["participant"], stamped["from"] = stamped["from"], to
			for _, beside := range []string{"pn", "lid"} {
				if alt, ok := stamped["sender_"+beside]; ok {
					stamped["participant_"+beside] = alt
					delete(stamped, "sender_"+beside)
				}
			}
			s.hand(d, stamped, content)
		}
	}
	return true
}

// stamp is how a message of d's is addressed to another device.
func (d *device) stamp(other *device, node *binary.Node, clock string) binary.Attrs {
	attrs := binary.Attrs{"id": node.Attrs["id"], "t": clock, "type": node.Attrs["type"], "notify": d.name}
	if edit, ok := node.Attrs["edit"]; ok {
		attrs["edit"] = edit
	}
	d.sign(attrs, other)
	return attrs
}

// sign names d in a message to another device, as its account is named now.
func (d *device) sign(attrs binary.Attrs, other *device) {
	attrs["from"], attrs["addressing_mode"] = d.hidden(), "lid"
	if other.account == d.account {
		return
	}
	switch d.addressing {
	case ByLID:
		attrs["sender_pn"] = d.phone
	case ByNumber:
		attrs["from"], attrs["sender_lid"], attrs["addressing_mode"] = d.number(), d.lid, "pn"
	case ByNumberAlone:
		attrs["from"], attrs["addressing_mode"] = d.number(), "pn"
	}
}

// signAgain names a in the direct messages that still wait, as it is named now. The caller holds s.mu.
func (s *Server) signAgain(a *account) {
	for _, other := range s.accounts {
		for _, d := range other.devices {
			for i, node := range d.unconfirmed {
				from, _ := node.Attrs["from"].(types.JID)
				if node.Tag != "message" || s.owner(from) != a {
					continue
				}
				attrs := maps.Clone(node.Attrs)
				delete(attrs, "sender_pn")
				delete(attrs, "sender_lid")
				s.device(from).sign(attrs, d)
				d.unconfirmed[i].Attrs = attrs
			}
		}
	}
}

// hand keeps a message for d until it is confirmed, and writes it if d is there. The caller holds s.mu.
func (s *Server) hand(d *device, attrs binary.Attrs, content []binary.Node) {
	s.keep(d, binary.Node{Tag: "message", Attrs: attrs, Content: content})
}

func (s *Server) keep(d *device, node binary.Node) {
	d.unconfirmed = append(d.unconfirmed, node)
	if d.link != nil {
		d.link.say(node)
	}
}

// Again hands phone's devices a second time what they were handed last, as networks do that are not sure.
func (s *Server) Again(phone string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account(phone)
	if a == nil {
		return
	}
	for _, d := range a.devices {
		if d.link != nil && d.last != nil {
			s.keep(d, *d.last)
		}
	}
}

// confirm forgets what a device says it has.
func (s *Server) confirm(l *link, id string) {
	switch f, ok := s.fault(Confirming, l.phone()); {
	case ok && f.Do == Drop:
		l.close()
		return
	case ok && f.Do == Swallow:
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, node := range l.device.unconfirmed {
		if text(node.Attrs["id"]) == id {
			l.device.last = &node
			l.device.unconfirmed = append(l.device.unconfirmed[:i:i], l.device.unconfirmed[i+1:]...)
			s.ledger = append(s.ledger, Entry{What: "confirmed", Phone: l.device.phone.User, ID: id})
			return
		}
	}
}

// receipt is a device's word on a message: it has it, it was read, or it could not read it.
func (s *Server) receipt(l *link, node *binary.Node) {
	id, kind := text(node.Attrs["id"]), text(node.Attrs["type"])
	l.say(binary.Node{Tag: "ack", Attrs: binary.Attrs{"class": "receipt", "id": id, "from": node.Attrs["to"]}})
	switch kind {
	case "read", "read-self", "retry":
		s.note(Entry{What: kind, Phone: l.phone(), To: text(node.Attrs["to"]), ID: id})
	default:
		s.confirm(l, id)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	to, _ := node.Attrs["to"].(types.JID)
	attrs := maps.Clone(node.Attrs)
	delete(attrs, "to")
	attrs["t"], attrs["from"] = s.clock(), l.device.hidden()
	if to.Server == types.GroupServer {
		attrs["participant"], attrs["from"] = l.device.hidden(), to
		to, _ = node.Attrs["participant"].(types.JID)
	}
	d := s.device(to)
	if d == nil || d.account == l.device.account {
		return
	}
	answer := binary.Node{Tag: "receipt", Attrs: attrs, Content: node.Content}
	if kind == "retry" {
		s.keep(d, answer)
	} else if d.link != nil {
		d.link.say(answer)
	}
}

// chatstate shows somebody's typing to those who are there.
func (s *Server) chatstate(l *link, node *binary.Node) {
	to, _ := node.Attrs["to"].(types.JID)
	children := node.GetChildren()
	if len(children) == 0 {
		return
	}
	s.note(Entry{What: "chatstate", Phone: l.phone(), To: to.String(), Note: children[0].Tag})
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.owner(to); a != nil {
		for _, d := range a.devices {
			if d.link != nil {
				d.link.say(binary.Node{Tag: "chatstate", Attrs: binary.Attrs{"from": l.device.lid}, Content: children[:1]})
			}
		}
	}
}
