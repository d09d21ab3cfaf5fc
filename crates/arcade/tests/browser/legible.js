// Whether everything on the big screen can be read from five metres; run inside the page. Returns a list of sentences.
// Type has at least `arguments[0]` pixels as drawn, every text stands out 4.5 to 1, nothing lies outside the window, and
// no word is wider than the shape it stands in.

const smallest = arguments[0];
const flaws = [];
const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const show = (element) => `${element.outerHTML.replace(/\s+/g, " ").slice(0, 90)} “${element.textContent.trim().slice(0, 40)}”`;
const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
const linear = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
const over = ([r, g, b, a = 1], ground) => [r, g, b].map((value, index) => value * a + ground[index] * (1 - a));

function groundOf(element) {
  if (!element) return [255, 255, 255];
  // Words in a drawing stand on the shape before them, if there is one.
  if (element instanceof SVGTextElement) {
    const free = element.closest(".bar") !== null;
    const shape = free ? null : [...element.parentElement.children].find((child) => child.matches("rect"));
    return shape ? channels(getComputedStyle(shape).fill) : groundOf(element.ownerSVGElement.parentElement);
  }
  const colour = channels(getComputedStyle(element).backgroundColor);
  if ((colour[3] ?? 1) === 1) return colour;
  return over(colour, groundOf(element.parentElement));
}

const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const judged = new Set();
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || judged.has(element) || element.closest("script, noscript, .unseen, .skip, .expected, #log") || !seen(element)) continue;
  judged.add(element);
  const style = getComputedStyle(element);
  const scale = element instanceof SVGElement ? element.getScreenCTM().a : 1;
  const size = parseFloat(style.fontSize) * scale;
  if (size < smallest - 0.3) flaws.push(`${size.toFixed(1)} pixels: ${show(element)}`);
  const ground = groundOf(element);
  const ink = element instanceof SVGElement ? style.fill : style.color;
  const [light, dark] = [luminance(over(channels(ink), ground)), luminance(ground)].sort((a, b) => b - a);
  const ratio = (light + 0.05) / (dark + 0.05);
  if (ratio < 4.5) flaws.push(`contrast ${ratio.toFixed(2)}: ${show(element)}`);
  const box = element.getBoundingClientRect();
  if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) flaws.push(`outside the window: ${show(element)}`);
  const clip = element.closest(".picture, .explanation, .position, .thought");
  if (clip) {
    const frame = clip.getBoundingClientRect();
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) flaws.push(`cut off: ${show(element)}`);
  }
  if (element.matches(".node-word, .node-detail")) {
    const pill = element.parentElement.querySelector("rect").getBoundingClientRect();
    if (box.width > pill.width) flaws.push(`wider than its place: ${show(element)}`);
  }
}
return flaws;
