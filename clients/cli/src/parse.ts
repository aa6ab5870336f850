import { InvalidArgumentError } from 'commander';

/** Whether the text is the address of a web server. */
export function parsesAsUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const durationPattern = /^(\d{1,6})([smhd])$/;

/** `2h` before now, or a moment such as 2026-11-15T12:00:00Z, as an instant of RFC 3339. */
export function parseSince(text: string, nowMs: number): string {
  const [, count, unit] = durationPattern.exec(text) ?? [];
  const entry = Object.entries(unitsMs).find(([name]) => name === unit);
  if (count !== undefined && entry !== undefined) return new Date(nowMs - Number(count) * entry[1]).toISOString();
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw new InvalidArgumentError('Say how long ago, such as 30s, 15m, 2h or 7d, or a moment such as 2026-11-15T12:00:00Z.');
  return new Date(ms).toISOString();
}

/** `decision=SPLIT`; may be repeated. */
export function collectParam(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write name=value.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Values with commas between them, or a repeated option. */
export function collectList(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').filter((value) => value !== '')];
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,9}$/.test(text) || count < 1) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return count;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}
