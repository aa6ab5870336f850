import type { ServerResponse } from 'node:http';
import { AppError } from '@holdfast/kernel/errors';
import type { AdmissionSettings } from './config.js';

/**
 * Notes that a caller has a stream open until its response ends; RATE_LIMITED where it has too many already, and
 * SERVICE_UNAVAILABLE where all callers together have.
 */
export type OpenStreams = (callerId: string, response: ServerResponse) => void;

type Limits = Pick<AdmissionSettings, 'eventStreamsMax' | 'eventStreamsTotalMax'>;

/** Counted by each gateway for itself: a stream lasts, so there is no window after which a lost count would heal. */
export function createOpenStreams({ eventStreamsMax, eventStreamsTotalMax }: Limits): OpenStreams {
  const perCallerMax = eventStreamsMax === 0 ? Infinity : eventStreamsMax;
  const open = new Map<string, number>();
  let total = 0;
  const change = (callerId: string, by: 1 | -1): void => {
    const count = (open.get(callerId) ?? 0) + by;
    if (count === 0) open.delete(callerId);
    else open.set(callerId, count);
    total += by;
  };
  return (callerId, response) => {
    if ((open.get(callerId) ?? 0) >= perCallerMax) throw new AppError('RATE_LIMITED', { limit: perCallerMax });
    if (total >= eventStreamsTotalMax) throw new AppError('SERVICE_UNAVAILABLE');
    if (response.destroyed) return; // the client has left, and no further event would end the count
    change(callerId, 1);
    response.once('close', () => change(callerId, -1));
  };
}
