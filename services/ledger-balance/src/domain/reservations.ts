import type { ReservationId } from '@holdfast/kernel/ids';

export const reservationKinds = ['order', 'manual', 'withdrawal'] as const;
export type ReservationKind = (typeof reservationKinds)[number];

/** What money is reserved for: an order, a withdrawal, or a manual reservation. */
export type ReservedFor = { readonly kind: ReservationKind; readonly subjectId: string | null };

export const byManualRequest: ReservedFor = { kind: 'manual', subjectId: null };

export function forOrder(orderId: string): ReservedFor {
  return { kind: 'order', subjectId: orderId };
}

export function forWithdrawal(withdrawalId: string): ReservedFor {
  return { kind: 'withdrawal', subjectId: withdrawalId };
}

/** What a balance route reserves for: the order if the request names one, else nothing in particular. */
export function forOrderOrManual(orderId: string | undefined): ReservedFor {
  return orderId === undefined ? byManualRequest : forOrder(orderId);
}

export type Reservation = {
  readonly id: ReservationId;
  readonly reservedFor: ReservedFor;
  readonly accountId: bigint;
  /** The units that are still reserved. Zero once the reservation is used up. */
  readonly activeUnits: bigint;
  readonly reason: string | null;
};

/** Groups the reservations of one account by what they are for. */
export function reservedForKey(accountId: bigint, reservedFor: ReservedFor): string {
  return `${accountId.toString()}:${reservedFor.kind}:${reservedFor.subjectId ?? ''}`;
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
