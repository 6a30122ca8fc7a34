"""Says of instances whether the PyPI package jsonschema finds them valid.

A line is `schema` or `instance`, and after tabs a name and a JSON text. Only instances are answered, with
`true` or `false`. Schemas count as 2020-12, whatever they say; formats are not asserted.
"""

import json
import sys

from jsonschema import Draft202012Validator

validators = {}


def compiled(text):
    schema = json.loads(text)
    schema.pop("$schema", None)
    return Draft202012Validator(schema)


for line in sys.stdin.buffer:
    kind, name, text = line.decode().split("\t")
    if kind == "schema":
        validators[name] = compiled(text)
    else:
        sys.stdout.write("true\n" if validators[name].is_valid(json.loads(text)) else "false\n")
