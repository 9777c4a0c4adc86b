"""The airports that the airline flies to, and their cities."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CITIES: Mapping[str, str] = MappingProxyType(
    {
        "ATL": "Atlanta",
        "BOS": "Boston",
        "CLT": "Charlotte",
        "DEN": "Denver",
        "DFW": "Dallas",
        "DTW": "Detroit",
        "EWR": "Newark",
        "IAH": "Houston",
        "JFK": "New York",
        "LAS": "Las Vegas",
        "LAX": "Los Angeles",
        "LGA": "New York",
        "MCO": "Orlando",
        "MIA": "Miami",
        "MSP": "Minneapolis",
        "ORD": "Chicago",
        "PHL": "Philadelphia",
        "PHX": "Phoenix",
        "SEA": "Seattle",
        "SFO": "San Francisco",
    }
)
