import type { UnhandledMessage } from '@holdfast/messaging/broker';

/** The queue belongs to the service. */
export type Parked = Pick<UnhandledMessage, 'messageId' | 'type' | 'attempts' | 'reason'> & { readonly queue: string };

/** Throws if messages are parked, because a message that a test parks without expecting it is a fault. */
export function assertNoneParked(parked: readonly Parked[]): void {
  if (parked.length === 0) return;
  const lines = parked.map(({ queue, messageId, type, attempts, reason }) => {
    return `  ${queue}: ${type} (${messageId}) after ${attempts.toString()} attempts: ${reason}`;
  });
  throw new Error(['messages were parked; a test that expects them takes them with takeParked():', ...lines].join('\n'));
}
