# Stand-alone robot: plays Connect Four on the hub alone, without a computer.
#
# The computer that uploads it sets the numbers of the arm, MY_COLOR ("R" or "Y") and I_BEGIN (True: the robot, False: the other,
# None: the board tells) in the lines before these. Until the first press of the force sensor the left button changes the
# colour, the right one who begins (? the board tells, 1 the robot, 2 the other). Every press starts one turn.

import gc
from array import array

from hub import button, light_matrix, sound

THINK_MS = 9000  # a turn of 90 s needs most of its time for driving
PRESSED = 30  # tenths of a newton
LOOKS = 3  # times around the board before a person is asked
PUSHES = 3  # tries to drop a disc before a person is asked
RED_NAMES = (9, 2, 1)  # the sensor's names for red: red, purple, magenta
YELLOW_NAMES = (7, 10, 6)  # yellow, white, green
ME, OTHER = 0, 1

HELP, WON, LOST, DRAWN, ATTENTION = 2000, 880, 220, 440, 660  # hertz

# ---- Rules and search. A window is four cells in a row; a cell's number is column * ROWS + row.

WORTH = (0, 1, 4, 16, 0)  # a window with so many discs of one side and none of the other
WIN = 10000
TABLE = 2048  # places of the transposition table
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
CENTER_FIRST = (3, 2, 4, 1, 5, 0, 6)


def make_windows():
    through = [[] for _ in range(COLUMNS * ROWS)]
    count = 0
    for column in range(COLUMNS):
        for row in range(ROWS):
            for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if column + 3 * across < COLUMNS and 0 <= row + 3 * up < ROWS:
                    for step in range(4):
                        through[(column + step * across) * ROWS + row + step * up].append(count)
                    count += 1
    return [bytes(windows) for windows in through], count


class Game:
    """A position that can be played forward and back, and searched."""

    def __init__(self):
        self.through, self.windows = make_windows()
        self.keys = array("i", [0] * TABLE)
        self.values = array("h", [0] * TABLE)
        self.depths = bytearray(TABLE)
        self.bounds = bytearray(TABLE)
        self.numbers = array("i", [0] * (2 * COLUMNS * ROWS))
        number = 12345
        for index in range(len(self.numbers)):
            # Xorshift, kept to 30 bits: larger numbers would each need memory of their own.
            number ^= number << 7 & 0x3FFFFFFF
            number ^= number >> 9
            number ^= number << 8 & 0x3FFFFFFF
            self.numbers[index] = number
        self.clear()

    def clear(self):
        self.heights = bytearray(COLUMNS)
        self.cells = bytearray(COLUMNS * ROWS)  # 0 empty, 1 mine, 2 the other's
        self.counts = (bytearray(self.windows), bytearray(self.windows))
        self.discs = 0
        self.key = 0
        self.score = 0  # for ME
        self.winner = None

    def play(self, column, side):
        """Drops a disc; true if it wins."""
        cell = column * ROWS + self.heights[column]
        self.heights[column] += 1
        self.cells[cell] = side + 1
        self.discs += 1
        self.key ^= self.numbers[2 * cell + side]
        own, their = self.counts[side], self.counts[1 - side]
        gain = 0
        won = False
        for window in self.through[cell]:
            count = own[window]
            own[window] = count + 1
            if their[window] == 0:
                gain += WORTH[count + 1] - WORTH[count]
                if count == 3:
                    won = True
            elif count == 0:
                gain += WORTH[their[window]]
        self.score += gain if side == ME else -gain
        return won

    def undo(self, column, side):
        self.heights[column] -= 1
        cell = column * ROWS + self.heights[column]
        self.cells[cell] = 0
        self.discs -= 1
        self.key ^= self.numbers[2 * cell + side]
        own, their = self.counts[side], self.counts[1 - side]
        gain = 0
        for window in self.through[cell]:
            count = own[window] - 1
            own[window] = count
            if their[window] == 0:
                gain += WORTH[count + 1] - WORTH[count]
            elif count == 0:
                gain += WORTH[their[window]]
        self.score -= gain if side == ME else -gain

    def is_full(self):
        return self.discs == COLUMNS * ROWS

    def search(self, depth, alpha, beta, side):
        """The value for `side`, which moves: exact inside the window, a bound outside. 0 once time is up."""
        self.nodes += 1
        if self.nodes & 31 == 0 and time.ticks_diff(time.ticks_ms(), self.stop_at) >= 0:
            self.out_of_time = self.depth_done >= self.least
        if self.out_of_time or self.is_full():
            return 0
        if depth == 0:
            return self.score if side == ME else -self.score
        place = (self.key ^ side) % TABLE
        if self.keys[place] == self.key and self.depths[place] == depth:
            value, bound = self.values[place], self.bounds[place]
            if bound == EXACT or bound == AT_LEAST and value >= beta or bound == AT_MOST and value <= alpha:
                return value
        best, bound = -WIN - 100, AT_MOST
        for column in CENTER_FIRST:
            if self.heights[column] == ROWS:
                continue
            if self.play(column, side):
                value = WIN - self.discs
            else:
                value = -self.search(depth - 1, -beta, -alpha, 1 - side)
            self.undo(column, side)
            if value > best:
                best = value
            if value > alpha:
                alpha, bound = value, EXACT
            if alpha >= beta:
                bound = AT_LEAST
                break
        if not self.out_of_time:
            self.keys[place], self.values[place] = self.key, best
            self.depths[place], self.bounds[place] = depth, bound
        return best

    def best_column(self):
        """Deeper and deeper until time is up; at least as deep as 3 (4 once the board fills)."""
        self.stop_at = time.ticks_add(time.ticks_ms(), THINK_MS)
        self.least = 3 if self.discs < 12 else 4
        self.nodes, self.depth_done, self.out_of_time = 0, 0, False
        order = [column for column in CENTER_FIRST if self.heights[column] < ROWS]
        chosen = order[0]
        for depth in range(1, COLUMNS * ROWS - self.discs + 1):
            best, best_value = None, -WIN - 100
            for column in order:
                if self.play(column, ME):
                    value = WIN - self.discs
                else:
                    value = -self.search(depth - 1, -WIN - 100, -best_value, OTHER)
                self.undo(column, ME)
                if self.out_of_time:
                    break
                if value > best_value:
                    best, best_value = column, value
            if self.out_of_time:
                break
            chosen = best
            order.remove(best)
            order.insert(0, best)  # the best one first: more is cut off
            self.depth_done = depth
            if abs(best_value) > WIN - 100:
                break  # decided
        return chosen


# ---- The robot.


class Robot:
    def __init__(self):
        self.arm = Arm()
        self.game = Game()
        self.my_names, self.their_names = RED_NAMES, YELLOW_NAMES
        if MY_COLOR == "Y":
            self.my_names, self.their_names = YELLOW_NAMES, RED_NAMES
        self.begins = I_BEGIN
        self.looks = 0  # at cells, in this turn
        self.has_seen = False  # the other's disc of this turn; a blocked motor must not make us look for a second one

    async def choose(self):
        """Colour and who begins, by the hub's buttons, until the force sensor is pressed."""
        while not self.is_pressed():
            if button.pressed(button.LEFT):
                self.my_names, self.their_names = self.their_names, self.my_names
                await self.released(button.LEFT)
            if button.pressed(button.RIGHT):
                self.begins = {None: True, True: False, False: None}[self.begins]
                await self.released(button.RIGHT)
            await runloop.sleep_ms(50)

    async def released(self, which):
        self.say_settings()
        while button.pressed(which):
            await runloop.sleep_ms(20)

    def say_settings(self):
        color = "R" if self.my_names is RED_NAMES else "Y"
        who = {None: "?", True: "1", False: "2"}[self.begins]
        print("colour", color, "begins", who)
        light_matrix.write(color + who)

    def is_pressed(self):
        try:
            return self.arm.force() > PRESSED
        except OSError:
            return False

    async def wait_for_press(self):
        while self.is_pressed():
            await runloop.sleep_ms(50)
        while not self.is_pressed():
            await runloop.sleep_ms(50)

    def show(self, last):
        """The part of the board around the last disc: mine bright, the other's dim."""
        left = min(max(last - 2, 0), COLUMNS - 5)
        bottom = min(max(self.game.heights[last] - 4, 0), ROWS - 5)
        lights = []
        for up in range(4, -1, -1):
            for across in range(5):
                lights.append((0, 100, 40)[self.game.cells[(left + across) * ROWS + bottom + up]])
        light_matrix.show(lights)

    async def call(self, words):
        """Asks a person for help and waits for the press that says it was given."""
        print("HELP:", words)
        sound.beep(HELP, 1000, 100)
        await runloop.sleep_ms(1000)
        await self.wait_for_press()

    async def look(self, column, row):
        self.looks += 1
        color, _ = await self.arm.look(column, row)
        return color

    async def is_theirs(self, column, row):
        """Whether the other's disc is in a cell: two looks from two sides must agree."""
        for look in range(2):
            color = await self.look(column, row)
            if color not in self.their_names:
                return False
            if look == 0:
                await self.arm.turn(self.arm.to_row(row - 1 if row > 0 else 1))
        return True

    async def find_disc(self):
        """The column of the new disc: first free cells only, from the near side, full columns skipped."""
        for column in range(COLUMNS):
            row = self.game.heights[column]
            if row < ROWS and await self.is_theirs(column, row):
                return column
        return None

    async def see_move(self):
        for _ in range(LOOKS):
            column = await self.find_disc()
            if column is not None or (self.game.discs == 0 and self.begins is None):
                return column
            await self.arm.home()  # The wheels may have slipped: start from the stop.
        return None

    async def drop(self, column):
        row = self.game.heights[column]
        while True:
            for _ in range(PUSHES):
                try:
                    await self.arm.turn(self.arm.to_column(column))
                    await self.arm.drop()
                except Trouble:
                    continue
                if await self.look(column, row) in self.my_names:
                    return
            await self.call("the disc is not in column " + str(column + 1))
            if await self.look(column, row) in self.my_names:
                return

    def announce(self, words, hertz):
        print(words)
        sound.beep(hertz, 800, 100)

    async def turn(self):
        """One turn; true if the game has ended."""
        game = self.game
        if not self.has_seen and not (game.discs == 0 and self.begins):
            column = await self.see_move()
            while column is None and (game.discs > 0 or self.begins is False):
                await self.arm.home()
                await self.call("no new disc found")
                column = await self.see_move()
            if column is not None:
                won = game.play(column, OTHER)
                print("other:", column + 1)
                if won or game.is_full():
                    await self.arm.home()
                    self.announce(*("I lost", LOST) if won else ("draw", DRAWN))
                    return True
        self.has_seen = True
        started = time.ticks_ms()
        column = game.best_column()
        print("me:", column + 1, "depth", game.depth_done, "nodes", game.nodes,
              "ms", time.ticks_diff(time.ticks_ms(), started))
        await self.drop(column)
        won = game.play(column, ME)
        self.has_seen = False
        self.show(column)
        await self.arm.home()
        print("turn", time.ticks_diff(time.ticks_ms(), self.pressed_at), "ms", self.looks, "looks")
        gc.collect()
        if won or game.is_full():
            self.announce(*("I won", WON) if won else ("draw", DRAWN))
            return True
        return False

    async def play(self):
        self.say_settings()
        await self.arm.home()
        await self.choose()
        self.begin_turn()
        while True:
            try:
                if await self.turn():
                    self.game.clear()
            except Trouble as trouble:
                await self.call("a motor is blocked (" + str(trouble.args[0]) + ")")
                continue
            await self.wait_for_press()
            self.begin_turn()

    def begin_turn(self):
        self.pressed_at = time.ticks_ms()
        self.looks = 0


runloop.run(Robot().play())
