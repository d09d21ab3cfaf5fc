"""An independent reading of the SPIKE 3 protocol: frames, unframes and checks what comes on standard input.

A line `frame HEX` is answered with the frame of that message, `unframe HEX` with the message of that frame,
`crc HEX …` with the running CRC after each of the chunks.
"""

import sys
import zlib


def frame(message):
    # Work from the back: what each delimiter closes is known once the next one is found.
    blocks, block = [], bytearray()
    for byte in message:
        if byte in (0, 1, 2):
            blocks.append((len(block) + 3 + 84 * byte, bytes(block)))
            block.clear()
        else:
            block.append(byte)
            if len(block) == 84:
                blocks.append((255, bytes(block)))
                block.clear()
    blocks.append((len(block) + 3, bytes(block)))
    plain = b"".join(bytes([code]) + data for code, data in blocks)
    return bytes(byte ^ 3 for byte in plain) + b"\x02"


def unframe(data):
    assert data[-1] == 2
    plain = bytes(byte ^ 3 for byte in data[:-1])
    message, at = bytearray(), 0
    while at < len(plain):
        code = plain[at]
        size, delimiter = (84, None) if code == 255 else ((code - 3) % 84, (code - 3) // 84)
        message += plain[at + 1 : at + 1 + size]
        at += 1 + size
        if delimiter is not None:
            message.append(delimiter)
    # The last block was written as if a 0 followed.
    assert message[-1] == 0
    return bytes(message[:-1])


def crcs(chunks):
    value = 0
    for chunk in chunks:
        value = zlib.crc32(chunk + b"\0" * (-len(chunk) % 4), value)
        yield value


for line in sys.stdin:
    verb, *values = line.split()
    values = [bytes.fromhex(value) for value in values]
    if verb == "frame":
        print(frame(values[0]).hex())
    elif verb == "unframe":
        print(unframe(values[0]).hex())
    else:
        print(" ".join(f"{value:08x}" for value in crcs(values)))
