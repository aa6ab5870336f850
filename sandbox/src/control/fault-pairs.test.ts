import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runSandbox, type RunningSandbox } from '../testing/running-sandbox.js';
import { faultKindNames, faultKinds, faultTargets, type FaultTarget } from './fault-kinds.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await runSandbox();
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox.close());

const everyStep = ['deploy', 'fund', 'complete', 'approve', 'release', 'dispute', 'resolve'];

type Pairs = { readonly target: FaultTarget; readonly operations: readonly string[]; readonly fields?: object };

/** Every kind that is accepted for some pairs only, with the fields that it needs. */
const pairs: Readonly<Record<string, Pairs>> = {
  'wrong-contract': { target: 'escrow-provider', operations: everyStep },
  'wrong-function': { target: 'escrow-provider', operations: everyStep },
  'extra-operation': { target: 'escrow-provider', operations: everyStep },
  'foreign-credential': { target: 'escrow-provider', operations: everyStep },
  'endless-bounds': { target: 'escrow-provider', operations: everyStep },
  'huge-fee': { target: 'escrow-provider', operations: everyStep },
  'wrong-amount': { target: 'escrow-provider', operations: ['deploy', 'fund', 'resolve'] },
  'wrong-receiver': { target: 'escrow-provider', operations: ['deploy', 'fund', 'release', 'resolve'] },
  'extra-transfer': { target: 'escrow-provider', operations: ['fund'] },
  'claims-success': { target: 'escrow-provider', operations: ['fund', 'release', 'resolve'] },
  'indexer-behind': { target: 'escrow-provider', operations: ['read'] },
  'lagging-node': { target: 'ledger-network', operations: ['read'] },
  'unknown-operation': { target: 'ledger-network', operations: ['history'] },
  'invented-payment': {
    target: 'ledger-network',
    operations: ['history'],
    fields: { address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ' },
  },
  'raised-amount': { target: 'ledger-network', operations: ['history'] },
  'other-network': { target: 'ledger-network', operations: ['root'] },
};

const arm = (body: object) => sandbox.control('POST', '/faults', body);
const allPairs = Object.entries(faultTargets).flatMap(([target, operations]) =>
  operations.map((operation) => ({ target, operation })),
);

describe.each(Object.entries(pairs))('the fault kind %s', (kind, { target, operations, fields }) => {
  it('201 for each of its pairs', async () => {
    for (const operation of operations) {
      expect(await arm({ target, operation, kind, times: 1, ...fields })).toMatchObject({
        status: 201,
        body: { kind, operation },
      });
    }
  });

  it('400 for every other pair, with the operations that it has', async () => {
    const others = allPairs.filter((pair) => pair.target !== target || !operations.includes(pair.operation));
    for (const pair of others) {
      expect(await arm({ ...pair, kind, ...fields })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(`${target} and one of its operations ${operations.join(', ')}`) },
      });
    }
    expect((await sandbox.control('GET', '/faults')).body).toEqual([]);
  });

  it('400 without an operation', async () => {
    expect((await arm({ target, kind, ...fields })).status).toBe(400);
  });
});

describe('the other fault kinds', () => {
  it('201 for every pair, and without an operation', async () => {
    const kinds = faultKindNames.filter((kind) => !Object.hasOwn(pairs, kind));
    expect(kinds).toHaveLength(7);
    for (const kind of kinds) {
      for (const { target, operation } of allPairs) {
        expect((await arm({ target, operation, kind })).status).toBe(201);
        expect((await arm({ target, kind })).status).toBe(201);
      }
    }
  });
});

describe('the README', () => {
  const readme = readFileSync(path.resolve(__dirname, '../../README.md'), 'utf8').replaceAll(/ +/g, ' ');

  it.each(faultKindNames)('describes the kind %s as it is declared', (kind) => {
    const declared: {
      readonly effect: string;
      readonly only?: { readonly operations: readonly string[]; readonly target: string };
    } = faultKinds[kind];
    const { effect, only } = declared;
    const where = only === undefined ? 'all' : `\`${only.target}\`: ${only.operations.join(', ')}`;
    expect(readme).toContain(`| \`${kind}\` | ${where} | ${effect} |`);
  });
});
