// The service's clock, as its answers tell it: a reader's own may be wrong by hours.

let ahead = 0;

/** Takes the time from an answer that just came; one without a date, as in another origin, says nothing. */
export function setByAnswer(headers, now = Date.now()) {
  const told = Date.parse(headers.get("Date") ?? "");
  // The date is cut to seconds, and an answer was on its way: a difference of a moment is none.
  if (!Number.isNaN(told)) ahead = Math.abs(told - now) < 2000 ? 0 : told - now;
}

/** The time at the service, in milliseconds. */
export const serviceNow = () => Date.now() + ahead;
