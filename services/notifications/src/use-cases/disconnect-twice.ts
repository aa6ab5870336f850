import type { Subscribers } from './subscribers.js';

/** A gateway that missed the notification caches the key for up to this long, and lets its client reconnect meanwhile. */
const credentialCacheMs = 4_500;

/**
 * Disconnects a key's streams at once, and again when no gateway can still have the key cached. Repeated calls in between are
 * ignored.
 */
export function disconnectTwice({ disconnectKey }: Subscribers): (apiKeyId: string) => void {
  const pending = new Set<string>();
  return (apiKeyId) => {
    if (pending.has(apiKeyId)) return;
    pending.add(apiKeyId);
    disconnectKey(apiKeyId);
    const again = (): void => {
      pending.delete(apiKeyId);
      disconnectKey(apiKeyId);
    };
    setTimeout(again, credentialCacheMs).unref();
  };
}
