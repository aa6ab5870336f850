import type { ReservationId } from '@holdfast/kernel/ids';

export const holdKinds = ['order', 'manual', 'withdrawal'] as const;
export type HoldKind = (typeof holdKinds)[number];

/** What money is reserved for: an order, a withdrawal, or a manual reservation. */
export type Hold = { readonly kind: HoldKind; readonly subjectId: string | null };

export const manualHold: Hold = { kind: 'manual', subjectId: null };

export function orderHold(orderId: string): Hold {
  return { kind: 'order', subjectId: orderId };
}

export function withdrawalHold(withdrawalId: string): Hold {
  return { kind: 'withdrawal', subjectId: withdrawalId };
}

/** The hold that a balance route uses: that of the order if the request names one, else the manual hold. */
export function holdNamedBy(orderId: string | undefined): Hold {
  return orderId === undefined ? manualHold : orderHold(orderId);
}

export type Reservation = {
  readonly id: ReservationId;
  readonly hold: Hold;
  readonly accountId: bigint;
  /** The units that are still reserved. Zero once the reservation is used up. */
  readonly activeUnits: bigint;
  readonly reason: string | null;
};

/** Groups the reservations of one account by hold. */
export function holdKey(accountId: bigint, hold: Hold): string {
  return `${accountId.toString()}:${hold.kind}:${hold.subjectId ?? ''}`;
}

export function activeUnitsOf(reservations: readonly Reservation[]): bigint {
  return reservations.reduce((sum, { activeUnits }) => sum + activeUnits, 0n);
}

/** Takes units out of reservations, oldest first, and returns the changed ones. Throws if there are too few. */
export function takeOldestFirst(reservations: readonly Reservation[], units: bigint): readonly Reservation[] {
  const changed: Reservation[] = [];
  let missing = units;
  for (const reservation of reservations) {
    if (missing === 0n) break;
    const taken = reservation.activeUnits < missing ? reservation.activeUnits : missing;
    if (taken === 0n) continue;
    changed.push({ ...reservation, activeUnits: reservation.activeUnits - taken });
    missing -= taken;
  }
  if (missing > 0n) throw new RangeError('more was taken than is reserved');
  return changed;
}
