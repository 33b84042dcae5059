"""An example of every answer that the API documentation shows."""

from __future__ import annotations

from typing import Any

from fettle.app.kernel_tasks.stages import PROGRESS, READING
from fettle.app.work.attempts import STARTED, log_line

EXAMPLES: dict[str, dict[str, Any]] = {
    "Converted": {
        "geometry": {
            "volume_cm3": 69.644,
            "surface_area_cm2": 115.854,
            "bounding_box": {"x_mm": 60.0, "y_mm": 40.0, "z_mm": 30.0},
        },
        "glb_url": "https://fettle.example/files/previews/Br-EporoEmNe7JqPQUSLfQ/preview.glb",
        "glb_base64": "Z2xURgIAAAA...",
    },
    "QuickInfo": {
        "geometry": {
            "volume_cm3": 69.644,
            "surface_area_cm2": 115.854,
            "bounding_box_mm": {"x": 60.0, "y": 40.0, "z": 30.0},
        },
        "glb_url": "https://fettle.example/files/previews/Br-EporoEmNe7JqPQUSLfQ/preview.glb",
        "stats": {"n_features": 7, "n_vertices": 216, "n_triangles": 208},
    },
    "Materials": {
        "materials": [
            {
                "id": "b3cd5540-79c7-4e4f-867c-e0444d03ada6",
                "name": "Aluminium A356",
                "description": "AlSi7Mg.",
                "density_kg_m3": 2670.0,
                "cost_per_kg": 4.5,
                "currency": "USD",
                "maximum_part_size_mm": "300mm x 195mm x 290mm",
            }
        ],
        "currency": "USD",
    },
    "PostProcessingOptions": {
        "post_processing_options": [
            {
                "id": "5f0c58c4-6f3d-4a0e-9c55-1f6d3c1a2b3c",
                "name": "Sandblast",
                "description": "Removes scale.",
                "pricing_model": "per_part",
                "cost_per_unit": 4.0,
                "currency": "USD",
                "lead_time_days": 1,
            }
        ],
        "currency": "USD",
    },
    "QuoteAnswer": {
        "quote": {
            "id": "b4b72b8b-6a9b-4afa-a91b-f2f03ec2fd94",
            "status": "draft",
            "unit_price": 57.49,
            "total_price": 574.9,
            "currency": "USD",
            "breakdown": {
                "metal_cost": 39.36,
                "shell_cost": 112.72,
                "labor_cost": 249.53,
                "post_processing_cost": 22.0,
                "margin": 151.29,
            },
            "lead_time_days": 13,
            "rate_card_version": "2026-01",
            "file_name": "bracket.step",
            "geometry": {
                "volume_cm3": 25.0,
                "surface_area_cm2": 110.0,
                "bounding_box": {"x_mm": 60.0, "y_mm": 40.0, "z_mm": 30.0},
            },
            "material_id": "b3cd5540-79c7-4e4f-867c-e0444d03ada6",
            "quantity": 10,
            "post_processing_option_ids": [],
            "created_at": "2026-11-15T12:35:47+00:00",
            "analyses": [],
        }
    },
    "JobAccepted": {"job_id": "job_CMGbzIh1Gk-z__XjvjotwA", "status": "queued"},
    "Job": {
        "job_id": "job_CMGbzIh1Gk-z__XjvjotwA",
        "status": "running",
        "error": None,
        "filename": "bracket.step",
        "log": [log_line(0.0, STARTED), log_line(0.1, READING)],
        "created_at": "2026-11-15T12:55:09+00:00",
        "started_at": "2026-11-15T12:55:10+00:00",
        "finished_at": None,
        "expires_at": None,
        "progress": PROGRESS[READING],
        "attempts": 1,
        "quote_id": None,
    },
    "ModuleEntry": {
        "module_key": "mine",
        "configurations": [
            {
                "configuration_key": "steel",
                "result": {"overall_severity": "pass", "summary": {"pass": 1, "warning": 0, "fail": 0}, "rules": []},
            }
        ],
    },
}
