//! What a computer asks of the hub, and the hub's answers and reports.

use std::time::Duration;

use engine::Clock;

use super::Firmware;
use crate::hub::line::Line;
use crate::hub::rig::{COLOR, FORCE, PORTS};
use crate::hub::wire::{self, Request, say};

/// Longest frame a hub takes.
const LONGEST_FRAME: usize = 1 << 17;

/// A file on its way into a slot.
pub(super) struct Upload {
    slot: u8,
    checksum: u32,
    running: u32,
    bytes: Vec<u8>,
}

impl<L: Line, C: Clock> Firmware<L, C> {
    /// Takes in one byte; a whole frame is obeyed.
    pub(super) fn take(&mut self, byte: u8) {
        match byte {
            2 => {
                let frame = std::mem::take(&mut self.state.frame);
                let message = wire::message(&frame);
                if let Some(request) = message.as_deref().and_then(wire::request) {
                    self.obey(request);
                } else {
                    tracing::debug!(bytes = frame.len(), "a frame that a hub does not understand");
                }
            }
            1 => self.state.frame.clear(),
            _ if self.state.frame.len() < LONGEST_FRAME => self.state.frame.push(byte),
            _ => self.state.frame.clear(),
        }
    }

    fn obey(&mut self, request: Request) {
        let answer = match request {
            Request::Identity => say::identity(),
            Request::Name => say::name(),
            Request::ReportEvery { milliseconds } => {
                self.state.report_every = Duration::from_millis(milliseconds.into());
                self.state.next_report = self.clock.now() + self.state.report_every;
                say::answer(say::REPORTS, true)
            }
            Request::ClearSlot { slot } => {
                say::answer(say::SLOT_CLEARED, self.state.slots.remove(&slot).is_some())
            }
            Request::BeginFile { name, slot, checksum } => {
                let fine = name == "program.py" && slot < 20;
                self.state.upload = fine.then(|| Upload { slot, checksum, running: 0, bytes: Vec::new() });
                say::answer(say::FILE_BEGUN, fine)
            }
            Request::Chunk { checksum, bytes } => {
                say::answer(say::CHUNK_TAKEN, self.take_chunk(checksum, &bytes))
            }
            Request::Start { slot } => {
                self.start_program(slot);
                return;
            }
            Request::Stop => {
                let running = self.state.program.is_some();
                self.send(&say::answer(say::PROGRAM, running));
                if running {
                    self.end_program();
                }
                return;
            }
            Request::Tunnel(bytes) if self.state.program.is_some() => {
                self.state.tunnel.push_back(bytes);
                return;
            }
            // LEGO calls this a known issue (spike-prime-docs, issue 8): the hub crashes.
            Request::Tunnel(_) => {
                self.table.world().note("a tunnel message without a program crashed the hub".to_owned());
                self.reboot();
                return;
            }
        };
        self.send(&answer);
    }

    fn take_chunk(&mut self, checksum: u32, bytes: &[u8]) -> bool {
        let Some(upload) = &mut self.state.upload else { return false };
        upload.running = wire::crc(upload.running, bytes);
        if upload.running != checksum {
            self.state.upload = None;
            return false;
        }
        upload.bytes.extend(bytes);
        if upload.running == upload.checksum
            && let Some(upload) =
                self.state.upload.take_if(|upload| wire::crc(0, &upload.bytes) == upload.checksum)
        {
            self.state.slots.insert(upload.slot, upload.bytes);
        }
        true
    }

    pub(super) fn report(&mut self) {
        let mut report = Vec::new();
        {
            let world = self.table.world();
            let rig = &world.rigs[self.robot];
            report.extend([0, rig.battery.round() as u8, 2]);
            report.extend(rig.lights);
            for port in (0..PORTS).filter(|&port| rig.devices[port] == 1) {
                let [position, velocity, turned, _] = rig.motor(port);
                report.extend([10, port as u8, 0x30]);
                report.extend((((turned + 180).rem_euclid(360) - 180) as i16).to_le_bytes());
                report.extend([0, 0, (velocity / 11).clamp(-100, 100) as i8 as u8]);
                report.extend((position as i32).to_le_bytes());
            }
            if rig.devices[FORCE] == 3 {
                let force = rig.force(self.clock.now().as_nanos() / 1000);
                report.extend([11, FORCE as u8, force, u8::from(force > 0)]);
            }
            if rig.devices[COLOR] == 2 {
                report.extend([12, COLOR as u8, 255, 0, 0, 0, 0, 0, 0]);
            }
        }
        self.send(&say::report(&report));
    }
}
