"""What every model of an answer shares."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """Immutable; fields that the service adds later are kept, not refused."""

    model_config = ConfigDict(extra="allow", frozen=True, validate_by_name=True, serialize_by_alias=True)


class OtherFeature(Answer):
    """A feature of a kind that this version of the client does not know; its dimensions are kept as they came."""

    fid: str
    kind: str
    related_fids: list[str]
