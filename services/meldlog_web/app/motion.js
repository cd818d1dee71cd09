// What others do, moved calmly from where it came to where it lies; nothing moves for who asked for less motion.

const CALM = { duration: 420, easing: "cubic-bezier(.2, .7, .3, 1)" };

export const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Show a commit that has just been drawn on the page. */
export function playMotion(commit, root) {
  if (!commit || !root || wantsStillness() || document.hidden) return;
  for (const event of commit.events) MOTIONS[event.type]?.(event, root);
}

const find = (root, selector) => root.querySelector(selector);
const seatPlace = (root, seat) => find(root, `[data-seat="${seat}"]`);

/** Let an element come from where another is. */
function comeFrom(element, origin) {
  if (!element || !origin) return;
  const [to, from] = [element.getBoundingClientRect(), origin.getBoundingClientRect()];
  const dx = from.left + from.width / 2 - (to.left + to.width / 2);
  const dy = from.top + from.height / 2 - (to.top + to.height / 2);
  element.animate([{ transform: `translate(${dx}px, ${dy}px) scale(.6)`, opacity: 0.4 }, { transform: "none", opacity: 1 }], CALM);
}

/** Let a copy of a card go from a pile to a seat. */
function goTo(root, card, target, pile = card) {
  if (!card || !target || !pile) return;
  const [from, to] = [pile.getBoundingClientRect(), target.getBoundingClientRect()];
  const ghost = card.cloneNode(true);
  ghost.classList.add("ghost");
  Object.assign(ghost.style, {
    left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px`, height: `${from.height}px`,
  });
  root.append(ghost);
  const dx = to.left + to.width / 2 - (from.left + from.width / 2);
  const dy = to.top + to.height / 2 - (from.top + from.height / 2);
  const motion = ghost.animate(
    [{ transform: "none" }, { transform: `translate(${dx}px, ${dy}px) scale(.5)`, opacity: 0.3 }], CALM);
  const gone = () => ghost.remove();
  motion.finished.then(gone, gone);
}

const MOTIONS = {
  card_drawn: ({ seat }, root) => goTo(root, find(root, '[data-pile="stock"] .card'), seatPlace(root, seat)),
  discards_taken: ({ seat }, root) =>
    goTo(root, find(root, '[data-pile="stock"] .card'), seatPlace(root, seat), find(root, '[data-pile="discard"] :is(.top-card, .void)')),
  card_discarded: ({ seat }, root) => comeFrom(find(root, '[data-pile="discard"] .top-card'), seatPlace(root, seat)),
  meld_laid: ({ seat, meld }, root) => comeFrom(find(root, `[data-meld="${meld}"] .row`), seatPlace(root, seat)),
  card_laid_off: ({ seat, meld }, root) => comeFrom(find(root, `[data-meld="${meld}"] .row`), seatPlace(root, seat)),
  wild_reclaimed: ({ seat, meld }, root) => comeFrom(find(root, `[data-meld="${meld}"] .row`), seatPlace(root, seat)),
};
