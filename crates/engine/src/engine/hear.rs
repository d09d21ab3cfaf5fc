//! Hearing what a person wants of the run.

use super::act::Interrupted;
use super::{Engine, Stop, Underway};
use crate::body::{Eye, Hand};
use crate::clock::Clock;
use crate::notes::{NoteReader, Origin, Topic};
use crate::operator::{Order, OrderNote};
use crate::plan::Plan;
use crate::player::Player;
use crate::rectify::Rectify;
use crate::run::RunEnding;

impl<E, H, R, P, C, N> Engine<E, H, R, P, C, N>
where
    E: Eye,
    H: Hand,
    R: Rectify,
    P: Player<Action = H::Action>,
    C: Clock,
    N: NoteReader,
{
    /// Carries out all orders that have come since the last tick.
    pub(super) fn hear_orders(&mut self) -> Result<(), Stop> {
        while let Some(order) = self.next_order() {
            let heard = match &order {
                Order::SetCorners(corners) => self.rectifier.set_corners(Some(*corners)).map(|()| None),
                Order::ForgetCorners => self.rectifier.set_corners(None).map(|()| None),
                Order::Player(words) => self.player.hear(words),
            };
            let (plan, refused) = match heard {
                Ok(plan) => (plan, None),
                Err(why) => (None, Some(why)),
            };
            tracing::info!(?order, refused, "an order");
            self.note(Topic::Order, self.clock.now(), &OrderNote { order, refused });
            if let Some(plan) = plan {
                self.carry_out(plan)?;
            }
        }
        Ok(())
    }

    fn next_order(&mut self) -> Option<Order> {
        if self.helm.is_steered() {
            return self.helm.recorded_order();
        }
        self.orders.as_ref()?.next()
    }

    /// Does at once what a person asked for; a plan under way is given up for it.
    fn carry_out(&mut self, plan: Plan<P::Action, P::Expectation>) -> Result<(), Stop> {
        if self.underway.is_some() {
            self.end_plan()?;
        }
        let now = self.helm.time(self.clock.now());
        self.note(Topic::Plan, now, &plan);
        self.underway = Some(Underway { plan, step: 0, since: now });
        let done = self.run_steps();
        self.underway = None;
        match done {
            Ok(()) => Ok(()),
            Err(Interrupted::Cancelled) => Err(Stop::End(RunEnding::Cancelled)),
            Err(Interrupted::Fault(fault)) => Err(self.device_failed(Origin::Hand, fault)),
        }
    }
}
