"""Files that are generated from the typed result and the registry of endpoints: `python -m codegen` writes them.

    docs/openapi.json               the OpenAPI document of the service
    docs/result.schema.json         the JSON Schema of an analysis result
    src/fettle/client/models.py     answers as pydantic models
    src/fettle/client/features.py   feature kinds as pydantic models
    src/fettle/client/operations.py one function per operation
    viewer/src/result.generated.ts  the result as TypeScript types

They are committed, and a test fails when one of them is stale.
"""
