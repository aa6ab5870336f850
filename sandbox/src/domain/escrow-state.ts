import type { EscrowState } from './escrow.js';

const stateFields: Readonly<Record<keyof EscrowState, true>> = {
  type: true,
  engagementId: true,
  title: true,
  description: true,
  roles: true,
  units: true,
  platformFeeBasisPoints: true,
  receiverMemo: true,
  milestones: true,
  flags: true,
  token: true,
};

/** Whether a contract stores the same struct for both. Neither the balance nor the times are part of it. */
export function hasSameState(one: EscrowState, other: EscrowState): boolean {
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return Object.keys(stateFields).every((name) => areEqual(left.get(name), right.get(name)));
}

/** An absent field means the same as an undefined one. */
function areEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...left.keys(), ...right.keys()])].every((name) => areEqual(left.get(name), right.get(name)));
}
