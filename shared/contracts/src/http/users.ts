import { z } from 'zod';
import { userStatuses, userTypes } from '../messages/index.js';
import {
  amountOut,
  currency,
  email,
  freeText,
  id,
  instant,
  metadata,
  noBody,
  noParams,
  noQuery,
  pageQuery,
  textMax,
} from '../shapes/index.js';
import { route } from './route.js';

const path = '/users';
const ofUsers = { service: 'identity', family: 'plain', malformedParams: 'USER_NOT_FOUND' } as const;
const onUsers = { ...ofUsers, path, params: noParams } as const;
const onUser = { ...ofUsers, path: `${path}/{id}`, params: z.strictObject({ id: id('usr') }) } as const;

const externalUserId = freeText(textMax.reference)
  .min(1)
  .meta({ description: 'Your own id for the user; unique within a marketplace', example: 'customer-7' });
const type = z.enum(userTypes).meta({ description: 'Roles that the user can take in an order', example: 'BOTH' });
const status = z.enum(userStatuses).meta({
  description: 'A `SUSPENDED` user cannot buy, sell, reserve funds, top up or withdraw; running operations are completed',
  example: 'ACTIVE',
});
/** Null is the same as leaving the field out, so an empty text removes the address. */
const emailPatch = z
  .preprocess((given) => (typeof given === 'string' && given.trim() === '' ? null : given), email.nullable())
  .meta({ description: 'An empty text removes the address', example: 'ada@example.com' });
const unlinked = z.string().nullable();

export const user = z
  .object({
    id: id('usr'),
    externalUserId,
    email: email.nullable(),
    type,
    status,
    paymentAccountUserId: unlinked.meta({
      description: "The user's id at the payment provider; null until linked",
      example: null,
    }),
    paymentAccountLinkedAt: instant.nullable().meta({ description: 'Null until linked', example: null }),
    ledgerAddress: unlinked.meta({ description: 'Address on the ledger network; null until linked', example: null }),
    ledgerLinkedAt: instant.nullable().meta({ description: 'Null until linked', example: null }),
    metadata: z.record(z.string(), z.unknown()).meta({ description: 'Your own data', example: { tier: 'gold' } }),
    balance: z
      .object({ available: amountOut, reserved: amountOut, total: amountOut, currency })
      .meta({ example: { available: '80.00', reserved: '20.00', total: '100.00', currency: 'USD' } }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'User' });
export type UserView = z.infer<typeof user>;

export const createUser = route({
  ...onUsers,
  name: 'users.create',
  method: 'post',
  summary: 'Create a user',
  description: 'If a user with this `externalUserId` exists, it is returned unchanged with 200.',
  auth: 'write',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({
    externalUserId,
    email: email.optional(),
    type: type.default('BOTH'),
    metadata: metadata.optional(),
  }),
  success: { status: 201, existingStatus: 200, data: user },
  errors: [],
});

export const listUsers = route({
  ...onUsers,
  name: 'users.list',
  method: 'get',
  summary: 'List users',
  description: 'Newest first.',
  auth: 'read',
  idempotent: false,
  query: z.strictObject({
    ...pageQuery,
    externalUserId: externalUserId.optional(),
    email: freeText(textMax.email).optional().meta({ description: 'Exact match' }),
    type: type.optional(),
    status: status.optional(),
  }),
  body: noBody,
  success: { status: 200, data: user, list: true },
  errors: [],
});

export const getUser = route({
  ...onUser,
  name: 'users.get',
  method: 'get',
  summary: 'Get a user',
  auth: 'read',
  idempotent: false,
  query: noQuery,
  body: noBody,
  success: { status: 200, data: user },
  errors: ['USER_NOT_FOUND'],
});

export const updateUser = route({
  ...onUser,
  name: 'users.update',
  method: 'patch',
  summary: 'Update a user',
  description:
    'Fields that are omitted or null are not changed; an empty `email` removes the address. `metadata` is merged by key; a key set to null is removed. A new status is applied by every service before the response is sent, or the response is sent after two seconds.',
  auth: 'write',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({
    status: status.optional(),
    email: emailPatch.optional(),
    metadata: metadata.optional(),
  }),
  success: { status: 200, data: user },
  errors: ['USER_NOT_FOUND'],
});

export const userRoutes = { createUser, listUsers, getUser, updateUser };
