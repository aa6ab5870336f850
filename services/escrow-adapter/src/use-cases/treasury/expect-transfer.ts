import { auditRecorded } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { formatUnits, parseUnits, type CustodyAsset } from '@holdfast/kernel/money';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { Database, Tx } from '@holdfast/postgres';
import type { ExpectedTransfers } from './ports.js';

export type ExpectTransferDeps = {
  readonly database: Pick<Database, 'inTransaction'>;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly transfersIn: (tx: Tx) => ExpectedTransfers;
  /** Above this amount a second person confirms. */
  readonly approvalAmount: string | undefined;
};

export type ExpectTransfer = {
  readonly to: string;
  readonly asset: CustodyAsset;
  readonly amount: string;
  readonly by: string;
  readonly reason: string;
};

export type Expected = { readonly status: 'EXPECTED' | 'PENDING_APPROVAL'; readonly announcedBy: string };

/**
 * Announces a transfer out of the treasury or of the platform's account, so that it does not count as an unknown outflow. Above a certain
 * amount, the first call stores the request, and another person confirms it with the same values.
 */
export function expectTransfer(deps: ExpectTransferDeps, input: ExpectTransfer, ctx: Context): Promise<Expected> {
  const { to, asset, by } = input;
  const units = parseUnits(input.amount);
  return deps.database.inTransaction(async (tx) => {
    const transfers = deps.transfersIn(tx);
    const open = await transfers.findOpen({ to, asset, units });
    if (open?.confirmedBy === null) {
      if (isSamePerson(open.announcedBy, by)) return { status: 'PENDING_APPROVAL', announcedBy: open.announcedBy };
      await transfers.confirm(open.id, by);
      audit(deps, tx, { ...input, action: 'TREASURY_TRANSFER_EXPECTED', announcedBy: open.announcedBy, confirmedBy: by }, ctx);
      return { status: 'EXPECTED', announcedBy: open.announcedBy };
    }
    const needsSecond = deps.approvalAmount !== undefined && units > parseUnits(deps.approvalAmount);
    const confirmedBy = needsSecond ? null : by;
    await transfers.insert({ to, asset, units, reason: input.reason, by, at: ctx.at, confirmedBy });
    const action = needsSecond ? 'TREASURY_TRANSFER_REQUESTED' : 'TREASURY_TRANSFER_EXPECTED';
    audit(deps, tx, { ...input, action, announcedBy: by, confirmedBy }, ctx);
    return { status: needsSecond ? 'PENDING_APPROVAL' : 'EXPECTED', announcedBy: by };
  });
}

function isSamePerson(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

type Audited = ExpectTransfer & {
  readonly action: 'TREASURY_TRANSFER_EXPECTED' | 'TREASURY_TRANSFER_REQUESTED';
  readonly announcedBy: string;
  readonly confirmedBy: string | null;
};

function audit({ outbox }: ExpectTransferDeps, tx: Tx, audited: Audited, { at, requestId }: Context): void {
  const { action, to, asset, amount, by, reason, announcedBy, confirmedBy } = audited;
  outbox.add(tx, auditRecorded, {
    aggregateId: to,
    aggregateVersion: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: requestId,
    payload: {
      action,
      resourceType: 'Treasury',
      resourceId: to,
      actorType: 'operator',
      actorId: by,
      result: 'SUCCESS',
      reason,
      before: null,
      after: { to, asset, amount: formatUnits(parseUnits(amount)), announcedBy, confirmedBy },
      recordedAt: at,
    },
  });
}
