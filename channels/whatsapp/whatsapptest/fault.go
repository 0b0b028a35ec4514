package whatsapptest

// Point is a moment at which a fault can occur.
type Point string

// The points.
const (
	// Dialing: a client opens its websocket; its account is not known yet.
	Dialing Point = "dialing"
	// LoggingIn: a client has identified itself and waits to be admitted.
	LoggingIn Point = "logging in"
	// Receiving: a message from the account has arrived and has not been delivered to anybody. Received: it was
	// delivered to everybody, but the account has no acknowledgement yet.
	Receiving Point = "receiving"
	Received  Point = "received"
	// Delivering: a message is about to be written to the account. Delivered: it was written.
	Delivering Point = "delivering"
	Delivered  Point = "delivered"
	// Confirming: the account's confirmation of a message has arrived, but does not count yet.
	Confirming Point = "confirming"
	// Transferring: media is downloaded or uploaded.
	Transferring Point = "transferring"
)

// Effect is what a fault does.
type Effect int

// The effects.
const (
	// Drop closes the connection.
	Drop Effect = iota
	// Discard drops the message.
	Discard
	// Garble changes a byte of the ciphertext.
	Garble
	// Malform writes an invalid frame.
	Malform
	// Refuse responds with Fault.Code: an HTTP status, a failure reason or a message error.
	Refuse
	// Wait continues normally once Fault.Until is closed.
	Wait
)

// Fault is one injected failure.
type Fault struct {
	At Point
	// Phone is the number of the account affected, empty for the first that matches.
	Phone  string
	Effect Effect
	Code   int
	Until  <-chan struct{}
	// Times is how often the fault occurs, 0 for once.
	Times int
	// OnFault is called, if set, at the start of each occurrence.
	OnFault func()
}

// AddFault adds f. Faults at the same point occur in the order they were added.
func (s *Server) AddFault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// fault returns the fault that applies now, if any. It waits if that is the fault's only effect.
func (s *Server) fault(at Point, phone string) (Fault, bool) {
	f, ok := s.nextFault(at, phone)
	if ok {
		s.note(Entry{What: "fault", Phone: phone, Note: string(at)})
		if f.OnFault != nil {
			f.OnFault()
		}
	}
	if ok && f.Effect == Wait {
		select {
		case <-f.Until:
		case <-s.done:
		}
		return Fault{}, false
	}
	return f, ok
}

func (s *Server) nextFault(at Point, phone string) (Fault, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.faults {
		if f.At != at || f.Phone != "" && f.Phone != phone {
			continue
		}
		if f.Times--; f.Times <= 0 {
			s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
		}
		return *f, true
	}
	return Fault{}, false
}
