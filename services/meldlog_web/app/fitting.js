// How large cards are drawn so that all of them are seen at once.

import { useLayoutEffect } from "./h.js";

// Parts of the size that cards have where there is room; style sheets say below which size no card is drawn.
const SIZES = [1, 0.9, 0.8, 0.7, 0.6, 0.5];

/**
 * The largest size whose height there is room for. Where there is none, the largest of those that come nearest: what does
 * not help makes no card smaller.
 */
export function largestFitting(heights, room) {
  const place = heights.findIndex((height) => height <= room);
  return SIZES[place >= 0 ? place : heights.indexOf(Math.min(...heights))];
}

/**
 * Gives `place` one of the sizes as its `--fit`, so that what scrolls around it need not. `lies` says what lies there: with
 * the same in the same room the size stays, whatever else comes and goes.
 */
export function useFittingSize(place, lies) {
  useLayoutEffect(() => {
    const around = scrollingAround(place.current);
    const look = () => {
      const { style } = place.current;
      const heights = SIZES.map((size) => {
        style.setProperty("--fit", size);
        return heightWithin(around);
      });
      style.setProperty("--fit", largestFitting(heights, around.clientHeight));
    };
    look();
    // What stands there besides leaves it more room or less.
    const watcher = new ResizeObserver(look);
    const besides = [...around.children].filter((one) => !one.contains(place.current));
    for (const one of [around, ...besides]) watcher.observe(one);
    return () => watcher.disconnect();
  }, [lies]);
}

/**
 * How high that is which lies in `around`. Its `scrollHeight` would not tell: cards that are still on their way from a hand
 * reach far beyond the place where they come to lie.
 */
function heightWithin(around) {
  const top = around.getBoundingClientRect().top - around.scrollTop;
  const bottoms = [...around.children].map((one) => one.getBoundingClientRect().bottom - top);
  return Math.round(Math.max(0, ...bottoms) + parseFloat(getComputedStyle(around).paddingBottom));
}

function scrollingAround(element) {
  const found = element.parentElement;
  return !found || /auto|scroll/.test(getComputedStyle(found).overflowY) ? found ?? element : scrollingAround(found);
}
