import type { Command } from 'commander';
import { z } from 'zod';
import { apiPrefix } from '@holdfast/contracts/http';
import { followStream, type StreamMessage } from '@holdfast/http/event-stream';
import { example, globalsOf, outputOf, platformOf, type Context } from '../context.js';
import { expandTypes } from '../event-types.js';
import type { Platform } from '../find-platform.js';
import type { Output } from '../output.js';
import { collectList, parseCount, parsesAsUrl, parseSince } from '../parse.js';
import { openCursor, type Cursor } from './cursor.js';
import { deliver, type Delivery, type Receiver } from './deliver.js';
import { secretOf } from './sign.js';

type Flags = {
  readonly forwardTo?: string;
  readonly types?: readonly string[];
  readonly since?: string;
  readonly attempts?: number;
  readonly printSecret?: boolean;
};

export function addListen(program: Command, context: Context): void {
  const listen = program
    .command('listen')
    .description(
      'Post the events of the marketplace to a receiver on this machine: signed like webhooks, in the order of the log, each until it is accepted. Continues where you stopped it.',
    )
    .summary('post events to a receiver on this machine, signed and in order')
    .option('--forward-to <url>', 'the receiver')
    .option('--types <types>', 'only these events, such as order.released,topup.*', collectList)
    .option(
      '--since <time>',
      'begin with events after this time, such as 2h or a timestamp; by default where you stopped it, or now',
    )
    .option('--attempts <number>', 'skip an event that the receiver has refused this often; by default never', parseCount)
    .option('--print-secret', 'print the signing secret and end; it is the same for the same key');
  example(
    listen,
    'holdfast listen --forward-to http://localhost:3000/hooks',
    'holdfast listen --forward-to http://localhost:3000/hooks --types "order.*" --since 2h',
    'WEBHOOK_SECRET=$(holdfast listen --print-secret) node receiver.mjs',
  ).action(async (flags: Flags, command: Command) => {
    const platform = platformOf(context, command);
    const output = outputOf(command);
    const secret = secretOf(platform.key);
    if (flags.printSecret === true) {
      printSecret(output, secret);
      return;
    }
    const { forwardTo: url = '', attempts: attemptsMax } = flags;
    if (!parsesAsUrl(url)) command.error('error: --forward-to must be an address such as http://localhost:3000/hooks.');
    const types = expandTypes(flags.types ?? []);
    const since = flags.since === undefined ? undefined : parseSince(flags.since, context.clock.epochMs());
    const { marketplace = '' } = globalsOf(command);
    const cursor = openCursor([platform.root, platform.key, marketplace, url, ...types], context.env['XDG_STATE_HOME']);
    await follow(context, { platform, output, cursor, types, since, marketplace, receiver: { url, secret, attemptsMax } });
  });
}

function printSecret(output: Output, secret: string): void {
  if (output.isJson) output.record({ secret });
  else output.line(secret);
}

type Listening = {
  readonly platform: Platform;
  readonly output: Output;
  readonly cursor: Cursor;
  readonly types: readonly string[];
  readonly since: string | undefined;
  readonly marketplace: string;
  readonly receiver: Receiver;
};

async function follow(context: Context, listening: Listening): Promise<void> {
  const { platform, output, cursor, types, since, marketplace, receiver } = listening;
  const signal = context.stopSignal();
  const stored = since === undefined ? cursor.read() : undefined;
  const query = new URLSearchParams(since === undefined ? {} : { since });
  for (const type of types) query.append('types', type);
  output.note(`Signing secret  ${receiver.secret}`);
  output.note(`Forwarding      ${platform.root} → ${receiver.url}, ${beginningOf(since, stored)}. Ctrl-C stops.`);
  await followStream({
    url: `${platform.root}${apiPrefix}/events?${query.toString()}`,
    headers: () => ({
      authorization: `Bearer ${platform.key}`,
      ...(marketplace === '' ? {} : { 'x-marketplace-id': marketplace }),
    }),
    ...(stored === undefined ? {} : { lastEventId: stored }),
    onOpen: () => output.note(`${time(context)}  connected to ${platform.root}`),
    onBreak: (reason, delayMs) => output.note(`${time(context)}  ${reason}; reconnecting in ${(delayMs / 1_000).toFixed(1)} s`),
    onMessage: (message) => forward(context, { ...listening, signal }, message),
    signal,
  });
}

function beginningOf(since: string | undefined, stored: string | undefined): string {
  if (since !== undefined) return `events after ${since}`;
  return stored === undefined ? 'events from now on' : `going on after ${stored}`;
}

const envelope = z.looseObject({ eventId: z.string(), eventType: z.string(), occurredAt: z.string(), aggregateId: z.string() });
type Envelope = z.output<typeof envelope>;
const gap = z.object({ from: z.string(), to: z.string() });

async function forward(
  context: Context,
  { receiver, output, cursor, signal }: Listening & { readonly signal: AbortSignal },
  { id, event: name, data: body }: StreamMessage,
): Promise<void> {
  if (name === 'gap') {
    const { from, to } = gap.parse(JSON.parse(body));
    output.note(output.paint.yellow(`GAP: what happened after ${from}, up to ${to}, is no longer in the history.`));
    return;
  }
  if (id === undefined || name === 'ping') return;
  const event = envelope.parse(JSON.parse(body));
  const delivery = await deliver(
    receiver,
    { id: event.eventId, body },
    {
      clock: context.clock,
      signal,
      onRetry: (reason, delayMs) =>
        output.note(
          output.paint.yellow(`${time(context)}  ${event.eventType}  ${reason}; again in ${(delayMs / 1_000).toFixed(1)} s`),
        ),
    },
  );
  cursor.write(id);
  report(context, output, { event, delivery });
}

function report(
  { clock }: Context,
  { isJson, jsonLine, line, paint }: Output,
  done: { readonly event: Envelope; readonly delivery: Delivery },
): void {
  const { event, delivery } = done;
  const lagMs = Math.max(0, Math.round(clock.epochMs() - Date.parse(event.occurredAt)));
  if (isJson) {
    jsonLine({ ...event, delivery: { ...delivery, lagMs } });
    return;
  }
  const { isDelivered, status, attempts, durationMs } = delivery;
  const outcome = isDelivered ? paint.green(status.toString()) : paint.red(`${status}, skipped`);
  const again = attempts === 1 ? '' : `, attempt ${attempts}`;
  const facts = `→ ${outcome} in ${durationMs} ms${again}, lag ${(lagMs / 1_000).toFixed(1)} s`;
  line(`${event.occurredAt.slice(11, 23)}  ${event.eventType.padEnd(typeWidth)}  ${event.aggregateId.padEnd(idWidth)}  ${facts}`);
}

const typeWidth = 28;
const idWidth = 30;

function time({ clock }: Context): string {
  return new Date(clock.epochMs()).toISOString().slice(11, 23);
}
