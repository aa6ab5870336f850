import type { ServerResponse } from 'node:http';
import { openStreamsDetails } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import type { AdmissionSettings } from './config.js';

/**
 * Counts an open stream of a caller until its response closes. RATE_LIMITED at the caller's limit, SERVICE_UNAVAILABLE at the
 * limit of all callers.
 */
export type OpenStreams = (callerId: string, response: ServerResponse) => void;

type Limits = Pick<AdmissionSettings, 'eventStreamsMax' | 'eventStreamsTotalMax'>;

/** Each gateway counts its own streams: a shared count would stay wrong for good when a gateway dies with open streams. */
export function createOpenStreams(
  { eventStreamsMax, eventStreamsTotalMax }: Limits,
  onCount: (open: number) => void = () => undefined,
): OpenStreams {
  const perCallerMax = eventStreamsMax === 0 ? Infinity : eventStreamsMax;
  const open = new Map<string, number>();
  let total = 0;
  const change = (callerId: string, by: 1 | -1): void => {
    const count = (open.get(callerId) ?? 0) + by;
    if (count === 0) open.delete(callerId);
    else open.set(callerId, count);
    total += by;
    onCount(total);
  };
  return (callerId, response) => {
    if ((open.get(callerId) ?? 0) >= perCallerMax) throw new AppError('RATE_LIMITED', openStreamsDetails(perCallerMax));
    if (total >= eventStreamsTotalMax) throw new AppError('SERVICE_UNAVAILABLE');
    if (response.destroyed) return; // The client has disconnected, and 'close' will not be emitted again.
    change(callerId, 1);
    response.once('close', () => change(callerId, -1));
  };
}
