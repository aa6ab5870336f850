import { z } from 'zod';
import { custodyAssets } from '../messages/index.js';
import { serviceNames } from '../services/index.js';
import { amountOut, currency, freeText, id, instant, opaqueId, textMax } from '../shapes/index.js';
import { emergencyStop } from './emergency-stop.js';
import { parkedReasons } from './parked-messages.js';
import { dependencyHealth } from './platform.js';
import { reconciliationReport } from './reconciliation.js';
import { runStates } from './run-states.js';

/** What an operator says with each change; the audit log keeps it. */
export const operatorBody = {
  by: freeText(textMax.title).min(1).meta({ description: 'The person; the audit log names them', example: 'Ada Lovelace' }),
  reason: freeText(textMax.reason).min(1).meta({ description: 'Why; the audit log says it', example: 'ticket 7' }),
} as const;

export const serviceName = z.enum(serviceNames).meta({ description: 'Service of the platform', example: 'orders' });

/** Each route that reads several services names those that did not respond in time; the rest of the response is complete. */
const unavailable = z
  .array(z.enum(serviceNames))
  .meta({ description: 'Services that did not respond in time: what they know is missing', example: [] });

export const sagaRunRecord = z
  .object({
    id: id('run'),
    service: z.enum(['orders', 'payments']).meta({ description: 'Which service drives the run' }),
    saga: z.string().meta({ example: 'fund' }),
    aggregateId: opaqueId('ord').meta({ description: 'Order, top-up, withdrawal or reconciliation case' }),
    marketplaceId: id('mkt'),
    state: z.enum(runStates).meta({
      description:
        '`RETRYING`: its command was resent. `OVERDUE`: past its deadline. `CONTRADICTED`: no retry helps, a person must look',
      example: 'RETRYING',
    }),
    aggregateStatus: z
      .string()
      .nullable()
      .meta({ description: 'Status of the order; null for other aggregates', example: 'ESCROW_FUNDING' }),
    currentRunId: id('run')
      .nullable()
      .meta({ description: 'In a sequence of sagas, the run of the current saga', example: null }),
    isPastPointOfNoReturn: z.boolean().meta({ description: 'No step will be compensated any more', example: false }),
    attempts: z.int().meta({ description: 'How often its command was resent', example: 2 }),
    nextRetryAt: instant.nullable().meta({ description: 'Null if the retries were stopped, or the run has ended' }),
    retryStoppedReason: z.string().nullable().meta({ description: 'Why no retry helps', example: null }),
    begunAt: instant,
    ageMs: z.int().meta({ description: 'Time since it began, or how long it has taken, in milliseconds', example: 61_500 }),
    endedAt: instant.nullable().meta({ description: 'Null while the run is open', example: null }),
  })
  .meta({ id: 'SagaRun' });
export type SagaRunRecord = z.infer<typeof sagaRunRecord>;

export const sagaRunPage = z
  .object({
    runs: z.array(sagaRunRecord),
    unavailable,
    hasMore: z.boolean().meta({ example: false }),
    nextCursor: z.string().nullable().meta({ description: 'The `cursor` of the next page; null on the last one', example: null }),
  })
  .meta({ id: 'SagaRunPage' });
export type SagaRunPage = z.infer<typeof sagaRunPage>;

export const parkedMessageRecord = z
  .object({
    service: serviceName,
    messageId: z.string().meta({ example: 'evt_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
    type: z.string().meta({ example: 'escrow.funded' }),
    attempts: z.int().meta({ description: 'Failures of its handler', example: 5 }),
    reason: z.enum(parkedReasons).meta({
      description:
        '`FAILED`: every attempt has failed. `NOT_RETRYABLE`: the handler refuses it. `UNKNOWN_VERSION`: no process knows its version. The log of the service has the error',
      example: 'FAILED',
    }),
    parkedAt: instant,
    redrivenAt: instant
      .nullable()
      .meta({ description: 'When an operator has sent it back; null if no operator has since it was parked', example: null }),
  })
  .meta({ id: 'ParkedMessage' });
export type ParkedMessageRecord = z.infer<typeof parkedMessageRecord>;

export const parkedMessagePage = z
  .object({
    messages: z
      .array(parkedMessageRecord)
      .meta({ description: 'Oldest first, at most 200 of each service, without their content' }),
    counts: z
      .partialRecord(z.enum(serviceNames), z.int())
      .meta({ description: 'How many are parked, by service', example: { orders: 1 } }),
    unavailable,
  })
  .meta({ id: 'ParkedMessages' });
export type ParkedMessagePage = z.infer<typeof parkedMessagePage>;

export const redrivenMessages = z
  .object({ service: serviceName, redriven: z.int().meta({ description: 'How many were sent back', example: 1 }) })
  .meta({ id: 'RedrivenMessages' });

const spendingCap = z.object({
  name: z.string().meta({ example: 'treasury USDC' }),
  max: amountOut.nullable().meta({ description: 'What may be spent within an hour; null without a cap', example: '5000.00' }),
  spent: amountOut.meta({ description: 'What was spent within the last hour; 0.00 without a cap', example: '120.00' }),
});
export type SpendingCapView = z.infer<typeof spendingCap>;

const controlledProvider = z.object({
  name: z.string().meta({ example: 'escrow-provider' }),
  kind: z.enum(['sandbox', 'live']).meta({ example: 'sandbox' }),
  health: dependencyHealth,
  breaker: z
    .enum(['closed', 'half-open', 'open'])
    .nullable()
    .meta({ description: 'Circuit breaker of the replica that responds; null where calls have none', example: 'closed' }),
  budget: z
    .object({
      callsMax: z.int().meta({ description: 'Calls within one window', example: 50 }),
      windowMs: z.int().meta({ example: 60_000 }),
      callsLeft: z.int().meta({ description: 'As far as the replica that responds knows', example: 48 }),
    })
    .nullable()
    .meta({ description: 'Null without a limit' }),
});
export type ControlledProvider = z.infer<typeof controlledProvider>;

/** What a service that signs, pays out or starts either knows of the controls of its providers. */
export const providerControls = z.object({
  isStopped: z.boolean().meta({ description: 'The emergency stop, as this service knows it', example: false }),
  providers: z.array(controlledProvider),
  caps: z.array(spendingCap),
});
export type ProviderControls = z.infer<typeof providerControls>;

export const providersRecord = z
  .object({
    emergencyStop: emergencyStop.nullable().meta({ description: 'Null while identity does not respond' }),
    services: z.array(
      z.object({
        service: z.enum(['orders', 'escrow-adapter', 'payments']).meta({ example: 'payments' }),
        ...providerControls.shape,
      }),
    ),
    unavailable,
  })
  .meta({ id: 'ProviderControls' });
export type ProvidersRecord = z.infer<typeof providersRecord>;

const asset = z.enum(custodyAssets).meta({ example: 'USDC' });
const holdings = z.array(z.object({ asset, amount: amountOut }));

export const treasuryRecord = z
  .object({
    address: z.string().meta({ example: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5' }),
    platformAddress: z.string().meta({
      description: 'Account that receives the fees',
      example: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
    }),
    readAt: instant
      .nullable()
      .meta({ description: 'When the replica that responds last read the balances; null if it has not yet' }),
    holdings: holdings.meta({ description: 'What the treasury and its channels hold together' }),
    channels: z.array(
      z.object({
        address: z.string().meta({ example: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5' }),
        holdings: holdings.meta({ description: 'Empty while the channel has no account' }),
      }),
    ),
    lowBelow: amountOut.meta({ description: 'Below this amount of USDC the treasury is low', example: '1000.00' }),
    isLow: z.boolean().nullable().meta({ description: 'Null if the balances were not read yet', example: false }),
    caps: z.array(spendingCap),
    openTransaction: z
      .object({
        hash: z.string().meta({ example: 'a'.repeat(64) }),
        purpose: z.string().meta({ example: 'activate' }),
        validUntil: instant,
      })
      .nullable()
      .meta({ description: 'Transaction of the treasury that is not decided yet', example: null }),
    walletsWaiting: z.int().meta({ description: 'Wallets that wait for their activation, up to 1,000', example: 0 }),
  })
  .meta({ id: 'Treasury' });
export type TreasuryRecord = z.infer<typeof treasuryRecord>;

/** What the last check of the ledger has found. */
export const ledgerCheck = z.object({
  checkedAt: instant,
  isSound: z.boolean().meta({ description: 'Every rule of the books holds', example: true }),
  transfers: z.int().meta({ example: 1_204 }),
  accounts: z.int().meta({ example: 88 }),
  discrepancies: z
    .array(
      z.object({
        rule: z.string().meta({ example: 'transfers-sum-to-zero' }),
        subject: z.string().meta({ example: 'trf_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
        expected: z.string().meta({ example: '0.00' }),
        found: z.string().meta({ example: '0.01' }),
      }),
    )
    .meta({ description: 'At most 100 of each rule', example: [] }),
  books: z
    .array(z.object({ book: z.string().meta({ example: 'escrow' }), currency, amount: amountOut }))
    .meta({ description: 'Totals of the journal' }),
});
export type LedgerCheck = z.infer<typeof ledgerCheck>;

export const ledgerProof = z
  .object({
    isSound: z.boolean().nullable().meta({
      description:
        'The books hold every rule, and no report has a difference or anything unexplained; null while something is missing that would prove it',
      example: true,
    }),
    ledger: ledgerCheck.nullable().meta({ description: 'Null before the first check of the replica that responds' }),
    reports: z.array(reconciliationReport).meta({
      description: 'The newest reconciliation report of each currency: solvency, custody on the ledger network, and differences',
    }),
    unavailable,
  })
  .meta({ id: 'LedgerProof' });
export type LedgerProof = z.infer<typeof ledgerProof>;
