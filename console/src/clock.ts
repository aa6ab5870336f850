/** What the clock of this browser says. The platform's own times are in its records. */
export function nowMs(): number {
  // eslint-disable-next-line holdfast/no-ambient-time -- a page has no clock but the browser's
  return Date.now();
}
