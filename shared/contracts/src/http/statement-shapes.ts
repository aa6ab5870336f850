import { z } from 'zod';
import { amountOut, currency, id, instant } from '../shapes/index.js';
import { transferTypes } from './balance-shapes.js';

const amounts = z.object({ available: amountOut, reserved: amountOut });

/** The columns of the CSV file have the same names and the same order. */
export const statementLine = z
  .object({
    at: instant,
    type: z.enum(transferTypes),
    amount: amountOut.meta({
      description: 'Signed change of available + reserved; zero where funds were only reserved or freed',
      example: '95.00',
    }),
    available: amountOut.meta({ description: 'Available balance after the line' }),
    reserved: amountOut.meta({ description: 'Reserved balance after the line' }),
    transferId: id('tr'),
    orderId: z.string().nullable(),
    milestoneRef: z.string().nullable(),
    topupId: z.string().nullable(),
    withdrawalId: z.string().nullable(),
    description: z.string(),
  })
  .meta({
    id: 'StatementLine',
    example: {
      at: '2026-01-31T12:00:00.123456Z',
      type: 'ESCROW_PAYOUT',
      amount: '95.00',
      available: '95.00',
      reserved: '0.00',
      transferId: 'tr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      orderId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      milestoneRef: null,
      topupId: null,
      withdrawalId: null,
      description: 'Payment for order ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
    },
  });
export type StatementLine = z.infer<typeof statementLine>;

export const statementColumns = [
  'at',
  'type',
  'amount',
  'available',
  'reserved',
  'transferId',
  'orderId',
  'milestoneRef',
  'topupId',
  'withdrawalId',
  'description',
] as const satisfies readonly (keyof StatementLine)[];

export const statement = z
  .object({
    userId: id('usr'),
    currency,
    from: instant,
    to: instant.meta({ description: 'A time in the future is cut to now' }),
    opening: amounts.meta({ description: 'The balance at `from`' }),
    closing: amounts.meta({ description: 'The balance at `to`' }),
    totals: z
      .object({
        in: amountOut.meta({ description: 'Sum of the lines above zero' }),
        out: amountOut.meta({ description: 'Sum of the lines below zero, without its sign' }),
        fees: amountOut.meta({
          description: 'What the platform kept of the payments to this user: information, no part of the sums',
        }),
      })
      .meta({ description: 'Of the whole period, on every page' }),
    lines: z.array(statementLine),
    isComplete: z.boolean().meta({ description: 'True: the period is over, and no line will be added to it' }),
    hasMore: z.boolean().meta({ description: 'Whether there is a next page' }),
    nextCursor: z.string().nullable().meta({ description: 'Send it as `cursor` to get the next page; null on the last page' }),
  })
  .meta({
    id: 'Statement',
    example: {
      userId: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      currency: 'USD',
      from: '2026-01-01T00:00:00.000000Z',
      to: '2026-02-01T00:00:00.000000Z',
      opening: { available: '0.00', reserved: '0.00' },
      closing: { available: '95.00', reserved: '0.00' },
      totals: { in: '95.00', out: '0.00', fees: '5.00' },
      lines: [
        {
          at: '2026-01-31T12:00:00.123456Z',
          type: 'ESCROW_PAYOUT',
          amount: '95.00',
          available: '95.00',
          reserved: '0.00',
          transferId: 'tr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
          orderId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
          milestoneRef: null,
          topupId: null,
          withdrawalId: null,
          description: 'Payment for order ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
        },
      ],
      isComplete: true,
      hasMore: false,
      nextCursor: null,
    },
  });
export type StatementView = z.infer<typeof statement>;
