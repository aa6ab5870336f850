import type { ParkedStore, UnhandledMessage } from '@holdfast/messaging/broker';

/** The parked messages of a consumer without a database. */
export type MemoryParked = ParkedStore & { readonly messages: () => readonly UnhandledMessage[] };

export function memoryParked(): MemoryParked {
  const messages = new Map<string, UnhandledMessage>();
  return {
    park: (message) => {
      messages.set(message.messageId, message);
      return Promise.resolve();
    },
    removeHandled: (messageId) => {
      messages.delete(messageId);
      return Promise.resolve();
    },
    messages: () => [...messages.values()],
  };
}
