package persona_test

// Requirement IDs in the test names of this package. The README.md files of channels and of its networks list the
// requirements in full.
//
//	ID   requirement
//	A2   After a kill at any moment no message is lost and no confirmed chunk is sent again. Without idempotency keys, a
//	     send with an unknown outcome is not repeated.
//	A5   Groups have a mode that decides what is stored and answered. Memories are not shown in a group.
//	A7   Messages stay in order within a room, and a slow or rate-limited room does not delay others.
//	A8   A network's requested wait is honoured. An answer that is given up is a dead letter, which the operator sees and can send
//	     again, and of which the person is told once.
//	A9   The typing indicator is shown while the persona composes, and is renewed before it expires.
//	A10  Old messages become context and get no reply. Several messages of one thought get one reply; commands do not wait.
//	A12  Edits, deletions and reactions name the message they concern, and only its author may change it.
//	D11  A person who accepts no direct messages gets no proactive ones until they write again.
//	T6   A room that gets a new ID keeps its memories, and replies follow it there.
//	W2   A person known under two IDs is one person. A hidden ID learned later moves the room.
//	W11  Messages and the memories made from them expire with a chat that has disappearing messages.
