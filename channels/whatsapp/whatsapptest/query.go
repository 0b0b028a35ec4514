package whatsapptest

import (
	"strconv"

	binary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// query answers a client's request. Requests that do not matter for chats get an empty result.
func (s *Server) query(l *link, iq *binary.Node) {
	if iq.Attrs["type"] == "result" {
		if _, linked := iq.GetOptionalChildByTag("pair-device-sign"); linked {
			// The client must close the connection itself and reconnect.
			l.send(binary.Node{Tag: "stream:error", Attrs: binary.Attrs{"code": "515"}})
		}
		return
	}
	switch iq.Attrs["xmlns"] {
	case "md":
		s.linking(l, iq)
	case "encrypt":
		s.publicKeys(l, iq)
	case "usync":
		s.userDevices(l, iq)
	case "w:g2":
		s.groupInfo(l, iq)
	case "w:m":
		l.send(result(iq, binary.Node{
			Tag: "media_conn", Attrs: binary.Attrs{"auth": "let-me-in", "ttl": "3600", "auth_ttl": "3600", "max_buckets": "12"},
			Content: []binary.Node{{Tag: "host", Attrs: binary.Attrs{"hostname": "mmg.whatsapp.net"}}},
		}))
	default:
		l.send(result(iq))
	}
}

func result(iq *binary.Node, content ...binary.Node) binary.Node {
	from := iq.Attrs["to"]
	if from == nil {
		from = types.ServerJID
	}
	node := binary.Node{Tag: "iq", Attrs: binary.Attrs{"from": from, "type": "result", "id": iq.Attrs["id"]}}
	if len(content) > 0 {
		node.Content = content
	}
	return node
}

func failure(iq *binary.Node, code int, text string) binary.Node {
	node := result(iq, binary.Node{Tag: "error", Attrs: binary.Attrs{"code": strconv.Itoa(code), "text": text}})
	node.Attrs["type"] = "error"
	return node
}

// linking handles a device that asks to be linked by a code, or that unlinks itself.
func (s *Server) linking(l *link, iq *binary.Node) {
	if reg, ok := iq.GetOptionalChildByTag("link_code_companion_reg"); ok {
		if reg.Attrs["stage"] == "companion_hello" {
			s.codeHello(l, iq, reg)
		} else {
			s.codeFinish(l, iq, reg)
		}
		return
	}
	if gone, ok := iq.GetOptionalChildByTag("remove-companion-device"); ok {
		s.remove(gone.AttrGetter().JID("jid"))
	}
	l.send(result(iq))
}

func (s *Server) remove(j types.JID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.owner(j)
	if a == nil {
		return
	}
	for i, d := range a.devices {
		if d.id == j.Device {
			a.devices = append(a.devices[:i:i], a.devices[i+1:]...)
			s.ledger = append(s.ledger, Entry{What: "unlinked", Phone: a.phone.User})
			return
		}
	}
}

// publicKeys counts, stores or returns the keys that start encrypted conversations.
func (s *Server) publicKeys(l *link, iq *binary.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := iq.GetOptionalChildByTag("count"); ok {
		// Never 0: the SDK would then generate 812 keys, most of the cost of linking, instead of 50.
		l.send(result(iq, binary.Node{Tag: "count", Attrs: binary.Attrs{"value": strconv.Itoa(max(1, len(l.device.keys)))}}))
		return
	}
	if iq.Attrs["type"] == "set" {
		if list, ok := iq.GetOptionalChildByTag("list"); ok {
			l.device.keys = append(l.device.keys, list.GetChildren()...)
			l.device.identity, l.device.signedKey = iq.GetChildByTag("identity"), iq.GetChildByTag("skey")
		}
		l.send(result(iq))
		return
	}
	var users []binary.Node
	wanted := iq.GetChildByTag("key")
	for _, u := range wanted.GetChildrenByTag("user") {
		j := u.AttrGetter().JID("jid")
		users = append(users, binary.Node{Tag: "user", Attrs: binary.Attrs{"jid": j}, Content: bundle(s.device(j))})
	}
	l.send(result(iq, binary.Node{Tag: "list", Content: users}))
}

// bundle returns the keys for a first message to d; each one-time key is given out once.
func bundle(d *device) []binary.Node {
	if d == nil {
		return []binary.Node{{Tag: "error", Attrs: binary.Attrs{"code": "404", "text": "item-not-found"}}}
	}
	nodes := []binary.Node{{Tag: "registration", Content: d.regID}, {Tag: "type", Content: []byte{5}}, d.identity, d.signedKey}
	if len(d.keys) > 0 {
		nodes = append(nodes, d.keys[0])
		d.keys = d.keys[1:]
	}
	return nodes
}

// userDevices returns people's devices and hidden ids.
func (s *Server) userDevices(l *link, iq *binary.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := iq.GetChildByTag("usync")
	list := asked.GetChildByTag("list")
	var users []binary.Node
	for _, u := range list.GetChildren() {
		j := u.AttrGetter().JID("jid")
		node := binary.Node{Tag: "user", Attrs: binary.Attrs{"jid": j}}
		if a := s.owner(j); a != nil {
			var devices []binary.Node
			for _, d := range a.devices {
				devices = append(devices, binary.Node{Tag: "device", Attrs: binary.Attrs{"id": strconv.Itoa(int(d.id)), "key-index": "1"}})
			}
			node.Content = []binary.Node{
				{Tag: "devices", Content: []binary.Node{{Tag: "device-list", Content: devices}}},
				{Tag: "lid", Attrs: binary.Attrs{"val": a.lid}},
			}
		}
		users = append(users, node)
	}
	l.send(result(iq, binary.Node{Tag: "usync", Content: []binary.Node{{Tag: "list", Content: users}}}))
}

func (s *Server) groupInfo(l *link, iq *binary.Node) {
	j, _ := iq.Attrs["to"].(types.JID)
	s.note(Entry{What: "asked", Phone: l.phone(), To: j.String()})
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groups[j.User]
	if g == nil {
		l.send(failure(iq, 404, "item-not-found"))
		return
	}
	var content []binary.Node
	inside := false
	for i, phone := range g.members {
		a := s.account(phone)
		if a == nil {
			continue
		}
		inside = inside || l.device != nil && l.device.account == a
		attrs := binary.Attrs{"jid": a.lid, "phone_number": a.phone}
		if i == 0 {
			attrs["type"] = "superadmin"
		}
		content = append(content, binary.Node{Tag: "participant", Attrs: attrs})
	}
	if !inside {
		l.send(failure(iq, 403, "forbidden"))
		return
	}
	if g.expiration > 0 {
		content = append(content, binary.Node{Tag: "ephemeral", Attrs: binary.Attrs{"expiration": strconv.Itoa(g.expiration)}})
	}
	l.send(result(iq, binary.Node{
		Tag: "group", Attrs: binary.Attrs{
			"id": g.id, "subject": g.subject, "creation": s.clock(), "addressing_mode": "lid", "size": strconv.Itoa(len(content)),
		},
		Content: content,
	}))
}
