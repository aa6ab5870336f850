import { money, type Currency } from '@holdfast/shared/money';
import type { Database, Statement, Tx } from '@holdfast/shared/postgres';
import { moved } from '@holdfast/shared/states';
import { isDeployed, type Contract, type DeployedContract } from '../domain/contract.js';
import { contractMoves } from '../domain/contract-states.js';
import type { ContractChange, Contracts } from '../use-cases/ports.js';
import * as sql from './sql.js';
import { writeRow } from './write-row.js';

export type ContractRow = Omit<Contract, 'amount' | 'milestones' | 'addresses' | 'contractId'> & {
  readonly amountUnits: bigint;
  readonly currency: Currency;
  readonly milestones: readonly { readonly ref: string; readonly title: string; readonly units: string }[];
  readonly buyerAddress: string | null;
  readonly sellerAddress: string | null;
  readonly platformAddress: string | null;
  readonly contractId: string | null;
};

export function contractStore(database: Pick<Database, 'pool'>): Contracts {
  const memory = rememberContracts();
  const findBy = async (statement: Statement, key: string, tx?: Tx): Promise<Contract | undefined> => {
    const rows =
      tx === undefined
        ? (await database.pool.query<ContractRow>({ values: [key], ...statement })).rows
        : await tx.query<ContractRow>(statement, [key]);
    return rows[0] === undefined ? undefined : toContract(rows[0]);
  };
  const changeBy =
    (write: (tx: Tx, row: readonly unknown[]) => void): Contracts['change'] =>
    (tx, contract, changes) => {
      const next = changed(contract, changes);
      write(tx, [...changeable(next), contract.version]);
      const counted = { ...next, version: contract.version + 1 };
      tx.afterCommit(() => memory.note(counted));
      return counted;
    };
  return {
    find: (escrowId) => findBy(sql.findContract, escrowId),
    lock: async (tx, escrowId) => {
      const contract = await findBy(sql.lockContract, escrowId, tx);
      if (contract === undefined) throw new Error(`There is no contract ${escrowId}.`);
      return contract;
    },
    change: changeBy((tx, row) => tx.defer(sql.changeContracts(1), row)),
    changeOnce: changeBy((tx, row) => writeRow(tx, sql.changeContracts, row)),
    remembered: memory.of,
    nextVersion: async (tx, escrowId) => {
      const [row] = await tx.query<{ readonly version: number }>(sql.nextVersion, [escrowId]);
      if (row === undefined) throw new Error(`There is no contract ${escrowId}.`);
      return row.version;
    },
    takeUnchecked: async (checkedBefore, countMax) => {
      const { rows } = await database.pool.query<ContractRow>({ values: [checkedBefore, countMax], ...sql.takeUnchecked });
      return rows.map(toContract);
    },
  };
}

/** Beyond this the oldest ones are read from the database again. */
const rememberedMax = 10_000;

/** Contracts that something is likely to be asked of soon, by their orders. */
function rememberContracts() {
  const contracts = new Map<string, DeployedContract>();
  return {
    of: (orderId: string): DeployedContract | undefined => contracts.get(orderId),
    note: (contract: Contract): void => {
      contracts.delete(contract.orderId);
      if (contract.status === 'SETTLED' || !isDeployed(contract)) return;
      contracts.set(contract.orderId, contract);
      const [oldest] = contracts.keys();
      if (contracts.size > rememberedMax && oldest !== undefined) contracts.delete(oldest);
    },
  };
}

function changed(contract: Contract, { move, ...changes }: ContractChange): Contract {
  const status = move === undefined ? contract.status : moved(contractMoves, move, contract.status);
  return { ...contract, ...changes, status };
}

function changeable(contract: Contract): readonly unknown[] {
  const { escrowId, status, addresses, contractId, isDisputeKnown, milestonesKnown } = contract;
  const places = [addresses?.buyer ?? null, addresses?.seller ?? null, addresses?.platform ?? null];
  return [escrowId, status, ...places, contractId ?? null, isDisputeKnown, milestonesKnown];
}

export function toContract(row: ContractRow): Contract {
  const { amountUnits, currency, milestones, buyerAddress, sellerAddress, platformAddress, contractId, ...rest } = row;
  const isPlaced = buyerAddress !== null && sellerAddress !== null && platformAddress !== null;
  return {
    amount: money(amountUnits, currency),
    milestones: milestones.map(({ ref, title, units }) => ({ ref, title, units: BigInt(units) })),
    ...rest,
    ...(isPlaced ? { addresses: { buyer: buyerAddress, seller: sellerAddress, platform: platformAddress } } : {}),
    ...(contractId === null ? {} : { contractId }),
  };
}
