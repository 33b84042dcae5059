"""Use-cases and state, no HTTP. Its log goes where the program that uses it says, and nowhere otherwise."""

import logging

logging.getLogger(__name__).addHandler(logging.NullHandler())
