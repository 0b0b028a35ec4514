package whatsapptest

import (
	"maps"
	"slices"
	"strconv"

	binary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// handle processes one stanza from a client.
func (s *Server) handle(l *link, node *binary.Node) {
	if node.Tag == "iq" {
		s.query(l, node)
		return
	}
	if l.device == nil { // not linked yet: ignore it
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

// message receives one message, delivers it and acknowledges it.
func (s *Server) message(l *link, node *binary.Node) {
	to, _ := node.Attrs["to"].(types.JID)
	id := text(node.Attrs["id"])
	ack := binary.Node{Tag: "ack", Attrs: binary.Attrs{"class": "message", "id": id, "from": to, "t": s.clock()}}
	switch f, ok := s.fault(Receiving, l.phone()); {
	case ok && f.Effect == Drop:
		l.close()
		return
	case ok && f.Effect == Discard:
		return
	case ok && f.Effect == Refuse:
		ack.Attrs["error"] = strconv.Itoa(f.Code)
		l.send(ack)
		return
	}
	s.note(Entry{What: "received", Phone: l.phone(), To: to.String(), ID: id, Note: text(node.Attrs["edit"])})
	if !s.route(l.device, to, node) {
		ack.Attrs["error"] = "404"
	}
	switch f, ok := s.fault(Received, l.phone()); {
	case ok && f.Effect == Drop:
		l.close()
		return
	case ok && f.Effect == Discard:
		return
	}
	l.send(ack)
}

// route delivers a message to its recipients and reports whether the chat exists.
func (s *Server) route(from *device, to types.JID, node *binary.Node) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	encrypted := byDevice(node)
	if to.Server == types.GroupServer {
		return s.routeGroup(from, to, node, encrypted)
	}
	if direct := node.GetChildrenByTag("enc"); len(direct) > 0 { // for one device: a resend after a decryption failure
		d := s.device(to)
		if d != nil {
			s.deliver(d, from.attributes(d, node, s.clock()), direct)
		}
		return d != nil
	}
	if s.owner(to) == nil {
		return false
	}
	for j, content := range encrypted {
		if d := s.device(j); d != nil && d != from {
			stanza := from.attributes(d, node, s.clock())
			if d.account == from.account {
				stanza["recipient"] = to.ToNonAD()
			}
			s.deliver(d, stanza, content)
		}
	}
	return true
}

// byDevice returns the parts of a message encrypted for one device each.
func byDevice(node *binary.Node) map[types.JID][]binary.Node {
	parts := map[types.JID][]binary.Node{}
	participants := node.GetChildByTag("participants")
	for _, p := range participants.GetChildren() {
		parts[p.AttrGetter().JID("jid")] = p.GetChildren()
	}
	return parts
}

func (s *Server) routeGroup(from *device, to types.JID, node *binary.Node, encrypted map[types.JID][]binary.Node) bool {
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
			stanza := from.attributes(d, node, s.clock())
			stanza["participant"], stanza["from"] = stanza["from"], to
			for _, key := range []string{"pn", "lid"} {
				if alt, ok := stanza["sender_"+key]; ok {
					stanza["participant_"+key] = alt
					delete(stanza, "sender_"+key)
				}
			}
			s.deliver(d, stanza, content)
		}
	}
	return true
}

// attributes returns the attributes of a message from d to another device.
func (d *device) attributes(other *device, node *binary.Node, clock string) binary.Attrs {
	attrs := binary.Attrs{"id": node.Attrs["id"], "t": clock, "type": node.Attrs["type"], "notify": d.name}
	if edit, ok := node.Attrs["edit"]; ok {
		attrs["edit"] = edit
	}
	d.setSender(attrs, other)
	return attrs
}

// setSender adds the name of d, as its account is addressed now.
func (d *device) setSender(attrs binary.Attrs, other *device) {
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

// readdress updates the sender a in direct messages that are still queued. The caller holds s.mu.
func (s *Server) readdress(a *account) {
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
				s.device(from).setSender(attrs, d)
				d.unconfirmed[i].Attrs = attrs
			}
		}
	}
}

// deliver stores a message for d until it is confirmed, and writes it if d is connected. The caller holds s.mu.
func (s *Server) deliver(d *device, attrs binary.Attrs, content []binary.Node) {
	s.keep(d, binary.Node{Tag: "message", Attrs: attrs, Content: content})
}

func (s *Server) keep(d *device, node binary.Node) {
	d.unconfirmed = append(d.unconfirmed, node)
	if d.link != nil {
		d.link.send(node)
	}
}

// Redeliver delivers the last message to phone's devices again.
func (s *Server) Redeliver(phone string) {
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

// confirm removes a message a device has confirmed.
func (s *Server) confirm(l *link, id string) {
	switch f, ok := s.fault(Confirming, l.phone()); {
	case ok && f.Effect == Drop:
		l.close()
		return
	case ok && f.Effect == Discard:
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

// receipt handles a device's receipt: delivered, read, or not decryptable.
func (s *Server) receipt(l *link, node *binary.Node) {
	id, kind := text(node.Attrs["id"]), text(node.Attrs["type"])
	l.send(binary.Node{Tag: "ack", Attrs: binary.Attrs{"class": "receipt", "id": id, "from": node.Attrs["to"]}})
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
		d.link.send(answer)
	}
}

// chatstate forwards a typing indicator to connected devices.
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
				d.link.send(binary.Node{Tag: "chatstate", Attrs: binary.Attrs{"from": l.device.lid}, Content: children[:1]})
			}
		}
	}
}
