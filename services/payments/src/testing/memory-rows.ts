import type { ReconciliationReportRecord } from '@holdfast/contracts/http';
import type { IntentLease, NewIntent, WorkerState } from '@holdfast/intents';
import type { Instant } from '@holdfast/kernel/context';
import type { OutboxTables, RunTables, UserTables } from '@holdfast/testing/memory';
import type { Case } from '../domain/case.js';
import type { PaymentAccount } from '../domain/payment-account.js';
import type { Topup } from '../domain/topup.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { PaymentResolution } from '../use-cases/resolution-ports.js';

export type IntentRow = NewIntent &
  IntentLease & {
    readonly workerState: WorkerState;
    readonly attempts: number;
    readonly createdAt: Instant;
    readonly isClosed: boolean;
  };

type OperationRow = { readonly fingerprint: string; readonly result: string; readonly doneAt: Instant };

export type PaymentTables = OutboxTables &
  RunTables &
  UserTables & {
    readonly topups: Map<string, Topup>;
    /** When a browser last returned from the payment provider, by top-up. */
    readonly returns: Map<string, number>;
    readonly withdrawals: Map<string, Withdrawal>;
    readonly cases: Map<string, Case>;
    readonly accounts: Map<string, PaymentAccount>;
    readonly intents: Map<string, IntentRow>;
    readonly operations: Map<string, OperationRow>;
    readonly reports: Map<string, ReconciliationReportRecord>;
    readonly resolutions: Map<string, PaymentResolution>;
    /** Its only row exists while the stop is on that followed a restore. */
    readonly restores: Map<string, Instant>;
    /** How many seconds the clock of a marketplace is ahead. */
    readonly testClocks: Map<string, number>;
  };

export function emptyTables(): PaymentTables {
  return {
    topups: new Map(),
    returns: new Map(),
    withdrawals: new Map(),
    cases: new Map(),
    accounts: new Map(),
    intents: new Map(),
    operations: new Map(),
    reports: new Map(),
    resolutions: new Map(),
    restores: new Map(),
    testClocks: new Map(),
    users: new Map(),
    inbox: new Map(),
    runs: new Map(),
    outbox: new Map(),
  };
}

export function isOpenTopup({ status }: Topup): boolean {
  return status !== 'TOPUP_SUCCEEDED' && status !== 'TOPUP_FAILED' && status !== 'TOPUP_CANCELED';
}

export function isOpenWithdrawal({ status }: Withdrawal): boolean {
  return status !== 'WITHDRAWAL_COMPLETED' && status !== 'WITHDRAWAL_FAILED' && status !== 'WITHDRAWAL_CANCELED';
}

/** Ascending by a text, such as an instant or an id. */
export function by<Row>(keyOf: (row: Row) => string): (one: Row, other: Row) => number {
  return (one, other) => (keyOf(one) < keyOf(other) ? -1 : 1);
}
