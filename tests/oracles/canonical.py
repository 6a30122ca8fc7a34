"""Answers each line, a JSON document, with the canonical text that the PyPI package jcs gives it."""

import json
import sys

import jcs


def answer(line):
    try:
        return jcs.canonicalize(json.loads(line))
    except (ValueError, OverflowError, RecursionError) as error:
        return f"error: {error}".encode()


for line in sys.stdin.buffer:
    sys.stdout.buffer.write(answer(line) + b"\n")
