import type { Tx } from '@holdfast/postgres';
import type { ExpectedTransfer, ExpectedTransfers } from '../use-cases/treasury/ports.js';
import type { Outflow } from '../use-cases/custody/ports.js';

/** A transfer that is made later than this is an unknown outflow again. */
const isOpen = `transaction_hash is null and announced_at > now() - interval '7 days'`;

const findOpen = {
  name: 'find-open-expected-transfer',
  text: `
  select id, announced_by as "announcedBy", confirmed_by as "confirmedBy"
  from expected_transfers
  where receiver = $1
    and asset = $2
    and units = $3
    and ${isOpen}
  order by id desc
  limit 1
  for update`,
};

const insert = {
  name: 'insert-expected-transfer',
  text: `
  insert into expected_transfers (receiver, asset, units, reason, announced_by, announced_at, confirmed_by)
  values ($1, $2, $3, $4, $5, $6, $7)`,
};

const confirm = {
  name: 'confirm-expected-transfer',
  text: `
  update expected_transfers
  set confirmed_by = $2
  where id = $1`,
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
    insert: ({ to, asset, units, reason, by, at, confirmedBy }) =>
      tx.query(insert, [to, asset, units, reason, by, at, confirmedBy]),
    confirm: (id, by) => tx.query(confirm, [id, by]),
  };
}

/** Returns the outflows that nobody has announced. */
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
