/** Thrown inside a transaction to have it retried: a concurrent transaction was first, and the retry will see its changes. */
export class TransactionConflict extends Error {
  /** The SQLSTATE of a serialization failure. */
  readonly code = '40001';

  constructor(reason: string) {
    super(reason);
    this.name = 'TransactionConflict';
  }
}
