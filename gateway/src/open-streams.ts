import type { ServerResponse } from 'node:http';
import { AppError } from '@holdfast/shared/errors';

/** Notes that a caller has a stream open until its response ends, or RATE_LIMITED where it has too many already. */
export type OpenStreams = (callerId: string, response: ServerResponse) => void;

/** Counted by each gateway for itself: a stream lasts, so there is no window after which a lost count would heal. */
export function createOpenStreams(streamsMax: number): OpenStreams {
  if (streamsMax === 0) return () => undefined;
  const open = new Map<string, number>();
  const change = (callerId: string, by: 1 | -1): void => {
    const count = (open.get(callerId) ?? 0) + by;
    if (count === 0) open.delete(callerId);
    else open.set(callerId, count);
  };
  return (callerId, response) => {
    if ((open.get(callerId) ?? 0) >= streamsMax) throw new AppError('RATE_LIMITED', { limit: streamsMax });
    if (response.destroyed) return; // whoever asked has left, and nobody would ever say so again
    change(callerId, 1);
    response.once('close', () => change(callerId, -1));
  };
}
