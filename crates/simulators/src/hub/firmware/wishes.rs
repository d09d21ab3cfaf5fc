//! What a running program wants from the hub's hardware.

use std::fmt::Write;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use engine::{Clock, Time};
use rand::RngExt;

use super::Firmware;
use crate::hub::line::Line;
use crate::hub::rig::PORTS;
use crate::hub::wire::say;

/// Smaller debts of computing time are collected.
const SMALLEST_WORK: Duration = Duration::from_millis(2);

impl<L: Line, C: Clock> Firmware<L, C> {
    /// Waits for the program's next wish and fulfils it.
    pub(super) fn serve_program(&mut self) {
        let Some(program) = &mut self.state.program else { return };
        let Ok(wish) = program.next_wish() else {
            return self.end_program();
        };
        self.state.work += self.settings.work_time * u32::try_from(wish.work).unwrap_or(u32::MAX);
        if self.state.work >= SMALLEST_WORK {
            let done = self.clock.now() + std::mem::take(&mut self.state.work);
            while self.clock.now() < done && self.state.program.is_some() {
                self.listen(done);
            }
        }
        let answer = self.fulfil(&wish.line);
        // Gone, if somebody stopped it meanwhile.
        if let (Some(answer), Some(program)) = (answer, &mut self.state.program)
            && program.reply(&answer).is_err()
        {
            self.end_program();
        }
    }

    /// Does what a program wants from its hardware; `None` if the program is over.
    fn fulfil(&mut self, line: &str) -> Option<String> {
        let mut words = line.split(' ');
        let verb = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        let number = |index: usize| rest.get(index).and_then(|word| word.parse::<i64>().ok()).unwrap_or(0);
        let text = || rest.first().and_then(|hex| from_hex(hex)).unwrap_or_default();
        let port = number(0) as usize % PORTS;
        match verb {
            "wait" => {
                let until = Time::from_nanos(number(0).max(0) as u64 * 1000);
                while self.state.tunnel.is_empty() && self.clock.now() < until && self.state.program.is_some()
                {
                    self.listen(until);
                }
                return Some(self.snapshot());
            }
            "run" | "turn" | "stop" | "reset" => return Some(self.motor(verb, port, number(1), number(2))),
            "color" => return Some(self.color(port)),
            "devices" => {
                let devices = self.table.world().rigs[self.robot].devices;
                return Some(devices.map(|kind| kind.to_string()).join(" "));
            }
            "beep" => {
                let mut world = self.table.world();
                let now = world.now;
                world.rigs[self.robot].beeps.push((now, number(0) as u32, number(1) as u32));
            }
            "show" => {
                let mut lights = [0; 25];
                for (light, word) in lights.iter_mut().zip(&rest) {
                    *light = word.parse().unwrap_or(0);
                }
                self.table.world().rigs[self.robot].lights = lights;
            }
            "tunnel" => self.send_tunnel(text()),
            "heap" => {
                self.shared.heap.fetch_max(number(0).max(0) as u64, Ordering::Relaxed);
            }
            "print" => self.print(&text()),
            "end" => {
                self.end_program();
                return None;
            }
            "died" => {
                let words = String::from_utf8_lossy(&text()).into_owned();
                let words = self.state.program.as_ref().map(|program| program.last_words(&words));
                self.print(words.unwrap_or_default().as_bytes());
                self.end_program();
                return None;
            }
            // "work" only counts; "write" shows letters, which nobody looks at.
            _ => {}
        }
        Some("ok".to_owned())
    }

    fn motor(&mut self, verb: &str, port: usize, first: i64, second: i64) -> String {
        let mut world = self.table.world();
        let world = &mut *world;
        let rig = &mut world.rigs[self.robot];
        if rig.devices[port] != 1 {
            return "!".to_owned();
        }
        match verb {
            "run" => rig.run(port, first as f64, &world.how, &mut world.rng),
            "turn" => rig.turn_to(port, first as f64, second as f64, &world.how, &mut world.rng),
            "stop" => rig.stop(port),
            _ => rig.reset(port, first as f64),
        }
        "ok".to_owned()
    }

    fn color(&mut self, port: usize) -> String {
        let mut world = self.table.world();
        let world = &mut *world;
        let rig = &mut world.rigs[self.robot];
        if rig.devices[port] != 2 {
            return "!".to_owned();
        }
        let seen = rig.color(&world.board, self.robot == 1, &world.how, &mut world.rng);
        seen.map(|value| value.to_string()).join(" ")
    }

    /// Time, force and buttons; each motor; what came through the tunnel: apart by semicolons.
    fn snapshot(&mut self) -> String {
        let now = self.clock.now().as_nanos() / 1000;
        let world = self.table.world();
        let rig = &world.rigs[self.robot];
        let mut line = format!("{now} {} {} {}", rig.force(now), rig.button(0, now), rig.button(1, now));
        for port in 0..PORTS {
            let [position, velocity, turned, status] = rig.motor(port);
            // Writing to a String cannot fail.
            let _ = write!(line, ";{position} {velocity} {turned} {status}");
        }
        line.push(';');
        for packet in self.state.tunnel.drain(..) {
            for byte in packet {
                let _ = write!(line, "{byte:02x}");
            }
            line.push(' ');
        }
        line
    }

    fn send_tunnel(&mut self, mut bytes: Vec<u8>) {
        if self.settings.damage > 0.0 {
            let mut world = self.table.world();
            if world.rng.random_bool(self.settings.damage) && !bytes.is_empty() {
                let at = world.rng.random_range(0..bytes.len());
                bytes[at] ^= 0x10;
            }
        }
        self.send(&say::tunnel(&bytes));
    }

    fn print(&mut self, text: &[u8]) {
        let words = String::from_utf8_lossy(text).trim_end().to_owned();
        tracing::debug!("hub: {words}");
        self.shared.console.lock().unwrap_or_else(PoisonError::into_inner).push(words);
        for message in say::console(text) {
            self.send(&message);
        }
    }
}

fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes().chunks_exact(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
