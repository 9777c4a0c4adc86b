"""The airports that the airline flies to, and their cities: names and order as τ-bench lists them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CITIES: Mapping[str, str] = MappingProxyType(
    {
        "SFO": "San Francisco",
        "JFK": "New York",
        "LAX": "Los Angeles",
        "ORD": "Chicago",
        "DFW": "Dallas",
        "DEN": "Denver",
        "SEA": "Seattle",
        "ATL": "Atlanta",
        "MIA": "Miami",
        "BOS": "Boston",
        "PHX": "Phoenix",
        "IAH": "Houston",
        "LAS": "Las Vegas",
        "MCO": "Orlando",
        "EWR": "Newark",
        "CLT": "Charlotte",
        "MSP": "Minneapolis",
        "DTW": "Detroit",
        "PHL": "Philadelphia",
        "LGA": "LaGuardia",
    }
)
