import { In, IsNull, Not } from 'typeorm';
import type { Envelope } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { money } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import { changedContract } from '../domain/contract-change.js';
import type { Contracts, DeployedRef } from '../use-cases/ports.js';
import { contracts, type ContractRow } from './schema.js';
import * as sql from './contract-sql.js';

/** The lock of a row that the transaction changes. */
export const forUpdate = { mode: 'pessimistic_write' } as const;

type PublishedRow = { readonly published: readonly Envelope[] | null };
type RequestedRow = ContractRow & { readonly buyer: string; readonly seller: string };

export function contractStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Contracts {
  return {
    find: async (escrowId) => (await pool.query<ContractRow>(sql.findContract, [escrowId])).rows.map(toContract)[0],
    findDeployed: async (orderIds) => {
      const rows = await pool.manager.findBy(contracts.entity, { orderId: In(orderIds), contractId: Not(IsNull()) });
      return rows.flatMap(toDeployed);
    },
    findByContractId: async (contractId) => (await pool.manager.findOneBy(contracts.entity, { contractId }))?.escrowId,
    findRequested: async (orderId) => {
      const [row] = (await lists.query<RequestedRow>(sql.findRequested, [orderId])).rows;
      if (row === undefined) return undefined;
      const { buyer, seller, ...request } = row;
      return { ...toContract(request), addresses: { buyer, seller } };
    },
    adopt: async ({ escrowId, contractId, addresses: { buyer, seller, platform } }) => {
      const where = { escrowId, status: 'REQUESTED', contractId: IsNull() } as const;
      const adopted = { contractId, buyerAddress: buyer, sellerAddress: seller, platformAddress: platform };
      return (await lists.manager.update(contracts.entity, where, adopted)).affected === 1;
    },
    findOfOrder: async (orderId) => {
      const row = await pool.manager.findOne(contracts.entity, latestOf(orderId));
      return row === null ? undefined : toContract(row);
    },
    lock: async (tx, escrowId) => {
      const row = await tx.manager.findOne(contracts.entity, { where: { escrowId }, lock: forUpdate });
      if (row === null) throw new Error(`contract ${escrowId} does not exist`);
      return toContract(row);
    },
    change: (tx, contract, change, messageCount) => {
      const next = changedContract(contract, change, messageCount);
      tx.defer(sql.updateContract(toRow(next)));
      return next;
    },
    nextVersion: async (tx, escrowId) => {
      const [row] = await tx.query<{ readonly version: number }>(sql.nextVersion, [escrowId]);
      if (row === undefined) throw new Error(`contract ${escrowId} does not exist`);
      return row.version;
    },
    ...externalPayouts,
    claimUnchecked: async (checkedBefore, countMax) =>
      (await lists.query<ContractRow>(sql.claimUnchecked, [checkedBefore, countMax])).rows.map(toContract),
  };
}

/** What was published about payouts that were made outside this platform. */
const externalPayouts: Pick<
  Contracts,
  'saveExternalPayout' | 'findExternalPayout' | 'saveMilestonePayout' | 'findMilestonePayout'
> = {
  saveExternalPayout: (tx, escrowId, payout) => {
    tx.defer(sql.saveExternalPayout, [escrowId, JSON.stringify(payout)]);
  },
  findExternalPayout: async (tx, escrowId) => {
    const [row] = await tx.query<{ readonly externalPayout: Envelope | null }>(sql.findExternalPayout, [escrowId]);
    return row?.externalPayout ?? undefined;
  },
  saveMilestonePayout: (tx, escrowId, index, published) => {
    tx.defer(sql.saveMilestonePayout, [escrowId, index.toString(), JSON.stringify(published)]);
  },
  findMilestonePayout: async (tx, escrowId, index) => {
    const [row] = await tx.query<PublishedRow>(sql.findMilestonePayout, [escrowId, index.toString()]);
    return row?.published ?? undefined;
  },
};

function latestOf(orderId: OrderId) {
  return { where: { orderId, status: Not('FAILED' as const) }, order: { createdAt: 'desc' } } as const;
}

function toDeployed({ orderId, contractId, contractType: type, currency, status }: ContractRow): readonly DeployedRef[] {
  return contractId === null ? [] : [{ orderId, contractId, type, currency, status }];
}

export function toRow({ type, amount, milestones, addresses, contractId, ...rest }: Contract): ContractRow {
  return {
    ...rest,
    contractType: type,
    amountUnits: amount.units,
    currency: amount.currency,
    milestones: milestones.map((milestone) => ({ ...milestone, units: milestone.units.toString() })),
    buyerAddress: addresses?.buyer ?? null,
    sellerAddress: addresses?.seller ?? null,
    platformAddress: addresses?.platform ?? null,
    contractId: contractId ?? null,
  };
}

export function toContract(row: ContractRow): Contract {
  const { contractType, amountUnits, currency, milestones, buyerAddress, sellerAddress, platformAddress, contractId, ...rest } =
    row;
  const hasAddresses = buyerAddress !== null && sellerAddress !== null && platformAddress !== null;
  return {
    ...rest,
    type: contractType,
    amount: money(amountUnits, currency),
    milestones: milestones.map((milestone) => ({ ...milestone, units: BigInt(milestone.units) })),
    ...(hasAddresses ? { addresses: { buyer: buyerAddress, seller: sellerAddress, platform: platformAddress } } : {}),
    ...(contractId === null ? {} : { contractId }),
  };
}
