const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const units = [
  { name: 'day', ms: dayMs },
  { name: 'hour', ms: hourMs },
  { name: 'minute', ms: minuteMs },
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `5 minutes ago`, `in 2 hours`. */
export function relativeTime(instant: string, nowMs: number): string {
  const differenceMs = Date.parse(instant) - nowMs;
  const unit = units.find(({ ms }) => Math.abs(differenceMs) >= ms);
  return unit === undefined ? 'just now' : relative.format(Math.trunc(differenceMs / unit.ms), unit.name);
}

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** In the time zone of the browser: `18 Nov 2026, 19:42:07`. */
export function formatTime(instant: string): string {
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? instant : format.format(ms);
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** In the time zone of the browser: `18 Nov 2026`. */
export function formatDay(instant: string): string {
  return dayFormat.format(Date.parse(instant));
}

const durationPart = /(\d+(?:\.\d+)?)([WDHMS])/g;
const words: Readonly<Record<string, string>> = { W: 'week', D: 'day', H: 'hour', M: 'minute', S: 'second' };

/** `P3DT12H` as `3 days 12 hours`. Durations of the platform have no months, so that M is always minutes. */
export function formatDuration(duration: string): string {
  const parts = [...duration.matchAll(durationPart)].map(([, count = '', unit = '']) => {
    const word = words[unit] ?? unit;
    return `${count} ${word}${count === '1' ? '' : 's'}`;
  });
  return parts.length === 0 ? duration : parts.join(' ');
}

const unitsOfDuration = [
  { unit: 'D', seconds: 86_400 },
  { unit: 'H', seconds: 3_600 },
  { unit: 'M', seconds: 60 },
  { unit: 'S', seconds: 1 },
] as const;

/** `90000` as `1 day 1 hour`. */
export function formatSeconds(total: number): string {
  let left = total;
  const parts = unitsOfDuration.map(({ unit, seconds }) => {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return total < 1 ? '0 seconds' : formatDuration(parts.join(''));
}
