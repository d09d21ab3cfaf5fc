class BleakGATTCharacteristic:
    """A name for annotations."""
