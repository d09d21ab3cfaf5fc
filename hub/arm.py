# The robot's movements, for both programs: they are uploaded as this file and theirs in one piece.
#
#   x: along the board, 0 at the stop on the right, then the near column, then the others
#   y: the sensor's chain, 0 at the bottom row
#
# Every movement watches itself: a motor that does not move is a stall, and all of them can be stopped at any time.

import time

import color_sensor
import force_sensor
import motor
import runloop

COLUMNS = 7
ROWS = 6

# The numbers of the robot, in the order in which a computer may set them.
(DRIVE, LIFT, PUSH, COLOR, FORCE, APPROACH, COLUMN_STEP, ROW_STEP, PUSH_TURN,
 DRIVE_SPEED, LIFT_SPEED, PUSH_SPEED, SETTLE, WATCHDOG, FALL) = range(15)
numbers = [3, 4, 0, 1, 2, 198, 73, 97, -360, 230, 600, 500, 150, 3000, 1000]

POLL = 30  # ms between two looks at a motor
CLOSE = 6  # degrees that count as arrived
STANDING = 10  # degrees a second that count as not moving
STALL_AFTER = 450  # ms without moving
STOP_WITHIN = 15000  # ms to find the stop

STALLED = 1
UNPLUGGED = 2
NO_STOP = 3
STOPPED = 4
SILENCE = 5
MISUNDERSTOOD = 6


class Trouble(Exception):
    """A movement that did not end where it should; its argument is one of the codes above."""


class Arm:
    def __init__(self):
        self.halted = 0  # why everything must stop; 0 if nothing must
        self.lift_known = False

    def halt(self, why):
        """Stops all motors; whoever waits for one of them gets Trouble(why)."""
        self.halted = why
        for index in (DRIVE, LIFT, PUSH):
            try:
                motor.stop(numbers[index])
            except OSError:
                pass  # Not plugged in: it does not turn either.

    async def pause(self, ms):
        await runloop.sleep_ms(ms)
        if self.halted:
            raise Trouble(self.halted)

    async def turn(self, *moves):
        """Turns motors to positions, all at once: (port, degrees, speed) each."""
        waiting = []
        for port, target, speed in moves:
            if abs(motor.relative_position(port) - target) > CLOSE:
                motor.run_to_relative_position(port, target, speed)
                waiting.append([port, target, 0])
        while waiting:
            await self.pause(POLL)
            for move in waiting[:]:
                if abs(motor.velocity(move[0])) > STANDING:
                    move[2] = 0
                elif abs(motor.relative_position(move[0]) - move[1]) <= CLOSE:
                    waiting.remove(move)
                else:
                    move[2] += POLL
                    if move[2] > STALL_AFTER:
                        for port, _, _ in moves:
                            motor.stop(port)
                        raise Trouble(STALLED)

    async def until_blocked(self, port, speed):
        """Turns a motor until something blocks it."""
        motor.run(port, speed)
        standing = 0
        waited = 0
        while standing < STALL_AFTER:
            await self.pause(POLL)
            waited += POLL
            standing = standing + POLL if abs(motor.velocity(port)) <= STANDING else 0
            if waited > STOP_WITHIN:
                motor.stop(port)
                raise Trouble(NO_STOP)
        motor.stop(port)

    async def home(self):
        """Leaves the board to the right and finds the stop; tells what the wheels had slipped."""
        if self.lift_known:
            await self.turn((numbers[LIFT], 0, numbers[LIFT_SPEED]))
        else:
            await self.until_blocked(numbers[LIFT], -numbers[LIFT_SPEED] // 3)
            motor.reset_relative_position(numbers[LIFT], 0)
            self.lift_known = True
        await self.until_blocked(numbers[DRIVE], -numbers[DRIVE_SPEED])
        slip = motor.relative_position(numbers[DRIVE])
        motor.reset_relative_position(numbers[DRIVE], 0)
        return slip

    def to_column(self, column):
        x = numbers[APPROACH] + numbers[COLUMN_STEP] * column
        return (numbers[DRIVE], x, numbers[DRIVE_SPEED])

    def to_row(self, row):
        return (numbers[LIFT], numbers[ROW_STEP] * row, numbers[LIFT_SPEED])

    async def read(self):
        """The sensor's name of the colour, and red, green, blue and all light."""
        await self.pause(numbers[SETTLE])
        return color_sensor.color(numbers[COLOR]), color_sensor.rgbi(numbers[COLOR])

    async def look(self, column, row):
        await self.turn(self.to_column(column), self.to_row(row))
        return await self.read()

    async def drop(self):
        """Pushes one disc and waits until it has fallen; a blocked push is taken back."""
        start = motor.relative_position(numbers[PUSH])
        try:
            await self.turn((numbers[PUSH], start + numbers[PUSH_TURN], numbers[PUSH_SPEED]))
        except Trouble as trouble:
            if trouble.args[0] == STALLED:
                await self.turn((numbers[PUSH], start, numbers[PUSH_SPEED]))
            raise
        await self.pause(numbers[FALL])

    def force(self):
        return force_sensor.force(numbers[FORCE])
