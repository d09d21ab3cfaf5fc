# The modules of a SPIKE 3 hub, on simulated hardware. Every call that touches hardware is one line to the simulator and
# one line back; what moves in time is read from the snapshot that the last wait brought.
import sys
from binascii import hexlify, unhexlify

from _wire import exchange

PORTS = 6
ENODEV = 19


class Module:
    """Stands in sys.modules like any other."""

    def __init__(self, **names):
        for name in names:
            setattr(self, name, names[name])


class Hardware:
    """What was last heard of the hardware."""

    def __init__(self):
        self.now = 0  # µs
        self.motors = [""] * PORTS  # as they came: most are never asked for
        self.devices = [0] * PORTS
        self.force = 0
        self.left = self.right = 0  # how long a button has been pressed, ms
        self.tunnel = None  # the program's callback
        self.work = 0  # loop passes and calls since the last line
        self.collected = False  # the program has collected its garbage

    def ask(self, line):
        work, self.work = self.work, 0
        answer = exchange(str(work) + " " + line)
        if answer[0] == "!":
            raise OSError(ENODEV)
        return answer

    def wait(self, until):
        """Lets time pass until that µs, or until something comes through the tunnel."""
        self.motors = self.ask("wait " + str(until)).split(";")
        now, force, left, right = self.motors.pop(0).split()
        self.now, self.force, self.left, self.right = int(now), int(force), int(left), int(right)
        packets = self.motors.pop()
        if packets and self.tunnel:
            for packet in packets.split():
                self.tunnel(unhexlify(packet))

    def motor(self, port, which):
        """Position (0), speed (1), position since the hub was switched on (2) or status (3)."""
        if not 0 <= port < PORTS or self.devices[port] != 1:
            raise OSError(ENODEV)
        return int(self.motors[port].split()[which])


hardware = Hardware()


def _work():
    """Called at every loop pass and function call of the program: what an interpreter's work is counted by."""
    hardware.work += 1
    if hardware.work >= 2000:
        hardware.ask("work")


# Time and the run loop.

class Wait:
    """Suspends a task until a moment or until a condition holds."""

    def __init__(self, until=None, condition=None):
        self.until = until
        self.condition = condition

    def __iter__(self):
        yield self
        return self.result()

    __await__ = __iter__

    def result(self):
        return None

    def over(self):
        if self.condition is not None and self.condition():
            return True
        return self.until is not None and hardware.now >= self.until


def sleep_ms(ms):
    return Wait(hardware.now + int(ms * 1000))


def until(function, timeout=0):
    return Wait(hardware.now + timeout * 1000 if timeout else None, function)


class Unwound(BaseException):
    """Leaves the program once its run loop has begun. MicroPython in WebAssembly can collect garbage only while no
    program is being called, so the loop is stepped from outside."""


waits = []  # tasks of the run loop, each with what it waits for


def run(*tasks):
    waits[:] = [[task, None] for task in tasks]
    raise Unwound


def step():
    """Runs the loop until time has passed once; whether it goes on."""
    passed = False
    while waits and not passed:
        progress = False
        for entry in waits[:]:
            if entry[1] is None or entry[1].over():
                progress = True
                try:
                    entry[1] = entry[0].send(None)
                except StopIteration:
                    waits.remove(entry)
        if not progress:
            moment = hardware.now + 10000 if any(e[1].condition for e in waits) else None
            for entry in waits:
                if entry[1].until is not None:
                    moment = entry[1].until if moment is None else min(moment, entry[1].until)
            hardware.wait(moment)
            passed = True
    return bool(waits)


def block(us):
    """Sleeps as `time` does: nothing else runs."""
    end = hardware.now + us
    while hardware.now < end:
        hardware.wait(end)


def refresh():
    """The time, after the work done so far; work of less than a millisecond is not worth a question."""
    if hardware.work >= 40:
        hardware.wait(0)
    return hardware.now


_time = Module(
    sleep=lambda s: block(int(s * 1000000)),
    sleep_ms=lambda ms: block(ms * 1000),
    sleep_us=lambda us: block(us),
    ticks_ms=lambda: refresh() // 1000,
    ticks_us=lambda: refresh(),
    ticks_diff=lambda a, b: a - b,
    ticks_add=lambda a, b: a + b,
    time=lambda: refresh() // 1000000,
)


# Motors.

class Turning(Wait):
    def __init__(self, port):
        Wait.__init__(self, condition=lambda: hardware.motor(port, 3) != 1)
        self.port = port

    def result(self):
        return hardware.motor(self.port, 3)


def command(line, port):
    """Gives a motor an order; what it does from now on is read again."""
    hardware.motor(port, 0)
    hardware.ask(line)
    hardware.wait(0)
    return Turning(port)


def to_position(port, position, velocity, **_):
    return command("turn %d %d %d" % (port, position, abs(velocity)), port)


def for_degrees(port, degrees, velocity, **_):
    if velocity < 0:
        degrees, velocity = -degrees, -velocity
    return to_position(port, hardware.motor(port, 0) + degrees, velocity)


def motor_run(port, velocity, **_):
    command("run %d %d" % (port, velocity), port)


def motor_stop(port, **_):
    command("stop %d" % port, port)


def reset(port, position):
    command("reset %d %d" % (port, position), port)


_motor = Module(
    READY=0, RUNNING=1, STALLED=2, CANCELLED=3, ERROR=4, DISCONNECTED=5,
    COAST=0, BRAKE=1, HOLD=2, CONTINUE=3, SMART_COAST=4, SMART_BRAKE=5,
    CLOCKWISE=0, COUNTERCLOCKWISE=1, SHORTEST_PATH=2, LONGEST_PATH=3,
    run=motor_run, run_for_degrees=for_degrees, run_to_relative_position=to_position,
    stop=motor_stop, reset_relative_position=reset,
    relative_position=lambda port: hardware.motor(port, 0),
    velocity=lambda port: hardware.motor(port, 1),
    absolute_position=lambda port: (hardware.motor(port, 2) + 180) % 360 - 180,
)


# Sensors.

def color_of(port):
    return [int(value) for value in hardware.ask("color %d" % port).split()]


def force_of(port):
    if not 0 <= port < PORTS or hardware.devices[port] != 3:
        raise OSError(ENODEV)
    refresh()
    return hardware.force


_color_sensor = Module(
    color=lambda port: color_of(port)[0],
    rgbi=lambda port: tuple(color_of(port)[1:5]),
    reflection=lambda port: color_of(port)[4] * 100 // 1023,
)
_force_sensor = Module(force=force_of, pressed=lambda port: force_of(port) > 0, raw=force_of)
_color = Module(BLACK=0, MAGENTA=1, PURPLE=2, BLUE=3, AZURE=4, TURQUOISE=5, GREEN=6, YELLOW=7, ORANGE=8, RED=9,
                WHITE=10, UNKNOWN=-1)


# The hub itself.

def beep(freq=440, duration=500, volume=100, **_):
    hardware.ask("beep %d %d %d" % (freq, duration, volume))
    return Wait(hardware.now + duration * 1000)


class Lights:
    def __init__(self):
        self.pixels = [0] * 25

    def show(self, pixels):
        self.pixels = list(pixels)
        hardware.ask("show " + " ".join([str(int(value)) for value in self.pixels]))

    def clear(self):
        self.show([0] * 25)

    def set_pixel(self, x, y, intensity):
        self.pixels[x + 5 * y] = intensity
        self.show(self.pixels)

    def get_pixel(self, x, y):
        return self.pixels[x + 5 * y]

    def show_image(self, image):
        self.show([image] * 25)

    def write(self, text, intensity=100, time_per_character=500):
        hardware.ask("write " + hexlify(str(text).encode()).decode())
        return Wait(hardware.now + len(str(text)) * time_per_character * 1000)


def pressed(button):
    refresh()
    return hardware.left if button == 1 else hardware.right


def listen(function):
    hardware.tunnel = function


def printed(*values, sep=" ", end="\n", **_):
    hardware.ask("print " + hexlify((sep.join([str(value) for value in values]) + end).encode()).decode())


_port = Module(A=0, B=1, C=2, D=3, E=4, F=5)
_hub = Module(
    port=_port,
    sound=Module(beep=beep, stop=lambda: hardware.ask("beep 0 0 0"), volume=lambda value: None),
    light_matrix=Lights(),
    light=Module(POWER=0, CONNECT=1, color=lambda light, color: None),
    button=Module(LEFT=1, RIGHT=2, pressed=pressed),
    config={"module_tunnel": Module(
        callback=listen, send=lambda packet: hardware.ask("tunnel " + hexlify(packet).decode()) and None)},
)

sys.modules["time"] = _time
sys.modules["motor"] = _motor
sys.modules["color_sensor"] = _color_sensor
sys.modules["force_sensor"] = _force_sensor
sys.modules["color"] = _color
sys.modules["runloop"] = Module(run=run, sleep_ms=sleep_ms, until=until)
sys.modules["hub"] = _hub


def collect():
    hardware.collected = True
    gc.collect()


def guarded(function):
    """Calls it; says so if the program ends by a mistake. Whether the program goes on."""
    try:
        return function()
    except Unwound:
        return True
    except SystemExit:
        return False
    except BaseException as problem:
        text = io.StringIO()
        sys.print_exception(problem, text)
        hardware.ask("died " + hexlify(text.getvalue().encode()).decode())
        return False


def start():
    """Runs the program up to its run loop; whether it has one."""
    return guarded(lambda: exec(_program, {"__name__": "__main__", "print": printed, "_work": _work}))


def go_on():
    """Runs the program until time has passed once: 0 if it has ended, 1 if it goes on, 2 if it has collected its garbage
    as well."""
    if not guarded(step):
        return 0
    collected, hardware.collected = hardware.collected, False
    return 2 if collected else 1


def live():
    """What the program itself keeps in memory, in bytes. Garbage is gone only once the program's call has returned."""
    return gc.mem_alloc() - kept_by_modules


import gc
import io

sys.modules["gc"] = Module(collect=collect, mem_free=gc.mem_free, mem_alloc=gc.mem_alloc, threshold=gc.threshold)
hardware.devices = [int(kind) for kind in hardware.ask("devices").split()]
hardware.wait(0)
gc.threshold(200000)
gc.collect()
kept_by_modules = gc.mem_alloc()
