"""Checks of a simulated Brick Daemon with Tinkerforge's own bindings: bindings.py relays|authentication PORT…"""

import queue
import sys

from tinkerforge.brick_master import BrickMaster
from tinkerforge.bricklet_industrial_quad_relay import BrickletIndustrialQuadRelay as Relay
from tinkerforge.bricklet_industrial_quad_relay_v2 import BrickletIndustrialQuadRelayV2 as RelayV2
from tinkerforge.ip_connection import Error, IPConnection

MASTER, FIRST, SECOND = "6JKbWn", "mTA", "mTC"


def connect(port):
    connection = IPConnection()
    connection.set_auto_reconnect(False)
    connection.connect("127.0.0.1", port)
    return connection


def enumerate_devices(connection):
    found = queue.Queue()
    connection.register_callback(IPConnection.CALLBACK_ENUMERATE, lambda *device: found.put(device))
    connection.enumerate()
    devices = [found.get(timeout=10) for _ in range(3)]
    return {device[0]: device for device in devices}


def relays(port):
    connection = connect(port)
    devices = enumerate_devices(connection)
    assert devices[MASTER][1:3] == ("0", "0") and devices[MASTER][5] == 13, devices
    assert devices[FIRST][1:3] == (MASTER, "a") and devices[FIRST][5] == Relay.DEVICE_IDENTIFIER, devices
    assert devices[SECOND][1:3] == (MASTER, "b") and devices[SECOND][5] == RelayV2.DEVICE_IDENTIFIER, devices

    master = BrickMaster(MASTER, connection)
    assert master.get_identity().uid == MASTER
    assert 4500 < master.get_usb_voltage() < 5500

    first = Relay(FIRST, connection)
    assert tuple(first.get_identity()) == (FIRST, MASTER, "a", (1, 0, 0), (2, 0, 0), 225)
    first.set_response_expected_all(True)
    first.set_value(0b1010)
    assert first.get_value() == 0b1010
    first.set_selected_values(0b0011, 0b0001)
    assert first.get_value() == 0b1001
    done = queue.Queue()
    first.register_callback(Relay.CALLBACK_MONOFLOP_DONE, lambda *what: done.put(what))
    first.set_monoflop(0b0100, 0b0100, 40)
    assert first.get_monoflop(2).time == 40
    assert done.get(timeout=10) == (0b0100, 0)
    assert first.get_value() == 0b1001
    assert first.get_group() == ("n", "n", "n", "n")
    try:
        first.get_monoflop(9)
        raise AssertionError("pin 9 does not exist")
    except Error as error:
        assert error.value == Error.INVALID_PARAMETER, error

    second = RelayV2(SECOND, connection)
    assert second.get_identity().device_identifier == 2102
    second.set_response_expected_all(True)
    second.set_value([True, False, True, False])
    assert tuple(second.get_value()) == (True, False, True, False)
    second.set_selected_value(0, False)
    second.register_callback(RelayV2.CALLBACK_MONOFLOP_DONE, lambda *what: done.put(what))
    second.set_monoflop(3, True, 40)
    assert second.get_monoflop(3).value
    assert done.get(timeout=10) == (3, False)
    assert tuple(second.get_value()) == (False, False, True, False)
    assert second.get_channel_led_config(1) == RelayV2.CHANNEL_LED_CONFIG_SHOW_CHANNEL_STATUS
    assert second.read_uid() > 1
    connection.disconnect()


def refused(connection, call):
    connection.set_timeout(0.5)
    try:
        call()
        raise AssertionError("was let in")
    except Error as error:
        assert error.value in (Error.TIMEOUT, Error.NOT_CONNECTED), error


def authentication(guarded, open_port):
    connection = connect(guarded)
    connection.authenticate("open sesame")
    assert Relay(FIRST, connection).get_value() == 0
    assert len(enumerate_devices(connection)) == 3
    connection.disconnect()

    wrong = connect(guarded)
    refused(wrong, lambda: wrong.authenticate("open barley"))

    silent = connect(guarded)
    refused(silent, Relay(FIRST, silent).get_value)

    needless = connect(open_port)
    refused(needless, lambda: needless.authenticate("open sesame"))


if __name__ == "__main__":
    {"relays": relays, "authentication": authentication}[sys.argv[1]](*map(int, sys.argv[2:]))
