import type { Log } from '@holdfast/kernel/context';
import type { Broker, Notification } from './broker.js';

/** The notification listeners of this process. */
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
      const key = Symbol(); // the same function may be subscribed twice, and each subscription ends on its own
      listeners.set(key, { topics, listener });
      return () => {
        listeners.delete(key);
      };
    },
  };
}

/** An error of one listener must not stop the others from being called. */
function callListener(listener: Listener['listener'], notification: Notification, log: Log): void {
  try {
    listener(notification);
  } catch (error) {
    log.error({ err: error, topic: notification.topic }, 'notification listener threw');
  }
}
