"""Price of a part: the price model and the catalogs of materials, finishes and rates."""

from fettle.quote.catalog import Catalog, Finish, Material, PricingModel, RateCard, load_catalog, shipped_catalog
from fettle.quote.pieces import AssemblyPiece, AssemblyPrice, PricedPiece, price_pieces
from fettle.quote.price import Geometry, Price, exact_geometry, price

__all__ = [
    "AssemblyPiece",
    "AssemblyPrice",
    "Catalog",
    "Finish",
    "Geometry",
    "Material",
    "Price",
    "PricedPiece",
    "PricingModel",
    "RateCard",
    "exact_geometry",
    "load_catalog",
    "price",
    "price_pieces",
    "shipped_catalog",
]
