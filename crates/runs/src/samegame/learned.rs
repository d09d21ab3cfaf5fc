//! What was learned about a game, as settings for the next run (S3, S8).

use configuration::{Problems, Values};
use players::samegame::{SamegamePlayer, Supply};

use super::settings::{KnownSupplyWord, SamegameSettings};

/// Adds what the player has found out to the settings of its run; what it does not know stays as it was.
pub fn learn(values: &mut Values, player: &SamegamePlayer) -> Result<(), Problems> {
    values.update(|settings: &mut SamegameSettings| {
        let Some(clicks) = player.clicks_learned() else { return };
        settings.clicks = clicks.into();
        settings.min_group = player.min_group() as u32;
        settings.supply = match player.supply() {
            None => KnownSupplyWord::Find,
            Some(Supply::Nothing) => KnownSupplyWord::Nothing,
            Some(Supply::Refill) => KnownSupplyWord::Refill,
            Some(Supply::Columns) => KnownSupplyWord::Columns,
        };
    })
}
