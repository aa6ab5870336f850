import type { FalsifyingKind } from '../../control/fault-kinds.js';
import { changeAmount } from './amounts.js';
import { addTransfer, useAddressCredential } from './authorization.js';
import { callOtherContract, callOtherFunction } from './call.js';
import { payStranger, raiseFee, removeUpperBound } from './envelope-fields.js';
import { openTransaction, type OpenedTransaction } from './opened-transaction.js';
import { changeReceiver } from './receivers.js';

export type Falsification = {
  readonly kind: FalsifyingKind;
  /** How often the fault has struck, this time included. */
  readonly strikes: number;
  /** The account that a falsified transaction pays. */
  readonly stranger: string;
};

type Falsify = (opened: OpenedTransaction, falsification: Falsification) => void;

const falsifications: Readonly<Record<FalsifyingKind, Falsify>> = {
  'wrong-contract': callOtherContract,
  'wrong-function': callOtherFunction,
  'extra-operation': (opened, { stranger }) => payStranger(opened, stranger),
  'foreign-credential': useAddressCredential,
  'endless-bounds': (opened, { strikes }) => removeUpperBound(opened, strikes),
  'huge-fee': raiseFee,
  'wrong-amount': changeAmount,
  'wrong-receiver': (opened, { stranger }) => changeReceiver(opened, stranger),
  'extra-transfer': (opened, { stranger }) => addTransfer(opened, stranger),
};

/** Changes in a built transaction what the kind says, and nothing else. */
export function falsify(envelopeXdr: string, falsification: Falsification): string {
  const opened = openTransaction(envelopeXdr);
  falsifications[falsification.kind](opened, falsification);
  return opened.toXdr();
}
