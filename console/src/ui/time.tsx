import { useEffect, useState } from 'react';
import { nowMs } from '../clock.js';
import { formatTime, relativeTime } from '../data/format-time.js';

type TimeProps = {
  readonly at: string | null | undefined;
  /** The text for a time that has not come. */
  readonly none?: string;
};

/** A time in the zone of the browser; the title has it as the platform writes it. */
export function Time({ at, none = '—' }: TimeProps) {
  if (at === null || at === undefined) return <span className="hf-dimmed">{none}</span>;
  return (
    <time dateTime={at} title={at} className="hf-time">
      {formatTime(at)}
    </time>
  );
}

const tickMs = 30_000;

/** `5 minutes ago`, `in 2 hours`; the title has the time. */
export function RelativeTime({ at, none = '—' }: TimeProps) {
  const [now, setNow] = useState(nowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), tickMs);
    return () => clearInterval(timer);
  }, []);
  if (at === null || at === undefined) return <span className="hf-dimmed">{none}</span>;
  return (
    <time dateTime={at} title={`${formatTime(at)} (${at})`} className="hf-time">
      {relativeTime(at, now)}
    </time>
  );
}
