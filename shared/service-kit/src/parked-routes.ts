import { parkedMessageRoutesOf, parkedMessagesShownMax } from '@holdfast/contracts/http';
import { auditRecorded } from '@holdfast/contracts/messages';
import type { ServiceName } from '@holdfast/contracts/services';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import type { Context } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { Broker } from '@holdfast/messaging/broker';
import type { Outbox } from '@holdfast/messaging/outbox';
import { redriveParked, type ParkedMessages } from '@holdfast/messaging/parked';
import type { Database } from '@holdfast/postgres';

type Options = {
  readonly service: ServiceName;
  readonly parked: ParkedMessages;
  readonly broker: Pick<Broker, 'redeliver'>;
  readonly database: Pick<Database, 'inTransaction'>;
  readonly outbox: Pick<Outbox, 'add'>;
};

/** Every service shows its parked messages, and sends them back to its own queue. */
export function parkedRoutes(options: Options): readonly BoundRoute[] {
  const { service, parked, broker } = options;
  return bindRoutes(parkedMessageRoutesOf(service), {
    listParkedMessages: async () => {
      const [count, messages] = await Promise.all([parked.count(), parked.list(parkedMessagesShownMax)]);
      return { count, messages: messages.map((message) => ({ ...message, redrivenAt: message.redrivenAt ?? null })) };
    },
    summarizeParkedMessages: async () => {
      const [count, messages] = await Promise.all([parked.count(), parked.summaries(parkedMessagesShownMax)]);
      return { count, messages: [...messages] };
    },
    redriveParkedMessages: async ({ body: { messageIds, countMax, operator } }, ctx) => {
      await audit(options, { messageIds, countMax, operator }, ctx);
      const redriven = await redriveParked({ parked, broker, queue: service, countMax }, messageIds);
      ctx.log.warn({ service, redriven, messageIds }, 'parked messages sent back by an operator');
      return { redriven };
    },
  });
}

type Redrive = {
  readonly messageIds: readonly string[] | undefined;
  readonly countMax: number | undefined;
  readonly operator: { readonly by: string; readonly reason: string } | undefined;
};

/** Committed before anything is sent, so that nothing is sent back without an entry. */
function audit({ service, database, outbox }: Options, { operator, ...asked }: Redrive, ctx: Context): Promise<void> {
  const { caller, at, requestId: correlationId } = ctx;
  const { messageIds = null, countMax = null } = asked;
  return database.inTransaction((tx) => {
    outbox.add(tx, auditRecorded, {
      aggregateId: `parked-messages-${service}`,
      aggregateVersion: 1,
      marketplaceId: defaultMarketplaceId,
      correlationId,
      payload: {
        action: 'PARKED_MESSAGES_REDRIVEN',
        resourceType: 'ParkedMessages',
        resourceId: service,
        actorType: operator === undefined ? caller.type : 'operator',
        actorId: operator?.by ?? caller.id,
        result: 'SUCCESS',
        reason: operator?.reason ?? null,
        before: null,
        after: { messageIds, countMax },
        recordedAt: at,
      },
    });
    return Promise.resolve();
  });
}
