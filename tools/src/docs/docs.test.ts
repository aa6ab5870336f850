import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { portSetting } from '@holdfast/process/config';
import { allRoutes } from '@holdfast/contracts/http';
import { allMessages, message } from '@holdfast/contracts/messages';
import { errorCodes } from '@holdfast/kernel/errors';
import { saga } from '@holdfast/contracts/sagas';
import { consoleStates } from './console-states.js';
import { metricsDeclaredIn, settingsDeclaredIn, statesDeclaredIn } from './declared-in.js';
import { envExample } from './env-example.js';
import { errorsPage } from './errors-page.js';
import { eventsPage } from './events-page.js';
import { staleFiles, writeFresh } from './fresh-folder.js';
import { generatedDocs } from './generated-docs.js';
import { table } from './markdown.js';
import { metricsPage } from './metrics-page.js';
import { sagasPage } from './sagas-page.js';
import { isSdkFresh } from './sdk-freshness.js';
import { settingsPage } from './settings-page.js';
import { statesPage } from './states-page.js';

const nothingFound = { settings: [], states: [], metrics: [] };

describe('the generated docs', () => {
  it('are deterministic', () => {
    expect([...generatedDocs('1.0.0', nothingFound)]).toEqual([...generatedDocs('1.0.0', nothingFound)]);
  });

  it('have an index that links every one of them', () => {
    const docs = generatedDocs('1.0.0', nothingFound);
    const others = [...docs.keys()].filter((name) => name !== 'README.md');
    expect(others.filter((name) => docs.get('README.md')?.includes(`(${name})`) !== true)).toEqual([]);
  });

  it('contain every message, every error and every route', () => {
    const docs = generatedDocs('1.0.0', nothingFound);
    expect(allMessages.filter(({ type }) => docs.get('events.md')?.includes(`### ${type}\n`) !== true)).toEqual([]);
    expect(errorCodes.filter((code) => docs.get('errors.md')?.includes(`| \`${code}\` |`) !== true)).toEqual([]);
    expect(allRoutes.filter(({ name }) => docs.get('openapi.json')?.includes(`"operationId": "${name}"`) !== true)).toEqual([]);
  });
});

describe('the generated sources of the SDK', () => {
  it('are fresh only for the document that they were written from', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'holdfast-sdk-'));
    const file = path.join(root, 'clients/sdk/src/generated/operations.ts');
    expect(await isSdkFresh(root, '{}')).toBe(false);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `export const openApiSha256 = '${createHash('sha256').update('{}').digest('hex')}';`);
    expect([await isSdkFresh(root, '{}'), await isSdkFresh(root, '{ }')]).toEqual([true, false]);
    await rm(root, { recursive: true });
  });
});

describe('the metrics in the reference', () => {
  const declared = { type: 'gauge', name: 'holdfast_own', help: 'An own one.', labels: { state: ['a', 'b'] } } as const;

  it('are the rows of every process and of the program', () => {
    const page = metricsPage([
      metricsDeclaredIn('orders', { metrics: [declared] }),
      metricsDeclaredIn('gateway', { metrics: [] }),
    ]);
    expect(page).toContain('| `holdfast_own` | gauge | `state`: a, b | An own one. | orders |');
    expect(page).toMatch(/`holdfast_build_info`.*\| every process \|/);
  });

  it('must be exported as declarations', () => {
    expect(() => metricsDeclaredIn('orders', {})).toThrow('the metrics.ts of orders');
  });
});

describe('a message in the reference', () => {
  const declared = message({
    type: 'escrow.released',
    version: 2,
    visibility: 'public',
    aggregateType: 'Order',
    summary: 'A thing was done.',
    publisher: 'orders',
    payload: z.strictObject({
      orderId: z.string().meta({ example: 'ord_1' }),
      parts: z.array(z.strictObject({ size: z.number() })).meta({ description: 'What it was made of' }),
      note: z.string().optional(),
    }),
  });
  const page = eventsPage([declared]);

  it('says who publishes it and who consumes it', () => {
    expect(page).toContain('| [`escrow.released`](#escrowreleased) | public | orders | ledger-balance, orders, notifications |');
  });

  it('lists the fields of its payload, inner ones too', () => {
    expect(page).toContain(
      '| `parts` | array | yes | What it was made of |\n| `parts[].size` | number | yes |  |\n| `note` | string | no |  |',
    );
  });

  it('is shown as the event stream sends it', () => {
    expect(page).toContain('"aggregateId": "ord_1",\n  "aggregateType": "Order",\n  "payload": {\n    "orderId": "ord_1"');
  });
});

describe('the error reference', () => {
  it('lists the routes of a code, and both statuses where it depends on the route', () => {
    const page = errorsPage(allRoutes);
    expect(page).toMatch(/\| `RESERVATION_EXCEEDED` \| 400 \| .* \| `balances.release` \|/);
    expect(page).toMatch(/\| `INVALID_STATE` \| 400 or 409 \|/);
    expect(page).toMatch(/\| `INTERNAL_ERROR` \| 500 \| .* \| all \|/);
  });
});

describe('a state diagram', () => {
  it('has one arrow per allowed pair', () => {
    const moves = { assign: { from: ['OPEN'], to: 'REVIEW' }, drop: { from: ['OPEN', 'REVIEW'], to: 'DROPPED' } };
    const page = statesPage([{ aggregate: 'Dispute', initial: 'OPEN', moves }]);
    expect(page).toContain(
      'stateDiagram-v2\n  [*] --> OPEN\n  OPEN --> REVIEW: assign\n  OPEN --> DROPPED: drop\n  REVIEW --> DROPPED: drop\n',
    );
  });
});

describe('the diagram of a saga', () => {
  it('has an arrow for every handled message, dashed where a step fails', () => {
    const declared = { version: 1, visibility: 'internal', aggregateType: 'Order', summary: '', payload: z.unknown() } as const;
    const requested = message({ ...declared, type: 'order.asked', publisher: 'orders' });
    const done = message({ ...declared, type: 'order.paid', publisher: 'payments' });
    const refused = message({ ...declared, type: 'order.not_paid', publisher: 'payments' });
    const sagas = [
      saga('pay', 'Pays.', {
        start: { by: 'orders', does: 'asks', publishes: [requested] },
        pay: { by: 'payments', on: requested, does: 'pays', publishes: [done], orElse: [refused], calls: ['fund'] },
        finish: { by: 'orders', on: [done, requested], does: 'is glad', publishes: [], ends: 'succeeded' },
        revert: { by: 'orders', on: refused, does: 'is sad', publishes: [], compensates: 'start', ends: 'failed' },
      }),
    ];
    const sequence = { name: 'buy', summary: 'Buys.', sagas: ['reserve', 'pay'], compensatedBy: 'cancel' };
    const page = sagasPage(sagas, [sequence]);
    expect(page).toContain('  orders->>payments: order.asked\n');
    expect(page).toContain('  payments->>orders: order.paid\n  payments-->>orders: order.not_paid\n');
    expect(page).toContain('| pay | payments | `order.asked` | pays | `order.paid` | `order.not_paid` | fund |  |');
    expect(page).toContain('| finish | orders | `order.paid` and `order.asked` | is glad |  |  |  | succeeded |');
    expect(page).toContain('| revert | orders | `order.not_paid` | is sad |  |  |  | compensates start, failed |');
    expect(page).toContain(
      '  reserve -->|succeeded| pay\n  reserve -->|failed| cancel\n  pay -->|succeeded| done([succeeded])\n',
    );
  });
});

describe('the settings table', () => {
  it('shows defaults, required settings and secrets', () => {
    const common = { description: 'meaning', expected: 'text', defaultText: undefined, isRequired: false, isSecret: false };
    const settings = [
      { ...common, name: 'PORT', defaultText: '8080' },
      { ...common, name: 'MASTER_KEY', isRequired: true, isSecret: true },
      { ...common, name: 'AMQP_URL', isSecret: true },
    ];
    const page = settingsPage([{ program: 'gateway', settings }]);
    expect(page).toContain('| `PORT` | meaning | text | `8080` |');
    expect(page).toContain('| `MASTER_KEY` | meaning | text | required, secret |\n| `AMQP_URL` | meaning | text | secret |');
  });
});

describe('the states of the console', () => {
  it('are those that people act on, with the states from which each move is allowed', () => {
    const moves = { resolve: { from: ['OPEN', 'UNDER_REVIEW'], to: 'RESOLVED' } };
    const text = consoleStates([
      { aggregate: 'Dispute', initial: 'OPEN', moves },
      { aggregate: 'Api key', initial: 'ACTIVE', moves },
    ]);
    expect(text).toContain("export const disputeStatuses = ['OPEN', 'UNDER_REVIEW', 'RESOLVED'] as const;");
    expect(text).toContain("  resolve: ['OPEN', 'UNDER_REVIEW'],");
    expect(text).not.toContain('ACTIVE');
  });
});

describe('a declaration found by file name', () => {
  const moves = { resolve: { from: ['OPEN'], to: 'RESOLVED' } };

  it('is a state table with its initial state', () => {
    const exported = {
      disputeStatuses: ['OPEN', 'RESOLVED'],
      disputeMoves: moves,
      topUpStates: ['NEW'],
      topUpMoves: {},
      other: 1,
    };
    expect(statesDeclaredIn('dispute-states.js', exported)).toEqual([
      { aggregate: 'Dispute', initial: 'OPEN', moves },
      { aggregate: 'Top up', initial: 'NEW', moves: {} },
    ]);
  });

  it('is refused where the list of states is missing', () => {
    expect(() => statesDeclaredIn('a.js', { disputeMoves: moves })).toThrow(
      'a.js must export disputeStatuses beside disputeMoves',
    );
  });

  it('is a list of settings', () => {
    const settings = z.object({ port: portSetting({ description: 'where it listens', default: 1 }) });
    expect(settingsDeclaredIn('gateway', { settings })).toMatchObject({
      program: 'gateway',
      settings: [{ name: 'PORT', defaultText: '1' }],
    });
    const ofService = settingsDeclaredIn('orders', { settings: z.object({}) }).settings;
    expect(ofService.find(({ name }) => name === 'PORT')).toMatchObject({ defaultText: '8083' });
    expect(() => settingsDeclaredIn('gateway', {})).toThrow('must export its schema as "settings"');
  });
});

describe('a table', () => {
  it('escapes cells that would break its columns', () => {
    expect(table(['A'], [['x | y\nz <b>']])).toBe('| A |\n| --- |\n| x \\| y z &lt;b> |');
  });
});

describe('a folder of generated files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdfast-docs-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('reports missing, different and unexpected files', async () => {
    await writeFile(path.join(folder, 'same.md'), 'same');
    await writeFile(path.join(folder, 'old.md'), 'old');
    await writeFile(path.join(folder, 'gone.md'), 'gone');
    const wanted = new Map(Object.entries({ 'same.md': 'same', 'old.md': 'new', 'added.md': 'added' }));
    expect(await staleFiles(folder, wanted)).toEqual(['added.md', 'gone.md', 'old.md']);
  });

  it('has exactly the wanted files once written', async () => {
    await writeFile(path.join(folder, 'gone.md'), 'gone');
    const wanted = new Map([['new.md', 'new']]);
    expect(await writeFresh(folder, wanted)).toEqual(['gone.md', 'new.md']);
    expect(await readdir(folder)).toEqual(['new.md']);
    expect(await readFile(path.join(folder, 'new.md'), 'utf8')).toBe('new');
    expect(await staleFiles(folder, wanted)).toEqual([]);
  });
});

describe('.env.example', () => {
  const common = { description: 'Meaning', expected: 'text', defaultText: undefined, isRequired: false, isSecret: false };
  const port = { ...common, name: 'PORT', defaultText: '1' };
  const text = envExample([
    { program: 'all-in-one', settings: [{ ...port, description: 'The port of the program' }] },
    { program: 'gateway', settings: [port, { ...common, name: 'MASTER_KEY', isRequired: true, isSecret: true }] },
    { program: 'orders', settings: [{ ...port, defaultText: '2' }] },
  ]);

  it('explains a setting of several processes once', () => {
    expect(text.match(/^#PORT=/gm)).toHaveLength(1);
    expect(text).toContain(
      '# Meaning. Expected: text.\n# Read by gateway, orders, all-in-one.\n# By default 1 (gateway), 2 (orders)',
    );
  });

  it('says what is required, and how a secret is given as a file', () => {
    expect(text).toContain('# Required by gateway.\n# Secret; as a file: MASTER_KEY_FILE.\n#MASTER_KEY=\n');
  });

  it('sets nothing but the profile of docker compose', () => {
    expect(text.match(/^[A-Z].*$/gm)).toEqual(['COMPOSE_PROFILES=sandbox']);
  });
});
