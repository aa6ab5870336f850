import type { Broker } from '@holdfast/messaging/broker';
import type { Context } from '@holdfast/kernel/context';
import { credentialsTopic } from '@holdfast/contracts/messages';
import { recordIfNew } from '@holdfast/messaging/inbox';
import { type Outbox } from '@holdfast/messaging/outbox';
import type { Tx } from '@holdfast/postgres';
import type { UnitOfWork } from '../use-cases/ports.js';
import { toApiKey, toApiKeyRow } from './api-key-store.js';
import { emergencyStopIn } from './emergency-stop-store.js';
import { refusalsIn } from './refused-credentials.js';
import * as schema from './schema.js';

export type UnitOfWorkDeps = { readonly outbox: Outbox; readonly broker: Pick<Broker, 'broadcast'> };

const forUpdate = { mode: 'pessimistic_write' } as const;

/** The stores of one transaction. */
export function createUnitOfWork(tx: Tx, { outbox, broker }: UnitOfWorkDeps, { requestId }: Context): UnitOfWork {
  const marketplaces = tx.manager.getRepository(schema.marketplaces.entity);
  const apiKeys = tx.manager.getRepository(schema.apiKeys.entity);
  const users = tx.manager.getRepository(schema.users.entity);
  return {
    marketplaces: {
      insert: async (marketplace) => {
        await marketplaces.insert(marketplace);
      },
      lock: async (id) => (await marketplaces.findOne({ where: { id }, lock: forUpdate })) ?? undefined,
      save: async ({ id, createdAt: _, ...changed }) => {
        await marketplaces.update({ id }, changed);
      },
    },
    apiKeys: {
      insert: async (key) => {
        await apiKeys.insert(toApiKeyRow(key));
      },
      lock: async (id) => {
        const row = await apiKeys.findOne({ where: { id }, lock: forUpdate });
        return row === null ? undefined : toApiKey(row);
      },
      save: async (key) => {
        const { id, secretHash, secretNumber, previousSecretHash, previousValidUntil, revokedAt, version } = toApiKeyRow(key);
        await apiKeys.update({ id }, { secretHash, secretNumber, previousSecretHash, previousValidUntil, revokedAt, version });
      },
      invalidateCaches: (id) => {
        tx.afterCommit(() => {
          broker.broadcast({ topic: credentialsTopic, key: id });
        });
      },
    },
    users: {
      insertOrFind: async (user) => {
        const { marketplaceId, externalUserId } = user;
        const inserted = await tx.query(schema.insertUsers([user]));
        return inserted.length === 1 ? user : users.findOneByOrFail({ marketplaceId, externalUserId });
      },
      lock: async (marketplaceId, id) => (await users.findOne({ where: { id, marketplaceId }, lock: forUpdate })) ?? undefined,
      save: async ({ id, status, email, metadata, version, updatedAt }) => {
        await users.update({ id }, { status, email, metadata: metadata as object, version, updatedAt });
      },
    },
    logins: { insert: async (login) => (await tx.query(schema.insertLogins([login]))).length === 1 },
    refusals: refusalsIn(tx),
    recordMessage: (id) => recordIfNew(tx, 'identity', id),
    emergencyStop: emergencyStopIn(tx),
    publish: (declaration, message) => outbox.add(tx, declaration, { ...message, correlationId: requestId }).id,
  };
}
