import { type xdr } from '@stellar/stellar-sdk';
import type { OpenedTransaction } from './opened-transaction.js';

/** The initialiser's arguments in a deployment: a vector that contains the escrow. */
export const escrowIndex = 4;

export function isDeployment(functionName: string): boolean {
  return functionName.startsWith('tw_new_');
}

/** The distributions are the last argument of every function that has them. */
export function distributionsIndex({ calls }: OpenedTransaction): number {
  return calls[0].args().length - 1;
}

/** The first argument of a type after the caller, which is the first argument of every release; -1 without one. */
export function indexAfterCaller({ calls }: OpenedTransaction, type: xdr.ScValType): number {
  return calls[0].args().findIndex((value, index) => index > 0 && value.switch() === type);
}
