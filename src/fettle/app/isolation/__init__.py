"""Children that may crash, hang or swell without harm to anybody else."""
