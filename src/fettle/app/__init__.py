"""Use-cases and state, without HTTP: what the service, the command line and the agent tools do."""
