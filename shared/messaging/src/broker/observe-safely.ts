import type { Log } from '@holdfast/kernel/context';
import type { BrokerEvent } from './broker.js';

/** Wraps the metrics callback so that its errors are logged and never fail a publish or a handler. */
export function observeSafely(onEvent: ((event: BrokerEvent) => void) | undefined, log: Log): (event: BrokerEvent) => void {
  if (onEvent === undefined) return () => undefined;
  return (event) => {
    try {
      onEvent(event);
    } catch (error) {
      log.error({ err: error, kind: event.kind }, 'broker event observer threw');
    }
  };
}
