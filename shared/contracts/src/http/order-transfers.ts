import { z } from 'zod';
import { amountOut, currency, id, instant, noBody, pageQuery } from '../shapes/index.js';
import { transferTypes } from './balance-shapes.js';
import { route } from './route.js';

const leg = z.object({
  account: z.string().meta({
    description:
      '`user:<id>:available`, `user:<id>:reserved`, `escrow:<order id>`, `platform:<name>`, or `external:<name>` for money from and to the outside',
    example: 'escrow:ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  }),
  amount: amountOut.meta({ description: 'Signed: above zero is added to the account', example: '-95.00' }),
  currency,
});

export const orderTransfer = z
  .object({
    id: id('tr'),
    type: z.enum(transferTypes),
    orderId: z.string(),
    milestoneRef: z.string().nullable(),
    reference: z.string().nullable(),
    description: z.string().nullable(),
    legs: z.array(leg).meta({ description: 'They add up to zero' }),
    createdAt: instant,
  })
  .meta({
    id: 'OrderTransfer',
    example: {
      id: 'tr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      type: 'ESCROW_PAYOUT',
      orderId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      milestoneRef: null,
      reference: null,
      description: 'Escrow: released, less the platform fee',
      legs: [
        { account: 'escrow:ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y', amount: '-95.00', currency: 'USD' },
        { account: 'user:usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y:available', amount: '95.00', currency: 'USD' },
      ],
      createdAt: '2026-01-31T12:00:00.123456Z',
    },
  });
export type OrderTransfer = z.infer<typeof orderTransfer>;

const ofOrder = {
  method: 'get',
  idempotent: false,
  params: z.strictObject({ id: id('ord') }),
  malformedParams: 'ORDER_NOT_FOUND',
  query: z.strictObject(pageQuery),
  body: noBody,
} as const;

export const listOrderTransfers = route({
  ...ofOrder,
  service: 'orders',
  family: 'order',
  name: 'orders.listTransfers',
  path: '/orders/{id}/transfers',
  summary: 'List the transfers of an order',
  description: 'What the journal has booked for the order: each movement of money with its legs. Newest first.',
  auth: 'read',
  success: { status: 200, data: orderTransfer, list: true },
  errors: ['ORDER_NOT_FOUND'],
});

/** The journal knows no orders, so orders looks for the order first. */
export const findOrderTransfers = route({
  ...ofOrder,
  service: 'ledger-balance',
  family: 'plain',
  isInternal: true,
  name: 'findOrderTransfers',
  path: '/internal/orders/{id}/transfers',
  summary: "List the transfers with this order id in the caller's marketplace",
  auth: 'any',
  success: { status: 200, data: z.object({ items: z.array(orderTransfer).readonly(), nextCursor: z.string().nullable() }) },
  errors: [],
});

export const orderTransferRoutes = { listOrderTransfers };
