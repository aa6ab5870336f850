/** The month in which the time is, as dates of a statement: its first day, and the first day of the next one. */
export function monthsOf(nowMs: number): { readonly from: string; readonly to: string } {
  const now = new Date(nowMs);
  return { from: firstDay(now, 0), to: firstDay(now, 1) };
}

function firstDay(now: Date, monthsLater: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsLater, 1)).toISOString().slice(0, 10);
}
