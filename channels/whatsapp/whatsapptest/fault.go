package whatsapptest

// Point is a moment at which the server can be made to fail.
type Point string

// The points.
const (
	// Dialling is a client that opens its websocket; it is not known yet whose it is.
	Dialling Point = "dialling"
	// LoggingIn is a client that has said who it is and waits to be let in.
	LoggingIn Point = "logging in"
	// Taking is a message of the account that has arrived and that nobody has got yet; Taken is after everybody was
	// handed it and before the account is told.
	Taking Point = "taking"
	Taken  Point = "taken"
	// Handing is a message about to be written to the account, Handed one that was.
	Handing Point = "handing"
	Handed  Point = "handed"
	// Confirming is the account's word that it has a message, before it counts.
	Confirming Point = "confirming"
	// Fetching is a download or an upload of media.
	Fetching Point = "fetching"
)

// Deed is what goes wrong.
type Deed int

// The deeds.
const (
	// Drop cuts the connection.
	Drop Deed = iota
	// Swallow lets what arrived, or what was to be written, vanish.
	Swallow
	// Garble changes a byte of the encrypted text.
	Garble
	// Mangle writes a frame that makes no sense.
	Mangle
	// Refuse answers with Fault.Code: an HTTP status, a reason of failure or an error of a message.
	Refuse
	// Wait goes on as if nothing were wrong once Fault.Until is closed.
	Wait
)

// Fault is one failure.
type Fault struct {
	At Point
	// Phone is the number of the account it happens to, empty for whoever comes first.
	Phone string
	Do    Deed
	Code  int
	Until <-chan struct{}
	// Times is how often it happens, 0 for once.
	Times int
	// Struck, if set, is called each time it happens, before anything else.
	Struck func()
}

// Inject arms f. Faults at the same point happen in the order they were armed.
func (s *Server) Inject(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// fault is the fault that happens now, if any. It waits where that is all it does.
func (s *Server) fault(at Point, phone string) (Fault, bool) {
	f, ok := s.nextFault(at, phone)
	if ok {
		s.note(Entry{What: "fault", Phone: phone, Note: string(at)})
		if f.Struck != nil {
			f.Struck()
		}
	}
	if ok && f.Do == Wait {
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
