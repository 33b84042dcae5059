"""Jobs and those who do them: queue, workers, heartbeats, attempts."""
