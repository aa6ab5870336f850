import type { Log } from '@holdfast/kernel/context';
import type { BrokerEvent } from './broker.js';

/** Whoever counts must not be able to stop what is counted. */
export function observeSafely(onEvent: ((event: BrokerEvent) => void) | undefined, log: Log): (event: BrokerEvent) => void {
  if (onEvent === undefined) return () => undefined;
  return (event) => {
    try {
      onEvent(event);
    } catch (error) {
      log.error({ err: error, kind: event.kind }, 'an observer of the broker threw');
    }
  };
}
