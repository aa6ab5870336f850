/** Which other processes listen to the same topics as this one: a hint that nobody else could use is not sent. */
export type Peers = {
  /** Whether it was not known before. */
  readonly note: (topic: string, origin: string) => boolean;
  readonly has: (topic: string) => boolean;
};

/** Announcements come several times as often: one that is lost makes nobody forgotten. */
const forgottenAfterMs = 35_000;
export const announceEveryMs = 10_000;
const peersMax = 1_000;

export function createPeers(nowMs: () => number): Peers {
  const seenAt = new Map<string, Map<string, number>>();
  const livingOf = (topic: string): Map<string, number> => {
    const peers = seenAt.get(topic) ?? new Map<string, number>();
    seenAt.set(topic, peers);
    for (const [origin, at] of peers) if (nowMs() - at > forgottenAfterMs) peers.delete(origin);
    return peers;
  };
  return {
    note: (topic, origin) => {
      const peers = livingOf(topic);
      const isNew = !peers.has(origin);
      if (!isNew || peers.size < peersMax) peers.set(origin, nowMs());
      return isNew;
    },
    has: (topic) => livingOf(topic).size > 0,
  };
}
