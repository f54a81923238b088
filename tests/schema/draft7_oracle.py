"""Checks every *.schema.json with the jsonschema package, an implementation other than the one dtbench uses.

usage: draft7_oracle.py SOURCE_ROOT    exit 77: the package is not installed (skipped)
"""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)

root = pathlib.Path(sys.argv[1])
paths = [path for folder in ("topologies", "reports", "tests/schema") for path in sorted((root / folder).rglob("*.schema.json"))]
faults = []
for path in paths:
    try:
        jsonschema.Draft7Validator.check_schema(json.loads(path.read_text()))
    except jsonschema.SchemaError as error:
        faults.append(f"{path}: {error.message} at {list(error.absolute_path)}")
print("\n".join(faults) or f"{len(paths)} schemas are sound")
sys.exit(1 if faults or not paths else 0)
