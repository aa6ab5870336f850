import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { providePython } from '@holdfast/dev-servers/debian';
import { systemClock } from '@holdfast/kernel/context';
import { processEnvironment } from '@holdfast/process/config';
import { eventually } from '@holdfast/testing/eventually';
import { readPage, snippetsIn } from './snippets.js';

const secret = (letter: string): string => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;
const clock = systemClock();
/** The receivers that the guide to webhooks shows, each in its own process. */
export function describeReceivers(): void {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'holdfast-guide-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const receivers = [
    { language: 'js', file: 'receiver.mjs', command: () => Promise.resolve(process.execPath) },
    { language: 'python', file: 'receiver.py', command: async () => (await providePython()).paths.python3 },
  ];

  describe.each(receivers)('the receiver of the guide to webhooks in $language', ({ language, file, command }) => {
    let receiver: ChildProcess;
    let url: string;
    let printed = '';

    beforeAll(async () => {
      writeFileSync(path.join(folder, file), snippetIn(language));
      const env = { ...processEnvironment(), WEBHOOK_SECRET: secret('a'), PORT: '0' };
      receiver = spawn(await command(), [path.join(folder, file)], { env });
      for (const output of [receiver.stdout, receiver.stderr])
        output?.on('data', (bytes: Buffer) => (printed += bytes.toString()));
      await eventually(() => expect(printed).toMatch(/listening on port \d+/));
      url = `http://127.0.0.1:${/listening on port (\d+)/.exec(printed)?.[1]}/`;
    });
    afterAll(() => receiver.kill('SIGKILL'));

    it('204 for a signed event, which it handles once', async () => {
      const event = anEvent();
      expect(await post(url, signed(event))).toBe(204);
      expect(await post(url, signed(event))).toBe(204);
      const last = anEvent();
      expect(await post(url, signed(last))).toBe(204);
      await eventually(() => expect(printed).toContain(lineOf(last)));
      expect(printed.split(lineOf(event))).toHaveLength(2);
    });

    it('204 during a rotation, when one of two signatures was made with its secret', async () => {
      const event = anEvent();
      const [old, current] = [signed(event, { key: secret('b') }), signed(event)];
      const both = `${old.headers['webhook-signature']} ${current.headers['webhook-signature']}`;
      expect(await post(url, { ...current, headers: { ...current.headers, 'webhook-signature': both } })).toBe(204);
    });

    it('400 for another secret, a changed body, an old request, and no signature', async () => {
      const event = anEvent();
      const minutesAgo = Math.floor(clock.epochMs() / 1_000) - 301;
      const refused = [
        signed(event, { key: secret('b') }),
        { ...signed(event), body: JSON.stringify({ ...event, payload: { amount: '1000000.00' } }) },
        signed(event, { timestamp: minutesAgo }),
        { body: JSON.stringify(event), headers: {} },
      ];
      for (const request of refused) expect(await post(url, request)).toBe(400);
      expect(printed).not.toContain(event.aggregateId);
    });
  });
}

type SignedRequest = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

function snippetIn(language: string): string {
  const found = snippetsIn(readPage('docs/guides/webhooks.md')).find((snippet) => snippet.language === language);
  if (found === undefined) throw new Error(`the guide has no receiver in ${language}`);
  return found.text;
}

function anEvent() {
  const aggregateId = `ord_${randomUUID()}`;
  const metadata = { aggregateVersion: 7 };
  return { eventId: `evt_${randomUUID()}`, eventType: 'order.created', aggregateId, payload: { title: 'é' }, metadata };
}

function lineOf({ aggregateId, eventType }: ReturnType<typeof anEvent>): string {
  return `${aggregateId} 7 ${eventType}`;
}

/** A request signed as Standard Webhooks says. */
function signed(
  event: ReturnType<typeof anEvent>,
  { key = secret('a'), timestamp = Math.floor(clock.epochMs() / 1_000) } = {},
): SignedRequest & { readonly headers: { readonly 'webhook-signature': string } } {
  const body = JSON.stringify(event);
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', bytes).update(`${event.eventId}.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': event.eventId, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
  return { body, headers };
}

async function post(url: string, { body, headers }: SignedRequest): Promise<number> {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  await response.text();
  return response.status;
}
