/** Thrown inside a transaction to have it run again: a rival got ahead, and the next try will see what it did. */
export class TransactionConflict extends Error {
  /** What Postgres itself says when two transactions cannot both be. */
  readonly code = '40001';

  constructor(reason: string) {
    super(reason);
    this.name = 'TransactionConflict';
  }
}
