import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { repository } from './architecture/planted-tree.js';
import { aReader, pasteGuide, programOf, type Reader } from './guides/play-guide.js';
import { describeReceivers } from './guides/receivers.js';
import { commandsIn, programIn, readPage, snippetsIn } from './guides/snippets.js';
import { writePrograms, type Programs } from './guides/typescript.js';
import type { PlatformFacts } from './testing/provide-platform.js';
import { sharedPlatform } from './testing/shared-platform.js';
import { startWebhookReceiver, type WebhookReceiver } from './testing/webhook-receiver.js';

jest.setTimeout(240_000);

const guides = readdirSync(path.join(repository, 'docs/guides')).map((file) => path.basename(file, '.md'));
const markdownOf = (guide: string): string => readPage(`docs/guides/${guide}.md`);

/** They arm faults or compare the books of the whole platform, so that `whole-platform.test.ts` plays them. */
const withTheirOwnPlatform = ['quick-start', 'testing'];
/** Its receiver is on this machine. */
const withReceiver = ['webhooks'];
const played = guides.filter(
  (guide) => commandsIn(markdownOf(guide)) !== '' && ![...withTheirOwnPlatform, ...withReceiver].includes(guide),
);
const programmed = guides.filter((guide) => programIn(markdownOf(guide)) !== '');

/** What its reader must see, where no error is not enough. */
const expected: Readonly<Record<string, readonly RegExp[]>> = {
  milestones: [
    /"sellerAmount":"25.00","platformFee":"1.25","sellerNet":"23.75","buyerAmount":"15.00"/,
    /"closeReason":"SPLIT","operation":null,"amounts":\{"funded":"100.00","released":"85.00","refunded":"15.00","disputed":"0.00","inEscrow":"0.00"\}/,
    /"available":"80.75"[^]*"available":"15.00"/,
  ],
  marketplace: [
    /^send the buyer to http[^]*TOPUP_SUCCEEDED\nIN_PROGRESS 250.00\ndesign RELEASED 100.00\npages RELEASED 150.00\nCLOSED RELEASED\n237.50 WITHDRAWAL_PENDING\n/,
    /(milestone\.released ord_\w+\n){2}order\.closed ord_\w+\ntrue\n$/,
  ],
  money: [/"TOPUP_SUCCEEDED"[^]*"available":"80.00"/, /"WITHDRAWAL_COMPLETED"/, /"available":"10.0000000"|"available":"10/],
  retries: [
    /idempotency-replay: true/i,
    /"available":"25.00"[^]*"available":"25.00"/,
    /1 25\.00\n2 25\.00\nORDER_NOT_FOUND 404 /,
  ],
  statements: [
    /"closing":\{"available":"60.10","reserved":"30.00"\},"totals":\{"in":"100.00","out":"9.90","fees":"0.00"\}/,
    /"description":"Reserved: deposit for a stand"/,
    /,DEBIT,-9\.90,60\.10,30\.00,tr_\w+,,,,,"Fee, all of January"\r\nclosing,,,60\.10,30\.00,,,,,,\r\n/,
    /^75\.00 75\.00 false$/m,
  ],
  'test-clock': [/"offsetSeconds":1209600/, /"status":"CLOSED"[^]*"available":"95.00"/],
};

let platform: PlatformFacts;
let readers: ReadonlyMap<string, Reader>;
let programs: Programs;
let receiver: WebhookReceiver | undefined;
/** Holds the files that readers save. */
const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-guides-'));
const saved = { 'statement.csv': path.join(folder, 'statement.csv') };

beforeAll(async () => {
  platform = await sharedPlatform();
  const some = guides.filter((guide) => [...played, ...programmed, ...withReceiver].includes(guide));
  readers = new Map(await Promise.all(some.map(async (guide) => [guide, await aReader(platform, guide)] as const)));
  programs = writePrograms(new Map(programmed.map((guide) => [guide, programOf(guide, readerOf(guide))])));
}, serverStartTimeoutMs);
afterAll(() => {
  receiver?.stop();
  programs.remove();
  rmSync(folder, { recursive: true });
});

function readerOf(guide: string): Reader {
  const reader = readers.get(guide);
  if (reader === undefined) throw new Error(`no reader plays ${guide}`);
  return reader;
}

describe('the snippets of the guides', () => {
  /** A mark says why a snippet is not run here. `npm start` and `npm run public-network` have tests of their own. */
  const languages = ['', 'sh', 'ts', 'js', 'python', 'json', 'text', 'csv'];
  const marks = ['start', 'alias', 'endless', 'long', 'public-network'];

  it.each(guides)('of %s are run, shown as output, or marked', (guide) => {
    const unknown = snippetsIn(markdownOf(guide)).filter(
      (snippet) => !languages.includes(snippet.language) || snippet.marks.some((mark) => !marks.includes(mark)),
    );
    expect(unknown).toEqual([]);
  });

  it('in TypeScript have the types of the SDK', async () => {
    await programs.checkTypes();
    expect(programmed.every((guide) => programIn(markdownOf(guide)).includes(`'@holdfast/sdk'`))).toBe(true);
  });
});

describe('a reader of the guide', () => {
  it.each([...new Set([...played, ...programmed])])('%s sees what it says', async (guide) => {
    const pasted = played.includes(guide) ? await pasteGuide(guide, readerOf(guide), saved) : '';
    const output = `${pasted}${programmed.includes(guide) ? await programs.run(guide) : ''}`;
    expect(output).not.toMatch(/"error":\s*\{/);
    for (const pattern of expected[guide] ?? []) expect(output).toMatch(pattern);
  });

  it('webhooks receives a test event, then what a replay brings', async () => {
    const received: { readonly metadata: { readonly test?: boolean } }[] = [];
    receiver = await startWebhookReceiver({ take: (body) => Promise.resolve(void received.push(JSON.parse(body))) });
    const output = await pasteGuide('webhooks', readerOf('webhooks'), { 'localhost:3000': `localhost:${receiver.port}` });
    expect(output).toMatch(/^WEBHOOK_SECRET=whsec_[A-Za-z0-9+/]{43}=$/m);
    expect(output).toMatch(/"deliveries":[1-9]/);
    expect(output).toContain('"status":"DISABLED"');
    expect(output).not.toMatch(/"error":\{/);
    await eventually(() => {
      expect(received.some(({ metadata }) => metadata.test === true)).toBe(true);
      expect(received.some(({ metadata }) => metadata.test === undefined)).toBe(true);
    });
  });
});

describeReceivers();
