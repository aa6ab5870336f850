/** What a field for date and time holds, as the platform writes times. Undefined while it holds none. */
export function instantOf(local: string): string | undefined {
  const ms = Date.parse(local); // without a zone: the browser's zone
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
