import type { Tx } from '@holdfast/postgres';
import { expectedTransfers } from './custody-schema.js';
import type { ExpectedTransfer, ExpectedTransfers } from '../use-cases/treasury/ports.js';
import type { Outflow } from '../use-cases/custody/ports.js';

/** A transfer that is made later than this is an unknown outflow again. */
const isOpen = `transaction_hash is null and announced_at > now() - interval '7 days'`;

const findOpen = {
  name: 'find-open-expected-transfer',
  text: `
  select ${expectedTransfers.selected}
  from expected_transfers
  where receiver = $1
    and asset = $2
    and units = $3
    and ${isOpen}
  order by id desc
  limit 1
  for update`,
};

const match = {
  name: 'match-expected-transfer',
  text: `
  update expected_transfers
  set transaction_hash = $4
  where id = (
    select id
    from expected_transfers
    where receiver = $1
      and asset = $2
      and units = $3
      and confirmed_by is not null
      and ${isOpen}
    order by id
    limit 1
    for update skip locked
  )
  returning id`,
};

export function expectedTransfersIn(tx: Tx): ExpectedTransfers {
  return {
    findOpen: async ({ to, asset, units }) => (await tx.query<ExpectedTransfer>(findOpen, [to, asset, units]))[0],
    insert: ({ to: receiver, by: announcedBy, at: announcedAt, ...announced }) =>
      tx.manager.insert(expectedTransfers.entity, { ...announced, receiver, announcedBy, announcedAt }),
    confirm: (id, confirmedBy) => tx.manager.update(expectedTransfers.entity, { id }, { confirmedBy }),
  };
}

/** Returns the outflows that were not announced. */
export async function withoutExpected(tx: Tx, hash: string, outflows: readonly Outflow[]): Promise<readonly Outflow[]> {
  const unknown: Outflow[] = [];
  for (const outflow of outflows) {
    const { to, asset, units, place } = outflow;
    const isCapital = place !== 'wallet' && to !== null;
    const matched = isCapital ? await tx.query(match, [to, asset, units, hash]) : [];
    if (matched.length === 0) unknown.push(outflow);
  }
  return unknown;
}
