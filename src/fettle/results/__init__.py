"""The typed answer: every object that the library, the HTTP API, the command line and the agent's tools give back.

A record is a frozen dataclass. Each field is `Annotated[type, "meaning"]`, its unit is the suffix of its name, and
`to_dict()` gives the JSON object of the API with the same keys in the same order. OpenAPI, the JSON Schema, the
client's models and the viewer's TypeScript types are derived from these classes (`json_schema`, `make generate`).
Importing this package loads neither numpy nor the kernel.
"""

from fettle.results.analysis import (
    AnalysisResult,
    Artifacts,
    EncodedResult,
    JobResult,
    MeshSummary,
    UsedOptions,
)
from fettle.results.batches import Batch, BatchAccepted, BatchFile, BatchJob
from fettle.results.bodies import BodyContact, BodyEntry, BoughtPart, ListedBody
from fettle.results.errors import ErrorAnswer, ErrorDetail, QuotaErrorAnswer
from fettle.results.features import (
    Coverage,
    FeatureEntry,
    FeatureList,
    Manufacturability,
    PatternEntry,
    PullCandidate,
)
from fettle.results.file_description import FileDescription
from fettle.results.flat import FlatPattern
from fettle.results.jobs import Job, JobAccepted, JobPage, JobStatus
from fettle.results.json_text import encode
from fettle.results.part import (
    BoxSides,
    Conversion,
    FileStatistics,
    PartGeometry,
    PartStatistics,
    PieceToQuote,
    QuickInfo,
    QuotedBox,
    QuotedGeometry,
)
from fettle.results.pmi import (
    CallOutEntry,
    DatumEntry,
    DatumTargetEntry,
    DimensionEntry,
    GeneralToleranceEntry,
    NoteEntry,
    PmiCheck,
    PmiReport,
    ToleranceEntry,
)
from fettle.results.processes import RankedProcess
from fettle.results.quotes import (
    FinishEntry,
    FinishList,
    MaterialEntry,
    MaterialList,
    PriceBreakdown,
    PriceSummary,
    Quote,
    QuoteAnswer,
    QuotedAnalysis,
    QuotedBody,
    QuotePage,
)
from fettle.results.record import Record
from fettle.results.rules import ModuleSpecs, RightHandSide, RuleVocabulary
from fettle.results.turned import LiveTooling, ProfileSegment, TurnedAxis, TurnedGeometry, TurnedProfile
from fettle.results.verdicts import (
    Cause,
    ConfigurationVerdict,
    Finding,
    ModuleResult,
    ModuleResults,
    RuleResult,
    Severity,
    SeverityCounts,
    Verdict,
)
from fettle.results.webhooks import WebhookCall, WebhookCallList, WebhookCreated, WebhookEntry, WebhookList

__all__ = [
    "AnalysisResult",
    "Artifacts",
    "Batch",
    "BatchAccepted",
    "BatchFile",
    "BatchJob",
    "BodyContact",
    "BodyEntry",
    "BoughtPart",
    "BoxSides",
    "CallOutEntry",
    "Cause",
    "ConfigurationVerdict",
    "Conversion",
    "Coverage",
    "DatumEntry",
    "DatumTargetEntry",
    "DimensionEntry",
    "EncodedResult",
    "ErrorAnswer",
    "ErrorDetail",
    "FeatureEntry",
    "FeatureList",
    "FileDescription",
    "FileStatistics",
    "Finding",
    "FinishEntry",
    "FinishList",
    "FlatPattern",
    "GeneralToleranceEntry",
    "Job",
    "JobAccepted",
    "JobPage",
    "JobResult",
    "JobStatus",
    "ListedBody",
    "LiveTooling",
    "Manufacturability",
    "MaterialEntry",
    "MaterialList",
    "MeshSummary",
    "ModuleResult",
    "ModuleResults",
    "ModuleSpecs",
    "NoteEntry",
    "PartGeometry",
    "PartStatistics",
    "PatternEntry",
    "PieceToQuote",
    "PmiCheck",
    "PmiReport",
    "PriceBreakdown",
    "PriceSummary",
    "ProfileSegment",
    "PullCandidate",
    "QuickInfo",
    "QuotaErrorAnswer",
    "Quote",
    "QuoteAnswer",
    "QuotePage",
    "QuotedAnalysis",
    "QuotedBody",
    "QuotedBox",
    "QuotedGeometry",
    "RankedProcess",
    "Record",
    "RightHandSide",
    "RuleResult",
    "RuleVocabulary",
    "Severity",
    "SeverityCounts",
    "ToleranceEntry",
    "TurnedAxis",
    "TurnedGeometry",
    "TurnedProfile",
    "UsedOptions",
    "Verdict",
    "WebhookCall",
    "WebhookCallList",
    "WebhookCreated",
    "WebhookEntry",
    "WebhookList",
    "encode",
]
