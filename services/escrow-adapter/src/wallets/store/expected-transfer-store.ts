import type { Instant } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/kernel/money';
import type { Tx } from '@holdfast/postgres';
import { expectedTransfers, type ExpectedTransferRow } from '../../store/custody-schema.js';
import type { Outflow } from '../custody/legs.js';

export type Announcement = { readonly to: string; readonly asset: CustodyAsset; readonly units: bigint };

export type ExpectedTransfer = Pick<ExpectedTransferRow, 'id' | 'announcedBy' | 'confirmedBy'>;

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

export type NewAnnouncement = Announcement & {
  readonly reason: string;
  readonly by: string;
  readonly at: Instant;
  readonly confirmedBy: string | null;
};

export function expectedTransfersIn(tx: Tx) {
  return {
    findOpen: async ({ to, asset, units }: Announcement): Promise<ExpectedTransfer | undefined> =>
      (await tx.query<ExpectedTransfer>(findOpen, [to, asset, units]))[0],
    insert: ({ to: receiver, by: announcedBy, at: announcedAt, ...announced }: NewAnnouncement) =>
      tx.manager.insert(expectedTransfers.entity, { ...announced, receiver, announcedBy, announcedAt }),
    confirm: (id: bigint, confirmedBy: string) => tx.manager.update(expectedTransfers.entity, { id }, { confirmedBy }),
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
