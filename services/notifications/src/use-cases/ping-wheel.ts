/** One timer for all pings, however many streams there are. */
export type PingWheel<Rider> = {
  readonly add: (rider: Rider) => void;
  readonly remove: (rider: Rider) => void;
  readonly stop: () => void;
};

const slotCount = 120;

/** Each rider is pinged once per turn; the first time a whole turn after it got on. */
export function createPingWheel<Rider>(turnMs: number, ping: (riders: Iterable<Rider>) => void): PingWheel<Rider> {
  const slots = Array.from({ length: slotCount }, () => new Set<Rider>());
  const slotOf = new Map<Rider, Set<Rider>>();
  let now = 0;
  const timer = setInterval(() => {
    now = (now + 1) % slotCount;
    const riders = slots[now];
    if (riders !== undefined && riders.size > 0) ping(riders);
  }, turnMs / slotCount);
  timer.unref();
  return {
    add: (rider) => {
      const slot = slots[now];
      slot?.add(rider);
      if (slot !== undefined) slotOf.set(rider, slot);
    },
    remove: (rider) => {
      slotOf.get(rider)?.delete(rider);
      slotOf.delete(rider);
    },
    stop: () => clearInterval(timer),
  };
}
