// What the operator should know of the database: what waits for the disk, and a damaged file that was set aside.
//
// Hooks: #database-warning.

import { ask } from "./operator.js";
import { onLanguage, t } from "./words.js";

/** The warning in `place`; `look()` asks the server again. */
export function mountDatabase(place) {
  let known = null;

  async function look() {
    try {
      known = await ask("GET", "/api/admin/storage");
      render();
    } catch {
      // The link's own strip tells that the server is away.
    }
  }

  function render() {
    const told = [
      known?.trouble && t("admin.unstored", { waiting: known.waiting, why: known.trouble }),
      known?.set_aside && t("admin.set_aside", { file: known.set_aside }),
    ].filter(Boolean);
    place.hidden = told.length === 0;
    place.textContent = told.join(" ");
  }

  onLanguage(render);
  return { look };
}
