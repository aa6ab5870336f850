/** ISO 8601 without milliseconds, as in Horizon's API. */
export function isoTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
