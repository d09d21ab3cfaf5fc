// The settings as a form a line: what the configuration file has, with its messages.

import { toast } from "./announce.js";
import { el } from "./elements.js";
import { Refused, ask } from "./operator.js";
import { inWords, sectionTitle, settingDoc, settingLabel } from "./setting-words.js";
import { currentLanguage, onLanguage, t } from "./words.js";

/** Wires the list; `onClosed` when the session has run out. `load()` reads it from the server. */
export function mountSettings(place, onClosed) {
  let settings = [];

  async function load() {
    try {
      ({ settings } = await ask("GET", "/api/admin/settings"));
      render();
    } catch (refusal) {
      if (refusal.status === 401) onClosed();
      else toast(t("admin.away"));
    }
  }

  async function change(key, value, error) {
    error.textContent = "";
    try {
      await ask("POST", "/api/admin/settings", { key, value });
      toast(t("admin.saved"));
      await load();
      place.querySelector(`[data-key="${CSS.escape(key)}"] .input`)?.focus();
    } catch (refusal) {
      if (refusal.status === 401) return onClosed();
      error.textContent = refusal instanceof Refused ? refusalWords(refusal, settings.find((setting) => setting.key === key)) : t("admin.away");
      error.parentElement.querySelector(".input").setAttribute("aria-invalid", "true");
    }
  }

  function render() {
    const sections = new Map();
    for (const setting of settings) {
      const section = setting.key.split(".")[0];
      sections.set(section, [...(sections.get(section) ?? []), setting]);
    }
    place.replaceChildren(...[...sections].map(([name, members]) =>
      el("div", { class: "sheet setting-group", role: "group", "aria-labelledby": `section-${name}` },
        el("h3", { id: `section-${name}` }, sectionTitle(name)), ...members.map((setting) => line(setting, change)))));
  }

  onLanguage(render);
  return { load };
}

function line(setting, change) {
  const id = `setting-${setting.key}`;
  const error = el("p", { class: "error", role: "alert", id: `${id}-error` });
  const field = fieldFor(setting, id);
  const form = el(
    "form",
    { class: "setting", "data-key": setting.key, "data-source": setting.source, novalidate: true },
    el("div", { class: "setting-words" },
      el("label", { for: id }, settingLabel(setting.key)),
      el("p", { class: "small" }, settingDoc(setting)),
      el("p", { class: "small muted" }, remarks(setting))),
    el("div", { class: "setting-value" }, field, setting.unit && el("span", { class: "small muted" }, inWords(setting.unit))),
    el("div", { class: "setting-buttons" },
      el("button", { type: "submit", class: "button small save", "aria-label": `${t("admin.save")}: ${settingLabel(setting.key)}` }, t("admin.save")),
      el("button", { type: "button", class: "button small quiet reset", "aria-label": `${t("admin.reset")}: ${settingLabel(setting.key)}`, onclick: () => change(setting.key, null, error) }, t("admin.reset"))),
    error,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    change(setting.key, field.value, error);
  });
  return form;
}

function fieldFor(setting, id) {
  const value = written(setting.value);
  const attributes = { id, class: "input", name: setting.key, "aria-describedby": `${id}-error` };
  const choices = choicesOf(setting, value);
  if (!choices) return el("input", { ...attributes, value, autocomplete: "off", spellcheck: "false" });
  const field = el("select", attributes, ...choices.map(([choice, words]) => el("option", { value: choice }, words)));
  field.value = value;
  return field;
}

/** What can be chosen, where the server names it: yes or no, or `one of "a", "b"`. */
function choicesOf({ allowed }, value) {
  if (value === "true" || value === "false") return [["true", t("admin.yes")], ["false", t("admin.no")]];
  if (!/^one of "/.test(allowed ?? "")) return null;
  return [...allowed.matchAll(/"([^"]*)"/g)].map(([, word]) => [word, word]);
}

/** The server names the fault in English; readers of German get the limits in theirs. */
function refusalWords({ answer }, setting) {
  if (currentLanguage() === "en" || !setting?.allowed) return answer.error ?? t("admin.failed");
  return t("admin.not_allowed", { allowed: inWords(setting.allowed) });
}

function remarks({ key, allowed, default: standard, source }) {
  const parts = [
    allowed && t("admin.allowed", { allowed: inWords(written(allowed)) }),
    t("admin.default", { value: written(standard) || "–" }),
    source && t("admin.source", { source: inWords(source) }),
    key,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** A value as one writes it into the field. */
function written(value) {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
