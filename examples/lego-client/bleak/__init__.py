"""Stands in for the package `bleak`: LEGO's example client, unmodified, talks to a hub on a serial port.

    gamebot simulate hub --link /tmp/hub
    git clone https://github.com/LEGO/spike-prime-docs
    yes | HUB=/tmp/hub PYTHONPATH=examples/lego-client python3 spike-prime-docs/examples/python/app.py

Bytes are the same on Bluetooth and USB; only the way to them differs.
"""

import asyncio
import os
import tty

SERVICE = "0000fd02-0000-1000-8000-00805f9b34fb"
END_OF_MESSAGE = 0x02


class Advertisement:
    service_uuids = [SERVICE]


class BleakScanner:
    @staticmethod
    async def find_device_by_filter(filterfunc, timeout):
        port = os.environ["HUB"]
        return port if os.path.exists(port) and filterfunc(port, Advertisement()) else None


class Service:
    def get_characteristic(self, uuid):
        return uuid


class Services:
    def get_service(self, uuid):
        return Service()


class BleakClient:
    services = Services()

    def __init__(self, device, disconnected_callback):
        self.port = device
        self.disconnected = disconnected_callback

    async def __aenter__(self):
        self.file = os.open(self.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.file)
        return self

    async def __aexit__(self, *_):
        os.close(self.file)

    async def start_notify(self, characteristic, callback):
        """Hands on whole messages, as the hub's notifications are: the client does not put pieces together."""
        waiting = bytearray()

        def on_bytes():
            try:
                read = os.read(self.file, 4096)
            except OSError:
                read = b""
            if not read:
                asyncio.get_running_loop().remove_reader(self.file)
                return self.disconnected(self)
            for byte in read:
                waiting.append(byte)
                if byte == END_OF_MESSAGE:
                    callback(characteristic, bytearray(waiting))
                    waiting.clear()

        asyncio.get_running_loop().add_reader(self.file, on_bytes)

    async def write_gatt_char(self, characteristic, data, response):
        os.write(self.file, data)
