"""From the base mesh to bounded edges, without the kernel."""
