"""Cutting speed, feed and time of milling, drilling and turning (Groover, Fundamentals of Modern Manufacturing)."""

from __future__ import annotations

import math


def spindle_rpm(speed_m_min: float, diameter_mm: float) -> float:
    """Revolutions per minute at a cutting speed: 1000 v / (pi D)."""
    return 1000.0 * speed_m_min / (math.pi * diameter_mm)


def table_feed_mm_min(rpm: float, teeth: int, chip_mm: float) -> float:
    """Feed of a mill whose teeth each take a chip of `chip_mm`."""
    return rpm * teeth * chip_mm


def peripheral_approach_mm(diameter_mm: float, depth_mm: float) -> float:
    """Way of a cutter of horizontal axis before it cuts to full depth: sqrt(d (D - d))."""
    return math.sqrt(depth_mm * (diameter_mm - depth_mm))


def face_approach_mm(diameter_mm: float, width_mm: float) -> float:
    """Way of a centered face mill before it cuts the full width: (D - sqrt(D^2 - w^2)) / 2."""
    return (diameter_mm - math.sqrt(diameter_mm * diameter_mm - width_mm * width_mm)) / 2.0


def cutting_min(length_mm: float, approach_mm: float, feed_mm_min: float) -> float:
    """Time of one pass in minutes."""
    return (length_mm + approach_mm) / feed_mm_min


def drill_approach_mm(diameter_mm: float, point_deg: float) -> float:
    """Height of a drill's point: D / 2 tan(90 - point / 2)."""
    return diameter_mm / 2.0 * math.tan(math.radians(90.0 - point_deg / 2.0))


def removal_mm3_min(axial_mm: float, radial_mm: float, feed_mm_min: float) -> float:
    """Volume that a mill removes in a minute."""
    return axial_mm * radial_mm * feed_mm_min


def turning_min(diameter_mm: float, length_mm: float, feed_mm_rev: float, speed_m_min: float) -> float:
    """Time in minutes of one pass along a diameter: pi D L / (f v)."""
    return math.pi * diameter_mm * length_mm / (feed_mm_rev * speed_m_min * 1000.0)


def turning_removal_mm3_min(speed_m_min: float, feed_mm_rev: float, depth_mm: float) -> float:
    """Volume that a turning tool removes in a minute: v f d."""
    return speed_m_min * 1000.0 * feed_mm_rev * depth_mm
