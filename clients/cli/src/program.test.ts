import type { Command } from 'commander';
import { allRoutes } from '@holdfast/contracts/http';
import { systemClock } from '@holdfast/kernel/context';
import { wordsOf } from './add-completion.js';
import { createProgram } from './program.js';
import { groups } from './resources/groups.js';
import { runInProcess } from './testing/run-in-process.js';

const nowhere = ['--api', 'http://127.0.0.1:1', '--key', 'hk_0123456789012345678901234567890'];
const program = createProgram({
  env: {},
  clock: systemClock(),
  setExitCode: () => undefined,
  stopSignal: () => new AbortController().signal,
});
const leavesOf = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.filter((each) => each.name() !== 'help').flatMap(leavesOf);

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe('the commands', () => {
  it('have all that the contract names', () => {
    const names = program.commands.map((each) => each.name());
    const wanted = [
      'listen',
      'trigger',
      'orders',
      'users',
      'balances',
      'disputes',
      'topups',
      'withdrawals',
      'events',
      'webhooks',
      'keys',
      'statements',
    ];
    const ofOperators = ['sagas', 'parked', 'verify', 'emergency', 'sandbox', 'doctor', 'completion'];
    expect(names).toEqual(expect.arrayContaining([...wanted, ...ofOperators]));
  });

  it('have one for every operation of their resources', () => {
    for (const [name, { resource }] of Object.entries(groups)) {
      const group = program.commands.find((each) => each.name() === name);
      const operations = allRoutes.filter((route) => route.name.startsWith(`${resource}.`) && route.success.form === undefined);
      expect([name, group?.commands.length]).toEqual([name, operations.length]);
      expect(operations.length).toBeGreaterThan(0);
    }
  });

  it.each(leavesOf(program).map((command) => [command.parent?.name() ?? '', command.name(), command] as const))(
    '%s %s has a description and an example',
    (_parent, name, command) => {
      expect(command.description()).not.toBe('');
      expect(helpOf(command)).toMatch(
        new RegExp(
          `Examples?:\\n +(\\S+=\\S+ |source <\\(|WEBHOOK)?.*holdfast .*\\b${name}|holdfast (sandbox faults|parked|emergency)`,
        ),
      );
    },
  );

  it('are completed with their options and values', () => {
    const words = wordsOf(program, '');
    expect(words[0]).toMatch(/^:listen trigger .*--json/);
    expect(words).toContainEqual(expect.stringMatching(/^orders create :--buyer-id --seller-id .*--help$/));
    expect(words).toContainEqual(expect.stringMatching(/^trigger :order\.released /));
  });
});

describe('a wrong use', () => {
  it.each([
    ['an unknown command', ['ordres', 'list'], /unknown command 'ordres'\n\(Did you mean orders\?\)/],
    ['a group without a command', ['orders'], /Usage: holdfast orders/],
    ['an unknown option', ['orders', 'list', '--colour', 'red'], /unknown option '--colour'/],
    ['a malformed id', ['orders', 'get', 'abc', ...nowhere], /"abc" is not a valid <id>\. It looks like ord_/],
    ['an id of another kind', ['orders', 'get', 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y', ...nowhere], /It looks like ord_/],
    ['missing fields', ['withdrawals', 'create', ...nowhere], /--user-id and --amount and --currency are missing/],
    ['a value that is not allowed', ['users', 'create', '--type', 'KING', ...nowhere], /Allowed choices are/],
    ['data that is not JSON', ['orders', 'create', '-d', '{a}', ...nowhere], /It must be JSON/],
    ['data that is not an object', ['orders', 'create', '-d', '[]', ...nowhere], /--data must be a JSON object/],
    ['a flow that does not exist', ['trigger', 'order.lost', ...nowhere], /Allowed choices are order\.released/],
    [
      'a parameter that a flow does not have',
      ['trigger', 'deposit', '--param', 'order=1', ...nowhere],
      /deposit has no parameter "order"/,
    ],
    ['no receiver', ['listen', ...nowhere], /--forward-to must be an address/],
    [
      'an unknown event',
      ['listen', '--forward-to', 'http://a/', '--types', 'order.lost', ...nowhere],
      /There is no event "order\.lost"/,
    ],
    ['a time that cannot be read', ['listen', '--forward-to', 'http://a/', '--since', 'noon', ...nowhere], /Say how long ago/],
    ['a resolution without a person', ['sagas', 'resolve', 'run_1', '--as', 'failed'], /--by <name>/],
    ['an emergency stop without a reason', ['emergency', 'stop', '--by', 'Ada', '--reason', ' '], /--reason is missing/],
  ])('%s ends with 2', async (_what, args, text) => {
    const { code, out, err } = await runInProcess(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(text);
  });

  it('help ends with 0', async () => {
    expect(await runInProcess(['orders', 'create', '--help'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('--buyer-id'),
    });
  });
});

describe('a platform that is not there', () => {
  const { env } = process; // operators' commands read the environment of the process
  const before = env['HOLDFAST_DATA_DIR'];
  beforeAll(() => void (env['HOLDFAST_DATA_DIR'] = '/nowhere/holdfast'));
  afterAll(() => {
    if (before === undefined) delete env['HOLDFAST_DATA_DIR'];
    else env['HOLDFAST_DATA_DIR'] = before;
  });

  it('ends with 1 and says how to start it', async () => {
    const { code, err } = await runInProcess(['orders', 'list']);
    expect([code, err]).toEqual([1, expect.stringMatching(/Nothing runs on \/nowhere\/holdfast: start it with "npm start"/)]);
  });

  it('is an error in JSON with --json', async () => {
    const { code, out, err } = await runInProcess(['orders', 'list', '--json']);
    expect([code, out, JSON.parse(err)]).toEqual([
      1,
      '',
      { error: { code: 'FAILED', message: expect.stringContaining('Nothing runs') } },
    ]);
  });

  it.each([['sagas', 'list'], ['parked'], ['verify', 'ledger'], ['verify', 'audit'], ['emergency'], ['sandbox', 'faults']])(
    '%s %s says what it needs',
    async (...args) => {
      const { code, err } = await runInProcess(args.filter((arg) => typeof arg === 'string'));
      expect([code, err]).toEqual([1, expect.stringMatching(/Nothing runs on|There is no installation in|There is no sandbox/)]);
    },
  );
});
