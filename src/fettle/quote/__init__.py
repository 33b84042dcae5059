"""Price of a part: the price model and the catalogs of materials, finishes and rates."""

from fettle.quote.catalog import Catalog, Finish, Material, PricingModel, RateCard, load_catalog, shipped_catalog
from fettle.quote.price import Geometry, Price, exact_geometry, price

__all__ = [
    "Catalog",
    "Finish",
    "Geometry",
    "Material",
    "Price",
    "PricingModel",
    "RateCard",
    "exact_geometry",
    "load_catalog",
    "price",
    "shipped_catalog",
]
