"""Whether a pydantic model accepts each line of JSON; how it is called: judges.rs."""
import importlib.util
import sys

import pydantic

path, name = sys.argv[1:]
spec = importlib.util.spec_from_file_location("types_of_the_trap", path)
module = importlib.util.module_from_spec(spec)
sys.modules["types_of_the_trap"] = module
spec.loader.exec_module(module)
model = getattr(module, name)

for line in sys.stdin:
    try:
        model.model_validate_json(line)
        print("true")
    except pydantic.ValidationError:
        print("false")
