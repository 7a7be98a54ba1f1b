"""Checks reports as JSON against docs/report.schema.json.

    check_schema.py SCHEMA FILE...
"""

import json
import sys

import jsonschema


def main():
    with open(sys.argv[1]) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    kernels = 0
    for path in sys.argv[2:]:
        with open(path) as file:
            document = json.load(file)
        for error in validator.iter_errors(document):
            where = "/".join(map(str, error.absolute_path))
            sys.exit(f"{path}: {where}: {error.message[:500]}")
        kernels += len(document["kernels"])
    print(f"{len(sys.argv) - 2} reports of {kernels} kernels are valid")


if __name__ == "__main__":
    main()
