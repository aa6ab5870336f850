import { useEffect, useState } from 'react';
import { nowMs } from '../clock.js';

const tickMs = 30_000;

/** The time of this browser, for what is shown in relation to it. */
export function useNow(): number {
  const [now, setNow] = useState(nowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
