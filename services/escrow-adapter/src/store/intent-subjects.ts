import { intentSubjects, knownSubject, type InsertedRow } from '@holdfast/intents';
import { singleRow } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import type { Contracts, IntentSubjects } from '../use-cases/ports.js';
import { toContract, toRow } from './contract-store.js';
import { contracts, type ContractRow } from './schema.js';

const requested = singleRow(contracts.columns);

const requestedContract = intentSubjects({
  name: 'on-requested-contract',
  select: `
    select given.escrow_id as "intentSubject"
    from ${requested.from}`,
  insert: `
    insert into contracts (${requested.columns})
    select ${requested.values}
    from ${requested.from}
    cross join stored`,
  parameters: requested.lastParameter,
});

const selectContract = `
    select contracts.escrow_id as "intentSubject",
      ${contracts.selected}
    from contracts`;

const contractOfOrder = intentSubjects<ContractRow>({
  name: 'on-contract-of-order',
  select: `${selectContract}
    where order_id = $1
      and status <> 'FAILED'
    order by created_at desc
    limit 1`,
  parameters: 1,
});

const wholeContract = intentSubjects<ContractRow>({
  name: 'on-whole-contract',
  select: `${selectContract}
    where escrow_id = $1
      and release_mode = 'order'`,
  parameters: 1,
});

/** The row of the contract must be locked. Without a milestone the intent acts on all that are left. */
const milestones = intentSubjects<ContractRow>({
  name: 'on-milestones',
  select: `${selectContract}
    where escrow_id = $1
      and release_mode = 'milestone'
      and not exists (
        select
        from intents
        where intents.subject = contracts.escrow_id
          and intents.closed_at is null
          and ($2::text is null or intents.subject_part in ('', $2))
      )`,
  parameters: 2,
});

export function contractSubjects({ lock }: Pick<Contracts, 'lock'>): IntentSubjects {
  return {
    requested: (contract) => requestedContract({ values: requested.valuesOf(toRow(contract)), toValue: () => contract }),
    ofOrder: (orderId) => contractOfOrder({ values: [orderId], toValue: contractIn }),
    whole: (escrowId) => wholeContract({ values: [escrowId], toValue: contractIn }),
    milestones: (escrowId, ref) =>
      milestones({
        values: [escrowId, ref ?? null],
        toValue: contractIn,
        lock: (tx) => lock(tx, escrowId),
        ...(ref === undefined ? {} : { part: ref }),
      }),
    payout: knownSubject,
  };
}

function contractIn({ intentSubject: _subject, storedAt: _storedAt, ...row }: ContractRow & InsertedRow): Contract {
  return toContract(row);
}
