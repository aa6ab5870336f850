import { idFactory } from '@holdfast/kernel/ids';
import { parseResolveOptions } from './resolve-options.js';

const runId = idFactory(() => 0)('run');
const transaction = 'a'.repeat(64);
const contract = `C${'A'.repeat(55)}`;
const failed = [runId, '--as', 'failed', '--by', 'Ada', '--evidence', 'ticket 7'];
const succeeded = [runId, '--as', 'succeeded', '--by', 'Ada', '--evidence', 'ticket 7'];
const common = { id: runId, by: 'Ada', evidence: 'ticket 7' };

it('reads a failure, and a success with its proof', () => {
  expect(parseResolveOptions(failed)).toEqual({ ...common, outcome: 'failed' });
  expect(parseResolveOptions([...succeeded, '--transaction', transaction, '--contract', contract])).toEqual({
    ...common,
    outcome: 'succeeded',
    transactionHash: transaction,
    contractId: contract,
  });
});

it.each(['topup', 'wd', 'rcc'] as const)('reads a payment %s, whose success needs no transaction of the network', (prefix) => {
  const id = idFactory(() => 0)(prefix);
  expect(parseResolveOptions([id, ...succeeded.slice(1)])).toEqual({ ...common, id, outcome: 'succeeded' });
});

it.each([
  ['no run', failed.slice(1), 'There is no run with this id'],
  ['two runs', [runId, ...failed], 'There is no run with this id'],
  ['an unknown outcome', [runId, '--as', 'maybe', '--by', 'Ada', '--evidence', 'x'], '--as must be succeeded or failed'],
  ['no outcome', [runId, '--by', 'Ada', '--evidence', 'x'], '--as must be'],
  ['no person', [runId, '--as', 'failed', '--evidence', 'x'], '--by must name the person'],
  ['a blank person', [runId, '--as', 'failed', '--by', ' ', '--evidence', 'x'], '--by must name the person'],
  ['no evidence', [runId, '--as', 'failed', '--by', 'Ada'], '--evidence is missing'],
  ['blank evidence', [runId, '--as', 'failed', '--by', 'Ada', '--evidence', ' '], '--evidence must say'],
  ['a malformed transaction', [...succeeded, '--transaction', 'abc'], '--transaction must be 64'],
  ['a malformed contract', [...succeeded, '--transaction', transaction, '--contract', 'G1'], '--contract must be'],
  ['an unknown option', [...failed, '--force'], "Unknown option '--force'"],
])('explains %s', (_, args, text) => {
  expect(parseResolveOptions(args)).toEqual(expect.stringContaining(text));
});
