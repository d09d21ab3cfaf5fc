// Runs one MicroPython program in WebAssembly. The simulated hardware is at the other end of standard input and output:
// one line out, one line back. The first line in says what to run.
import fs from "node:fs";

const replies = Buffer.alloc(65536);
let kept = "";

function readLine() {
  for (;;) {
    const end = kept.indexOf("\n");
    if (end >= 0) {
      const line = kept.slice(0, end);
      kept = kept.slice(end + 1);
      return line;
    }
    let count = 0;
    try {
      count = fs.readSync(0, replies, 0, replies.length);
    } catch (error) {
      if (error.code === "EAGAIN") continue;
      throw error;
    }
    if (count === 0) process.exit(0); // The hub has been switched off.
    kept += replies.toString("latin1", 0, count);
  }
}

function exchange(line) {
  try {
    fs.writeSync(1, line + "\n");
  } catch (error) {
    if (error.code === "EPIPE") process.exit(0); // The hub has been switched off.
    throw error;
  }
  return readLine();
}

const { interpreter, heap, modules, program } = JSON.parse(readLine());
const { loadMicroPython } = await import(interpreter);
const python = await loadMicroPython({
  heapsize: heap,
  pystack: 8192,
  stdout: (text) => process.stderr.write(text + "\n"),
});
python.registerJsModule("_wire", { exchange });
python.globals.set("_program", program);
python.runPython(modules);
python.runPython("gc.collect()"); // Takes effect on return.
python.runPython("kept_by_modules = gc.mem_alloc()");
const [start, goOn, live] = ["start", "go_on", "live"].map((name) => python.globals.get(name));
const COLLECTED = 2;
let running = Number(start());
while (running) {
  running = goOn();
  if (running === COLLECTED) exchange(`0 heap ${live()}`);
}
exchange("0 end");
