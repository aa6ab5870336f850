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
  .meta({ description: 'Your own id of the user, unique within a marketplace', example: 'customer-7' });
const type = z.enum(userTypes).meta({ description: 'What the user may be in an order', example: 'BOTH' });
const status = z.enum(userStatuses).meta({
  description: 'A suspended user can neither buy, sell, reserve, top up nor withdraw; what runs already ends as it should',
  example: 'ACTIVE',
});
const emailIn = email.nullable().meta({ description: 'Null for none', example: 'ada@example.com' });
const unlinked = z.string().nullable().meta({ example: null });

export const user = z
  .object({
    id: id('usr'),
    externalUserId,
    email: email.nullable(),
    type,
    status,
    paymentAccountUserId: unlinked,
    paymentAccountLinkedAt: instant.nullable().meta({ example: null }),
    ledgerAddress: unlinked,
    ledgerLinkedAt: instant.nullable().meta({ example: null }),
    metadata: z.record(z.string(), z.unknown()).meta({ example: { tier: 'gold' } }),
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
  name: 'createUser',
  method: 'post',
  summary: 'Create a user',
  description: 'The same `externalUserId` again returns the user that is there, with 200 and unchanged.',
  auth: 'write',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({
    externalUserId,
    email: emailIn.optional(),
    type: type.default('BOTH'),
    metadata: metadata.optional(),
  }),
  success: { status: 201, existingStatus: 200, data: user },
  errors: [],
});

export const listUsers = route({
  ...onUsers,
  name: 'listUsers',
  method: 'get',
  summary: 'List users, newest first',
  auth: 'read',
  idempotent: false,
  query: z.strictObject({
    ...pageQuery,
    externalUserId: externalUserId.optional(),
    email: freeText(textMax.email).optional().meta({ description: 'Exactly as it was given' }),
    type: type.optional(),
    status: status.optional(),
  }),
  body: noBody,
  success: { status: 200, data: user, list: true },
  errors: [],
});

export const getUser = route({
  ...onUser,
  name: 'getUser',
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
  name: 'updateUser',
  method: 'patch',
  summary: 'Change a user',
  description:
    'Fields that are left out stay as they are. `metadata` is merged by its keys, and a key set to null is removed. Answers once every part of the platform knows a new status, or after two seconds.',
  auth: 'write',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({
    status: status.optional(),
    email: emailIn.optional(),
    metadata: metadata.optional(),
  }),
  success: { status: 200, data: user },
  errors: ['USER_NOT_FOUND'],
});

export const userRoutes = [createUser, listUsers, getUser, updateUser] as const;
