import { parseExpectOptions } from './parse-options.js';

const given = ['expect', '--to', 'GB', '--amount', '1500.00', '--by', 'Ada', '--reason', 'dividend'];

describe('the options of the treasury command', () => {
  it('announce a transfer, of USDC unless another asset is named', () => {
    const expected = { to: 'GB', asset: 'USDC', amount: '1500.00', by: 'Ada', reason: 'dividend' };
    expect(parseExpectOptions(given)).toEqual(expected);
    expect(parseExpectOptions([...given, '--asset', 'XLM'])).toEqual({ ...expected, asset: 'XLM' });
  });

  it.each<readonly [string, readonly string[], string]>([
    ['no command', [], 'Say expect.'],
    ['an unknown option', [...given, '--now', 'x'], 'Only --to, --asset'],
    ['no receiver', ['expect', '--amount', '1', '--by', 'Ada', '--reason', 'x'], '--to is missing'],
    ['an unknown asset', [...given, '--asset', 'EUR'], '--asset must be USDC or XLM'],
    ['no amount', ['expect', '--to', 'GB', '--by', 'Ada', '--reason', 'x'], '--amount must be'],
    ['zero', [...given, '--amount', '0.00'], '--amount must be'],
    ['a negative amount', [...given, '--amount', '-5'], 'Only --to, --asset'],
    ['a blank name', [...given, '--by', ' '], '--by is missing'],
    ['no reason', ['expect', '--to', 'GB', '--amount', '1', '--by', 'Ada'], '--reason is missing'],
  ])('are refused with %s', (_what, args, message) => {
    expect(parseExpectOptions(args)).toContain(message);
  });
});
