/** Timer wheel: one timer pings all streams. */
export type PingWheel<Member> = {
  readonly add: (member: Member) => void;
  readonly remove: (member: Member) => void;
  readonly stop: () => void;
};

const slotCount = 120;

/** Each member is pinged once per turn of the wheel, for the first time a full turn after it was added. */
export function createPingWheel<Member>(turnMs: number, ping: (members: Iterable<Member>) => void): PingWheel<Member> {
  const slots = Array.from({ length: slotCount }, () => new Set<Member>());
  const slotOf = new Map<Member, Set<Member>>();
  let now = 0;
  const timer = setInterval(() => {
    now = (now + 1) % slotCount;
    const members = slots[now];
    if (members !== undefined && members.size > 0) ping(members);
  }, turnMs / slotCount);
  timer.unref();
  return {
    add: (member) => {
      const slot = slots[now];
      slot?.add(member);
      if (slot !== undefined) slotOf.set(member, slot);
    },
    remove: (member) => {
      slotOf.get(member)?.delete(member);
      slotOf.delete(member);
    },
    stop: () => clearInterval(timer),
  };
}
