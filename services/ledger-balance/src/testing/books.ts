import { accountKey, escrowAccount, userAccount, type Account } from '../domain/accounts.js';
import { reservedForKey, byManualRequest, type Reservation } from '../domain/reservations.js';

let nextId = 1n;

export const aUserId = 'usr_1';
export const anotherUserId = 'usr_2';
export const anOrderId = 'ord_1';

/** A user's empty USD account with the given overrides. */
export function aUser(overrides: Partial<Account> = {}): Account {
  return {
    ...userAccount(aUserId, 'USD'),
    id: nextId++,
    availableUnits: 0n,
    reservedUnits: 0n,
    version: 0,
    isSuspended: false,
    ...overrides,
  };
}

export function anEscrow(units: bigint): Account {
  return {
    ...escrowAccount(anOrderId, 'USD'),
    id: nextId++,
    availableUnits: units,
    reservedUnits: 0n,
    version: 0,
    isSuspended: false,
  };
}

export function aReservation(overrides: Partial<Reservation> & Pick<Reservation, 'accountId' | 'activeUnits'>): Reservation {
  return { id: `res_${String(nextId++)}`, reservedFor: byManualRequest, reason: null, ...overrides };
}

export function aBook(accounts: readonly Account[], reservations: readonly Reservation[] = []) {
  const grouped = new Map<string, readonly Reservation[]>();
  for (const reservation of reservations) {
    const key = reservedForKey(reservation.accountId, reservation.reservedFor);
    grouped.set(key, [...(grouped.get(key) ?? []), reservation]);
  }
  return { accounts: new Map(accounts.map((account) => [accountKey(account), account])), reservations: grouped };
}
