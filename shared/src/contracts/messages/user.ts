import { z } from 'zod';
import { id } from '../shapes/index.js';
import { message } from './message.js';

export const userTypes = ['BUYER', 'SELLER', 'BOTH'] as const;
export const userStatuses = ['ACTIVE', 'SUSPENDED'] as const;
export type UserType = (typeof userTypes)[number];
export type UserStatus = (typeof userStatuses)[number];

const userFields = {
  userId: id('usr'),
  externalUserId: z.string().meta({ description: "The marketplace's own id of the user", example: 'customer-7' }),
  email: z.string().meta({ example: 'ada@example.com' }).optional(),
  type: z.enum(userTypes),
  status: z.enum(userStatuses),
};

export const userCreated = message({
  type: 'user.created',
  version: 1,
  visibility: 'public',
  aggregateType: 'User',
  summary: 'A user exists and can be used on every route.',
  publisher: 'identity',
  listeners: ['ledger-balance', 'orders', 'escrow-adapter', 'payments'],
  payload: z.strictObject(userFields),
});

export const userChanged = message({
  type: 'user.changed',
  version: 1,
  visibility: 'internal',
  aggregateType: 'User',
  summary: "A user's status, type or e-mail is now as told here.",
  publisher: 'identity',
  listeners: ['ledger-balance', 'orders', 'escrow-adapter', 'payments'],
  payload: z.strictObject(userFields),
});

export const userMessages = [userCreated, userChanged] as const;
