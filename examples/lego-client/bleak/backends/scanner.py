class AdvertisementData:
    """A name for annotations."""
