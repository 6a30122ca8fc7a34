"""Keys by PyPI rfc8785 and jcs with hashlib; how it is called and answers: foreign.rs."""
import hashlib
import json
import sys
import time

import jcs
import rfc8785

verb, target, *inputs = sys.argv[1:]
prefix = f"{verb}|{target}|".encode()


def key(canonical, text):
    digest = hashlib.sha256(prefix)
    digest.update(canonical(json.loads(text)))
    return digest.hexdigest()


for name, canonical in [("PyPI rfc8785 + hashlib", rfc8785.dumps), ("PyPI jcs + hashlib", jcs.canonicalize)]:
    for index in range(len(inputs) // 3):
        path, rounds, times = inputs[index * 3 : index * 3 + 3]
        with open(path, encoding="utf-8") as file:
            text = file.read()
        best = float("inf")
        for _ in range(int(rounds)):
            start = time.perf_counter_ns()
            for _ in range(int(times)):
                key(canonical, text)
            best = min(best, (time.perf_counter_ns() - start) / int(times))
        print(name, index, round(best), key(canonical, text), sep="\t")
