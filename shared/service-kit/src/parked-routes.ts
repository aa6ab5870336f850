import { parkedMessageRoutesOf, parkedMessagesShownMax } from '@holdfast/contracts/http';
import type { ServiceName } from '@holdfast/contracts/services';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import type { Broker } from '@holdfast/messaging/broker';
import { redriveParked, type ParkedMessages } from '@holdfast/messaging/parked';

type Options = {
  readonly service: ServiceName;
  readonly parked: ParkedMessages;
  readonly broker: Pick<Broker, 'redeliver'>;
};

/** Every service shows its parked messages, and sends them back to its own queue. */
export function parkedRoutes({ service, parked, broker }: Options): readonly BoundRoute[] {
  return bindRoutes(parkedMessageRoutesOf(service), {
    listParkedMessages: async () => {
      const [count, messages] = await Promise.all([parked.count(), parked.list(parkedMessagesShownMax)]);
      return { count, messages: messages.map((message) => ({ ...message, redrivenAt: message.redrivenAt ?? null })) };
    },
    redriveParkedMessages: async ({ body: { messageIds } }, ctx) => {
      const redriven = await redriveParked({ parked, broker, queue: service }, messageIds);
      ctx.log.warn({ service, redriven, messageIds }, 'parked messages sent back by an operator');
      return { redriven };
    },
  });
}
