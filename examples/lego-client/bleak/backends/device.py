class BLEDevice:
    """A name for annotations."""
