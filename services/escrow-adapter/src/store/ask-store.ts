import type { Instant } from '@holdfast/shared/context';
import { codeOf, type RowsStatement } from '@holdfast/shared/postgres';
import type { Contract } from '../domain/contract.js';
import { freshIntent, type Intent, type NewIntent } from '../lanes/index.js';
import * as sql from './ask-sql.js';
import { toContract, type ContractRow } from './contract-store.js';
import type { ShareCommit } from './shared-commits.js';
import { writeRow } from './write-row.js';

/** What was asked for, as it is stored now. */
export type Asked = { readonly intent: Intent; readonly contract: Contract };

/**
 * Each stores inbox, contract and intent in one statement, which needs no trip before its commit, and answers with all that a
 * lane needs to begin. Undefined where the message was heard before.
 */
export type AskStore = {
  readonly deploy: (intent: Unplaced, contract: Contract, isLeased: boolean) => Promise<Asked | undefined>;
  readonly ofOrder: (intent: Unplaced, orderId: string, isLeased: boolean) => Promise<Asked | undefined>;
  readonly ofEscrow: (intent: Unplaced, escrowId: string, isLeased: boolean) => Promise<Asked | undefined>;
};

/** What it acts on is the contract that it is stored with. */
type Unplaced = Omit<NewIntent, 'subject'>;

type AskRow = { readonly askedId: string; readonly askedAt: Instant };
type Options = { readonly shareCommit: ShareCommit; readonly owner: string; readonly leaseMs: number };

const notNullViolation = '23502';

export function askStore({ shareCommit, owner, leaseMs }: Options): AskStore {
  const valuesOf = (intent: Unplaced, place: string, isLeased: boolean): readonly unknown[] => {
    const { id, kind, priority, marketplaceId, correlationId, saga = null, sagaRunId = null, afterEventId = null } = intent;
    const lease = [isLeased ? owner : null, leaseMs / 1_000];
    const ask = JSON.stringify(intent.ask);
    return [id, place, kind, priority, marketplaceId, correlationId, saga, sagaRunId, ask, ...lease, afterEventId];
  };
  const store = async <Row extends AskRow>(
    { id }: Unplaced,
    kind: RowsStatement,
    values: readonly unknown[],
  ): Promise<Row | undefined> => {
    let stored: Row | undefined;
    await shareCommit(id, (tx) =>
      writeRow(tx, kind, values, (rows: readonly Row[]) => {
        stored = rows.find(({ askedId }) => askedId === id);
      }),
    ).catch(rethrown);
    return stored;
  };
  const asked = (intent: Unplaced, contract: Contract, askedAt: Instant): Asked => ({
    intent: freshIntent({ subject: contract.escrowId, ...intent }, askedAt),
    contract,
  });
  const onContract = (kind: RowsStatement) => async (intent: Unplaced, place: string, isLeased: boolean) => {
    const row = await store<AskRow & ContractRow>(intent, kind, valuesOf(intent, place, isLeased));
    if (row === undefined) return undefined;
    const { askedId: _, askedAt, ...contractRow } = row;
    return asked(intent, toContract(contractRow), askedAt);
  };
  return {
    deploy: async (intent, contract, isLeased) => {
      const values = [...valuesOf(intent, contract.escrowId, isLeased), ...termsOf(contract)];
      const row = await store(intent, sql.askForDeployment, values);
      return row === undefined ? undefined : asked(intent, contract, row.askedAt);
    },
    ofOrder: onContract(sql.askOfOrder),
    ofEscrow: onContract(sql.askOfEscrow),
  };
}

function termsOf(contract: Contract): readonly unknown[] {
  const { orderId, type, amount, buyerId, sellerId, title, description, platformFeeBasisPoints, status, createdAt } = contract;
  const milestones = contract.milestones.map((milestone) => ({ ...milestone, units: milestone.units.toString() }));
  const parties = [buyerId, sellerId, title, description];
  return [
    orderId,
    type,
    amount.units,
    amount.currency,
    ...parties,
    platformFeeBasisPoints,
    JSON.stringify(milestones),
    status,
    createdAt,
  ];
}

function rethrown(error: unknown): never {
  if (codeOf(error) === notNullViolation) throw new Error('There is no contract for what was asked.', { cause: error });
  throw error;
}
