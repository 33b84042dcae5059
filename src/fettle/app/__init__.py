"""Use-cases and state, without HTTP: what the service, the command line and the agent tools do.

Its log goes where the program that uses it says, and nowhere otherwise.
"""

import logging

logging.getLogger(__name__).addHandler(logging.NullHandler())
