import { parkedMessageRoutesOf, parkedMessagesShownMax, type ParkedMessagePage } from '@holdfast/contracts/http';
import { serviceNames, type ServiceName } from '@holdfast/contracts/services';
import type { Context } from '@holdfast/kernel/context';
import { askServices, callContextOf, type ServiceClients } from './ask-service.js';

/** Of all services or of one, oldest first. */
export async function listParkedMessages(
  clients: ServiceClients,
  { service }: { readonly service?: ServiceName | undefined },
  ctx: Context,
): Promise<ParkedMessagePage> {
  const asked = serviceNames.filter((name) => service === undefined || name === service);
  const { answers, unavailable } = await askServices(
    clients,
    asked.map((name) => [
      name,
      (client, context) => client.call(parkedMessageRoutesOf(name).summarizeParkedMessages, {}, context),
    ]),
    ctx,
  );
  const messages = answers.flatMap(({ service: of, found }) => found.messages.map((message) => ({ service: of, ...message })));
  return {
    messages: messages.toSorted((one, other) => (one.parkedAt < other.parkedAt ? -1 : 1)),
    counts: Object.fromEntries(answers.map(({ service: of, found }) => [of, found.count])),
    unavailable,
  };
}

type Redrive = {
  readonly service: ServiceName;
  readonly messageIds?: readonly string[] | undefined;
  readonly by: string;
  readonly reason: string;
};

export async function redriveParkedMessages(
  clients: ServiceClients,
  { service, messageIds, by, reason }: Redrive,
  ctx: Context,
): Promise<{ readonly service: ServiceName; readonly redriven: number }> {
  const named = messageIds === undefined ? {} : { messageIds: [...messageIds] };
  const body = { ...named, countMax: parkedMessagesShownMax, operator: { by, reason } };
  const { redriveParkedMessages: route } = parkedMessageRoutesOf(service);
  const { redriven } = await clients.of(service).call(route, { body }, callContextOf(ctx));
  return { service, redriven };
}
