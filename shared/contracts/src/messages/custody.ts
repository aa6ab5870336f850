import { z } from 'zod';
import type { Instant } from '@holdfast/kernel/context';
import { idFromParts, type MessageId } from '@holdfast/kernel/ids';
import { custodyAssets } from '@holdfast/kernel/money';
import { amountOut, currency, id } from '../shapes/index.js';
import { message } from './message.js';

export { custodyAssets, type CustodyAsset } from '@holdfast/kernel/money';

/** A place that holds assets on the ledger network; wallets and contracts are identified by their owner. */
export const custodyPlaces = [
  'treasury',
  'platform',
  'wallet',
  'contract',
  'provider_fees',
  'network_fees',
  'capital',
  'world',
] as const;
export type CustodyPlace = (typeof custodyPlaces)[number];

const ledgerMessage = { version: 1, publisher: 'escrow-adapter', visibility: 'internal', acknowledged: true } as const;

export const balanceDepositReceived = message({
  ...ledgerMessage,
  aggregateType: 'Balance',
  type: 'balance.deposit_received',
  summary: "A deposit arrived in a user's wallet; published once per ledger operation.",
  payload: z.strictObject({
    userId: id('usr'),
    amount: amountOut,
    currency,
    operationId: z.string().meta({ example: '123456789012345' }),
  }),
});

/** The message id of a deposit is derived from its ledger operation, so that consumers handle a deposit once. */
export function depositMessageId({
  operationId,
  landedAt,
}: {
  readonly operationId: string;
  readonly landedAt: Instant;
}): MessageId {
  return idFromParts('evt', landedAt, ['deposit', operationId]);
}

const landedTransaction = z.strictObject({
  transactionHash: z.string().meta({ example: '3389e9f0f1a65f19736cacf544c2e825313e8447f569233bb8db39aa607c8889' }),
  ledger: z.int().optional().meta({ description: 'The ledger that contains it', example: 52_300_001 }),
  legs: z
    .array(
      z.strictObject({
        place: z.enum(custodyPlaces),
        ownerId: z
          .string()
          .meta({ description: 'User id of a wallet, order id of a contract', example: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y' })
          .optional(),
        asset: z.enum(custodyAssets),
        amount: amountOut.meta({ description: 'Negative for outgoing tokens; the legs of an asset sum to zero' }),
      }),
    )
    .min(2),
});

export const custodyTransactionsLanded = message({
  ...ledgerMessage,
  aggregateType: 'Custody',
  type: 'custody.transactions_landed',
  summary: 'Transactions were confirmed on the ledger network; published once per transaction.',
  payload: z.strictObject({ transactions: z.array(landedTransaction).min(1) }),
});

/**
 * How money that is not credited by itself has arrived: it is in the contract of an order, or in a claimable balance, which no
 * account holds.
 */
export const unknownDepositForms = ['contract_transfer', 'claimable_balance'] as const;
export type UnknownDepositForm = (typeof unknownDepositForms)[number];

export const custodyUnknownDepositFound = message({
  ...ledgerMessage,
  aggregateType: 'Custody',
  type: 'custody.unknown_deposit_found',
  summary: 'Money has arrived that is not credited by itself; published once per ledger operation.',
  payload: z.strictObject({
    operationId: z.string().meta({ example: '123456789012345' }),
    form: z.enum(unknownDepositForms),
    amount: amountOut,
    currency,
    userId: id('usr').nullable().meta({ description: 'The user who may claim it; null for money in a contract' }),
    orderId: z.string().nullable().meta({
      description: 'The order whose contract holds it; null for a claimable balance',
      example: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
    }),
  }),
});

export const custodyUnconfirmedDepositFound = message({
  ...ledgerMessage,
  aggregateType: 'Custody',
  type: 'custody.unconfirmed_deposit_found',
  summary: "The ledger network's history shows a deposit that nothing else has confirmed in time; published once per operation.",
  payload: z.strictObject({
    operationId: z.string().meta({ example: '123456789012345' }),
    amount: amountOut,
    currency,
    userId: id('usr').nullable().meta({ description: 'The owner of the wallet; null for money in a contract' }),
    orderId: z.string().nullable().meta({
      description: 'The order whose contract it was paid into; null for a wallet',
      example: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
    }),
  }),
});

export const outflowPlaces = ['treasury', 'platform', 'wallet'] as const;

export const custodyUnknownOutflowFound = message({
  ...ledgerMessage,
  aggregateType: 'Custody',
  type: 'custody.unknown_outflow_found',
  summary: 'Tokens have left an account of the platform in a transaction that the platform has not made.',
  payload: z.strictObject({
    sourceId: z.string().meta({ description: 'Transaction and number of the outflow in it', example: '3389e9f0-1' }),
    place: z.enum(outflowPlaces),
    userId: id('usr').nullable().meta({ description: 'The owner of the wallet; null for an account of the platform itself' }),
    amount: amountOut.meta({ description: 'Zero where the operation does not say how much it has moved' }),
    currency,
    to: z.string().nullable().meta({
      description: 'The receiver; null if there is none, or more than one',
      example: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
    }),
    memoHash: z.string().nullable().meta({
      description:
        'The memo of the transaction, where that is a hash. The memo of a withdrawal shows that the platform has paid it.',
      example: '3389e9f0f1a65f19736cacf544c2e825313e8447f569233bb8db39aa607c8889',
    }),
    stopsPayouts: z.boolean().meta({ description: 'Whether the emergency stop must be turned on' }),
  }),
});

export const custodyRecordQuarantined = message({
  ...ledgerMessage,
  aggregateType: 'Custody',
  type: 'custody.record_quarantined',
  summary: "A record of the ledger network's history names one of our accounts and cannot be understood.",
  payload: z.strictObject({
    recordId: z.string().meta({ description: 'The ledger operation, where the record names it', example: '123456789012345' }),
    reason: z.string().meta({ example: 'unknown operation type' }),
    userId: id('usr').nullable().meta({ description: 'The only user whose wallet it names; else null' }),
  }),
});

export const custodyMessages = [
  balanceDepositReceived,
  custodyTransactionsLanded,
  custodyUnknownDepositFound,
  custodyUnconfirmedDepositFound,
  custodyUnknownOutflowFound,
  custodyRecordQuarantined,
] as const;
