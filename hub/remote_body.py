# Remote body: the computer thinks, the hub moves. Orders come through the tunnel (crates/devices/src/hub/tunnel.rs
# draws the packets); each is answered at once, carried out, and its end is reported. A number is never carried out
# twice. Motors stop when the computer is silent.

import hub
from hub import light_matrix, sound

PROTOCOL = 1
BEGUN = 1
DONE = 2
FAILED = 3
READY = 4
READY_EVERY = 500  # ms, until somebody answers
LISTEN_EVERY = 40  # ms

SET, HOME, GO, RAISE, READ, LOOK, DROP, ASK_FORCE, BEEP, SHOW, STOP = range(1, 12)

tunnel = hub.config["module_tunnel"]
arm = Arm()
inbox = []  # packets as they came; the callback must be short
waiting = []  # the order to be carried out next


def check(packet):
    low, high = 1, 0
    for byte in packet:
        low = (low + byte) % 255
        high = (high + low) % 255
    return bytes((low, high))


def send(number, state, values=b""):
    packet = bytes((number, state)) + values
    packet += check(packet)
    tunnel.send(packet)
    return packet


def word(value):
    return bytes((value & 255, value >> 8 & 255))


def signed(low, high):
    value = low | high << 8
    return value - 65536 if value > 32767 else value


class Desk:
    """Which order is under way, and what was said about it last."""

    def __init__(self):
        self.number = 0
        self.said = b""
        self.working = False
        self.force = 0  # the most since the last question: a short press must not fall between two of them

    def say(self, number, state, values=b""):
        if number == self.number:
            self.said = send(number, state, values)


    def feel(self):
        try:
            self.force = max(self.force, arm.force())
        except OSError:
            pass  # Not plugged in: the question itself will say so.


desk = Desk()


async def listen():
    """Takes in packets, repeats answers, and watches for silence."""
    heard = time.ticks_ms()
    told = time.ticks_ms() - READY_EVERY
    while True:
        while inbox:
            packet = inbox.pop(0)
            if len(packet) < 4 or check(packet[:-2]) != packet[-2:]:
                continue
            heard = time.ticks_ms()
            number = packet[0]
            if number == desk.number:
                tunnel.send(desk.said)
                continue
            desk.number = number
            if desk.working:
                arm.halt(STOPPED)
            waiting[:] = [packet[:-2]]
            desk.say(number, BEGUN)
        desk.feel()
        now = time.ticks_ms()
        if desk.working and time.ticks_diff(now, heard) > numbers[WATCHDOG]:
            arm.halt(SILENCE)
        if desk.number == 0 and time.ticks_diff(now, told) >= READY_EVERY:
            told = now
            send(0, READY, bytes((PROTOCOL,)))
        await runloop.sleep_ms(LISTEN_EVERY)


async def work():
    """Carries out one order after the other."""
    while True:
        while not waiting:
            await runloop.sleep_ms(LISTEN_EVERY)
        order = waiting.pop()
        desk.working = True
        arm.halted = 0
        try:
            desk.say(order[0], DONE, await carry_out(order[1], order[2:]))
        except Trouble as trouble:
            desk.say(order[0], FAILED, bytes(trouble.args))
        except OSError:
            arm.halt(STOPPED)
            desk.say(order[0], FAILED, bytes((UNPLUGGED,)))
        except Exception as problem:
            arm.halt(STOPPED)
            print("order", order[1], repr(problem))
            desk.say(order[0], FAILED, bytes((MISUNDERSTOOD,)))
        desk.working = False


def reading(color, rgbi):
    return bytes((color & 255,)) + b"".join([word(value) for value in rgbi])


async def carry_out(code, given):
    if code == SET:
        numbers[given[0]] = signed(given[1], given[2])
    elif code == HOME:
        return word(await arm.home())
    elif code == GO:
        await arm.turn(arm.to_column(given[0]))
    elif code == RAISE:
        await arm.turn(arm.to_row(given[0]))
    elif code == READ:
        return reading(*await arm.read())
    elif code == LOOK:
        return reading(*await arm.look(given[0], given[1]))
    elif code == DROP:
        await arm.drop()
    elif code == ASK_FORCE:
        force, desk.force = max(desk.force, arm.force()), 0
        return bytes((force,))
    elif code == BEEP:
        hertz, ms = signed(given[0], given[1]), signed(given[2], given[3])
        sound.beep(hertz, ms, 100)
        await arm.pause(ms)
    elif code == SHOW:
        light_matrix.show(list(given[:25]))
    elif code == STOP:
        arm.halt(0)
    else:
        raise ValueError(code)
    return b""


tunnel.callback(lambda packet: inbox.append(bytes(packet)))
print("remote body, protocol", PROTOCOL)
runloop.run(listen(), work())
