import { knownUsersIn } from '@holdfast/shared/known-users';
import type { MarketplaceId, NewId } from '@holdfast/shared/ids';
import { once } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import type { Party } from '../domain/escrow.js';
import type { Order } from '../domain/order.js';
import type { BeforeOrder, Decide, Deps, Held, NewOrderKey, Work } from '../use-cases/ports.js';
import { emptyDraft, type Draft } from './draft.js';
import { findOrderOfDispute, findTaken, lock, type Found } from './holding.js';
import { tellsChangedMeanwhile } from './order-work.js';
import type { RememberedUsers } from './remembered-users.js';
import { workAlone, workTogether, type Job, type Workshop } from './together.js';
import { writeDrafts, type WritingDeps } from './write-drafts.js';

export type WorkDeps = Omit<WritingDeps, 'consumer'> & {
  readonly database: Database;
  readonly newId: NewId;
  readonly users: RememberedUsers;
};

type Doors = Pick<Deps, 'onOrder' | 'onDisputed' | 'onNewOrder' | 'hear'>;
type Key = { readonly marketplaceId: MarketplaceId; readonly orderId: string };

const consumer = 'orders';

/** How use cases decide on an order: for a request, or for a message that counts once. */
export function doorsOf(deps: WorkDeps): Doors & { readonly drain: () => Promise<void> } {
  const { newId, known } = deps;
  const shop = workshopOf({ consumer, ...deps });
  const { submit, drain } = workTogether(shop);
  const decideOn = <Result>(draft: Draft, found: Found | undefined, decide: Decide<Held | undefined, Result>): Result =>
    decide(workIn(draft, found?.writtenBy ?? '', newId), found);
  return {
    drain,
    onOrder: (key, decide) =>
      submit({
        orderId: key.orderId,
        recall: () => recall(deps, key, (draft, found) => decideOn(draft, found, decide)),
        read: async (tx) => {
          const found = await lock(tx, key);
          return (draft) => decideOn(draft, found, decide);
        },
      }),
    hear: ({ id, marketplaceId }, orderId, decide) =>
      submit({
        orderId,
        leavesTrace: true,
        recall: () =>
          recall(deps, { marketplaceId, orderId }, (draft, found) => {
            draft.heard.push(id);
            decideOn(draft, found, decide);
          }),
        read: async (tx) => {
          const [isNew, found] = await Promise.all([once(tx, consumer, id), lock(tx, { marketplaceId, orderId })]);
          return (draft) => {
            if (isNew) decideOn(draft, found, decide);
          };
        },
      }),
    onNewOrder: (key, decide) => submit(jobOnNewOrder(deps, key, decide)),
    // Which order it is about is not known beforehand, so it cannot share a transaction with jobs on orders.
    onDisputed: ({ marketplaceId, disputeId }, decide) =>
      workAlone(shop, {
        orderId: disputeId,
        read: async (tx) => {
          const orderId = await findOrderOfDispute(tx, marketplaceId, disputeId);
          if (orderId !== undefined) known.take(orderId);
          const found = orderId === undefined ? undefined : await lock(tx, { marketplaceId, orderId });
          return (draft) => decideOn(draft, found, decide);
        },
      }),
  };
}

function jobOnNewOrder<Result>(
  { users, newId }: WorkDeps,
  { id, marketplaceId, userIds, clientOrderRef }: NewOrderKey,
  decide: Decide<BeforeOrder, Result>,
): Job<Draft, Result> {
  return {
    orderId: id,
    recall: () => {
      // A reference that is taken would have to be asked for after all, and the neighbours with it.
      const parties = clientOrderRef === null ? users.find(marketplaceId, userIds) : undefined;
      if (parties === undefined) return undefined;
      return (draft) => {
        draft.relied.push(...parties);
        return decide(workIn(draft, '', newId), { users: parties, takenBy: undefined });
      };
    },
    read: async (tx) => {
      const [parties, takenBy] = await Promise.all([
        knownUsersIn(tx, marketplaceId, userIds),
        findTaken(tx, marketplaceId, clientOrderRef),
      ]);
      users.keep(parties);
      return (draft) => decide(workIn(draft, '', newId), { users: parties, takenBy });
    },
  };
}

function workshopOf(deps: WorkDeps & WritingDeps): Workshop<Draft> {
  return {
    database: deps.database,
    newDraft: emptyDraft,
    write: (tx, drafts) => writeDrafts(deps, tx, drafts),
    mistaken: (error) => {
      deps.users.forget();
      if (tellsChangedMeanwhile(error)) deps.known.mistrust();
    },
  };
}

/**
 * The order as this process left it, undefined where that is not known. A decision that does not write the order proves nothing
 * about it, and does not count.
 */
function recall<Result>(
  { known, users }: Pick<WorkDeps, 'known' | 'users'>,
  { marketplaceId, orderId }: Key,
  decide: (draft: Draft, found: Found) => Result,
) {
  const found = known.take(orderId);
  if (found?.order.marketplaceId !== marketplaceId) return undefined;
  return (draft: Draft): Result => {
    const result = decide(draft, { parties: () => partiesOf(found.order, users, draft), ...found });
    if (draft.saved.length === 0) throw new Error('nothing was written that could prove it');
    return result;
  };
}

/** Users change without their orders, so they are proved beside them. */
function partiesOf({ marketplaceId, buyerId, sellerId }: Order, users: RememberedUsers, draft: Draft): readonly Party[] {
  const found = users.find(marketplaceId, [buyerId, sellerId]);
  if (found === undefined) throw new Error('the parties have to be asked for');
  draft.relied.push(...found);
  return found.map(({ id, status }) => ({ id, isActive: status === 'ACTIVE' }));
}

function workIn(draft: Draft, writtenBy: string, newId: NewId): Work {
  return {
    orders: {
      insert: (order) => void draft.inserted.push(order),
      save: (before, after) => void draft.saved.push({ before, after, writtenBy }),
    },
    addComment: (comment) => void draft.comments.push(comment),
    runs: {
      begin: (run) => {
        const id = newId('run');
        draft.begun.push({ id, ...run });
        return id;
      },
      answer: (runId, outcome) => void draft.answered.push({ runId, outcome }),
      close: (runId, outcome) => void draft.closed.push({ runId, outcome }),
    },
    tell: (told) => void draft.told.push(told),
  };
}
