import type { Command } from 'commander';
import { CannotStart } from '@holdfast/all-in-one/commands';
import { apiPrefix } from '@holdfast/contracts/http';
import { example, globalsOf, outputOf, platformOf, type Context } from './context.js';
import { expandTypes } from './event-types.js';
import { rootOf } from './find-platform.js';
import { loadTools } from './operator/load-tools.js';
import { collectList, parseSince } from './parse.js';
import { addOperations } from './resources/add-resources.js';
import { clientOf } from './resources/client.js';
import { eventsGroup } from './resources/groups.js';

type TailFlags = {
  readonly types?: readonly string[];
  readonly resource?: readonly string[];
  readonly since?: string;
  readonly lastEventId?: string;
  readonly url?: string;
};

export function addEvents(program: Command, context: Context): void {
  const events = program.command('events').description(eventsGroup.description);
  addOperations(events, context, eventsGroup);
  addTail(events, context);
  addResend(events, context);
}

function addTail(events: Command, context: Context): void {
  const tail = events
    .command('tail')
    .description('print events as they happen; reconnects by itself')
    .option('--type, --types <types>', 'only these events, such as order.released,topup.*', collectList)
    .option('--resource <types>', 'only events of these aggregate types, such as Order', collectList)
    .option('--since <time>', 'begin with events after this time, such as 2h or a timestamp')
    .option('--last-event-id <id>', 'begin after this event')
    .option('--url <url>', 'the same as --api');
  example(tail, 'holdfast events tail', 'holdfast events tail --types "order.*" --since 2h --json').action(
    async (flags: TailFlags, command: Command) => {
      const { followEvents } = await loadTools();
      const globals = globalsOf(command);
      const { root, key } = platformOf(context, command, flags.url === undefined ? {} : { api: rootOf(flags.url) });
      const { marketplace } = globals;
      const query = new URLSearchParams();
      for (const type of expandTypes(flags.types ?? [])) query.append('types', type);
      for (const resource of flags.resource ?? []) query.append('resources', resource);
      if (flags.since !== undefined) query.append('since', parseSince(flags.since, context.clock.epochMs()));
      await followEvents(
        {
          url: `${root}${apiPrefix}`,
          key,
          path: query.size === 0 ? '/events' : `/events?${query.toString()}`,
          headers: marketplace === undefined ? {} : { 'x-marketplace-id': marketplace },
          lastEventId: flags.lastEventId,
          isJson: globals.json === true,
        },
        context.stopSignal(),
      );
    },
  );
}

function addResend(events: Command, context: Context): void {
  const resend = events
    .command('resend')
    .argument('<eventId>')
    .description('send an event to webhook endpoints once more')
    .option('--endpoint <id>', 'only to this endpoint; by default to every endpoint that got it');
  example(resend, 'holdfast events resend evt_01JB2M3N4P5Q6R7S8T9V0W1X2Y').action(
    async (eventId: string, { endpoint }: { readonly endpoint?: string }, command: Command) => {
      if (!/^evt_\w+$/.test(eventId)) command.error(`error: "${eventId}" is not the id of an event; it begins with evt_.`);
      const client = await clientOf(context, command);
      const resent = [];
      const filter = { eventId, ...(endpoint === undefined ? {} : { endpointId: endpoint }) };
      for await (const { id } of client.webhookDeliveries.list(filter)) resent.push(await client.webhookDeliveries.resend(id));
      if (resent.length === 0)
        throw new CannotStart(`${eventId} was delivered to no endpoint; "holdfast events tail" shows events.`);
      outputOf(command).list(resent, ['id', 'endpointId', 'eventType', 'status']);
    },
  );
}
