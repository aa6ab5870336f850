import type { Log } from '@holdfast/kernel/context';
import type { Broker, Notification } from './broker.js';

/** Who listens to notifications in this process. */
export type Listeners = {
  readonly notify: (notification: Notification) => void;
  readonly listen: Broker['onNotification'];
};

type Listener = { readonly topics: readonly string[]; readonly listener: (notification: Notification) => void };

export function createListeners(log: Log): Listeners {
  const listeners = new Map<symbol, Listener>();
  return {
    notify: (notification) => {
      for (const { topics, listener } of listeners.values())
        if (topics.includes(notification.topic)) callListener(listener, notification, log);
    },
    listen: (topics, listener) => {
      const key = Symbol(); // the same function may listen twice, and stop once
      listeners.set(key, { topics, listener });
      return () => {
        listeners.delete(key);
      };
    },
  };
}

/** A listener that throws does not keep the notification from the others. */
function callListener(listener: Listener['listener'], notification: Notification, log: Log): void {
  try {
    listener(notification);
  } catch (error) {
    log.error({ err: error, topic: notification.topic }, 'a listener to notifications threw');
  }
}
