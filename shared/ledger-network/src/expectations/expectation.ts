import type { LedgerTransfer, Payment } from '../values/index.js';
import type { ExpectedValue } from './expected-values.js';

/** The one transaction that may be signed: a call of a contract, or a payment. */
export type Expectation = CallExpectation | PaymentExpectation;

type ExpectedTransaction = {
  readonly networkPassphrase: string;
  /** Source account of the transaction, whose sequence number it uses; of a call also its caller. */
  readonly signer: string;
  readonly feeUnitsMax: bigint;
};

export type CallExpectation = ExpectedTransaction & {
  readonly call: ExpectedInvocation;
  /** What the function may do in the name of the signer beyond the call itself. */
  readonly authorizes: readonly ExpectedInvocation[];
  /** What it must move once it has landed. */
  readonly transfers: readonly LedgerTransfer[];
};

/** A payment, which the platform builds itself. */
export type PaymentExpectation = ExpectedTransaction & {
  readonly payment: Payment;
  /** The asset of the payment in the network's words: `native`, or code and issuer. */
  readonly assetName: string;
};

/** In the order of the contract, with the names of its specification. */
export type ExpectedArguments = readonly (readonly [name: string, value: ExpectedValue])[];

export type ExpectedInvocation = {
  readonly contract: string;
  readonly function: string;
  readonly args: ExpectedArguments;
};
