package memory_test

// Some tests begin with the id of the requirement they prove, as in TestA4… . The ids are shared with the tests of the
// channels, which prove the same requirements on the wire.
//
//	A1   An event that a network delivers again, also after a restart, is answered once.
//	A4   A stranger in a direct room gets a pairing code and nothing else: no turn and no memory before approval. At most
//	     three codes wait, one per account. Approval goes by the stable id of an account on its network, never by a name.
//	A12  An edit changes the stored message and what was derived from it. A deletion removes both.
//	W2   A person whose WhatsApp id changes, or who has two ids, stays one person. A phone number that passed to somebody
//	     else does not join two people.
