import type { Envelope } from '@holdfast/contracts/messages';
import type { EscrowId } from '@holdfast/kernel/ids';
import { money } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import { moved } from '@holdfast/kernel/states';
import type { Contract } from '../domain/contract.js';
import { contractMoves } from '../domain/contract-states.js';
import type { ContractChange, Contracts, DeployedRef } from '../use-cases/ports.js';
import type { ContractRow } from './schema.js';
import * as sql from './contract-sql.js';

type RequestedRow = ContractRow & { readonly buyer: string; readonly seller: string };

export function contractStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Contracts {
  return {
    find: async (escrowId) => {
      const [row] = (await pool.query<ContractRow>(sql.findContract, [escrowId])).rows;
      return row === undefined ? undefined : toContract(row);
    },
    findDeployed: async (orderIds) => (await pool.query<DeployedRef>(sql.findDeployed, [orderIds])).rows,
    findByContractId: async (contractId) => {
      const { rows } = await pool.query<{ readonly escrowId: EscrowId }>(sql.findByContractId, [contractId]);
      return rows[0]?.escrowId;
    },
    findRequested: async (orderId) => {
      const [row] = (await lists.query<RequestedRow>(sql.findRequested, [orderId])).rows;
      if (row === undefined) return undefined;
      const { buyer, seller, ...request } = row;
      return { ...toContract(request), addresses: { buyer, seller } };
    },
    adopt: async ({ escrowId, contractId, addresses: { buyer, seller, platform } }) =>
      (await lists.query(sql.adoptContract, [escrowId, contractId, buyer, seller, platform])).rows.length === 1,
    insert: (tx, contract) => tx.defer(sql.insertContracts([toRow(contract)])),
    require: async (tx, escrowId) => {
      const [row] = await tx.query<ContractRow>(sql.findContract, [escrowId]);
      if (row === undefined) throw new Error(`There is no contract ${escrowId}.`);
      return escrowId;
    },
    requireOfOrder: async (tx, orderId) => {
      const [row] = await tx.query<Pick<ContractRow, 'escrowId'>>(sql.findOfOrder, [orderId]);
      if (row === undefined) throw new Error(`There is no contract of order ${orderId}.`);
      return row.escrowId;
    },
    lock: async (tx, escrowId) => {
      const [row] = await tx.query<ContractRow>(sql.lockContract, [escrowId]);
      if (row === undefined) throw new Error(`There is no contract ${escrowId}.`);
      return toContract(row);
    },
    change: (tx, contract, change) => {
      const next = changed(contract, change);
      tx.defer(sql.updateContracts([toRow(next)]));
      return next;
    },
    nextVersion: async (tx, escrowId) => {
      const [row] = await tx.query<{ readonly version: number }>(sql.nextVersion, [escrowId]);
      if (row === undefined) throw new Error(`There is no contract ${escrowId}.`);
      return row.version;
    },
    saveExternalPayout: (tx, escrowId, payout) => {
      tx.defer(sql.saveExternalPayout, [escrowId, JSON.stringify(payout)]);
    },
    findExternalPayout: async (tx, escrowId) => {
      const [row] = await tx.query<{ readonly externalPayout: Envelope | null }>(sql.findExternalPayout, [escrowId]);
      return row?.externalPayout ?? undefined;
    },
    claimUnchecked: async (checkedBefore, countMax) =>
      (await lists.query<ContractRow>(sql.claimUnchecked, [checkedBefore, countMax])).rows.map(toContract),
  };
}

/** Returns the next version of the contract. */
function changed(contract: Contract, { move, ...changes }: ContractChange): Contract {
  const status = move === undefined ? contract.status : moved(contractMoves, move, contract.status);
  return { ...contract, ...changes, status, version: contract.version + 1 };
}

function toRow({ type, amount, milestones, addresses, contractId, ...rest }: Contract): ContractRow {
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
