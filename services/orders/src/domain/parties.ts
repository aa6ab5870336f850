import { AppError } from '@holdfast/kernel/errors';

/** The buyer or the seller of an order. */
export type Party = { readonly id: string; readonly isActive: boolean };

export function inactiveParty(parties: readonly Party[]): Party | undefined {
  return parties.find(({ isActive }) => !isActive);
}

/** Funds move into an order only while both parties are active. Release, refund and cancel ignore a suspension. */
export function requireActiveParties(parties: readonly Party[]): void {
  const inactive = inactiveParty(parties);
  if (inactive !== undefined) throw new AppError('USER_NOT_ACTIVE', { userId: inactive.id });
}
