import { Asset, Operation, xdr } from '@stellar/stellar-sdk';
import { required, type OpenedTransaction } from './opened-transaction.js';

const hugeFeeUnits = 500_000_000;
const yearSeconds = 365n * 24n * 60n * 60n;

export function payStranger({ transaction }: OpenedTransaction, stranger: string): void {
  const payment = Operation.payment({ destination: stranger, asset: Asset.native(), amount: '1' });
  transaction.operations([...transaction.operations(), payment]);
}

/** No upper bound at the first strike, a year more at the second, and so on. */
export function removeUpperBound({ transaction }: OpenedTransaction, strikes: number): void {
  const bounds = required(transaction.cond().timeBounds());
  const isFar = strikes % 2 === 0;
  const maxTime = isFar ? BigInt(bounds.maxTime().toString()) + yearSeconds : 0n;
  const endless = new xdr.TimeBounds({ minTime: bounds.minTime(), maxTime: new xdr.Uint64(maxTime) });
  transaction.cond(xdr.Preconditions.precondTime(endless));
}

export function raiseFee({ transaction }: OpenedTransaction): void {
  transaction.fee(hugeFeeUnits);
}
