import { parseCommand } from './parse-options.js';

const expectArgs = ['expect', '--to', 'GB', '--amount', '1500.00', '--by', 'Ada', '--reason', 'dividend'];
const order = 'ord_01J8ZQ4T9V6W2N3R5X7Y8Z0A1B';
const withdrawArgs = ['withdraw-remaining', '--order', order, '--by', 'Ada', '--reason', 'ticket 7'];

describe('the treasury command', () => {
  it('announces a transfer, of USDC unless another asset is named', () => {
    const options = { to: 'GB', asset: 'USDC', amount: '1500.00', by: 'Ada', reason: 'dividend' };
    expect(parseCommand(expectArgs)).toEqual({ does: 'expect', options });
    expect(parseCommand([...expectArgs, '--asset', 'XLM'])).toEqual({ does: 'expect', options: { ...options, asset: 'XLM' } });
  });

  it('withdraws what the contract of an order still holds', () => {
    const options = { order, by: 'Ada', reason: 'ticket 7' };
    expect(parseCommand(withdrawArgs)).toEqual({ does: 'withdraw-remaining', options });
  });

  it.each<readonly [string, readonly string[], string]>([
    ['no command', [], 'Say expect or withdraw-remaining.'],
    ['an unknown option', [...expectArgs, '--now', 'x'], 'Only --to, --asset'],
    ['no receiver', ['expect', '--amount', '1', '--by', 'Ada', '--reason', 'x'], '--to is missing'],
    ['an unknown asset', [...expectArgs, '--asset', 'EUR'], '--asset must be USDC or XLM'],
    ['no amount', ['expect', '--to', 'GB', '--by', 'Ada', '--reason', 'x'], '--amount must be'],
    ['zero', [...expectArgs, '--amount', '0.00'], '--amount must be'],
    ['a negative amount', [...expectArgs, '--amount', '-5'], 'Only --to, --asset'],
    ['a blank name', [...expectArgs, '--by', ' '], '--by is missing'],
    ['no reason', ['expect', '--to', 'GB', '--amount', '1', '--by', 'Ada'], '--reason is missing'],
    ['no order', ['withdraw-remaining', '--by', 'Ada', '--reason', 'x'], '--order must be'],
    ['the id of something else', [...withdrawArgs, '--order', 'usr_1'], '--order must be'],
    ['an option of the other command', [...withdrawArgs, '--to', 'GB'], 'Only --order, --by and --reason'],
  ])('refuses %s', (_what, args, message) => {
    expect(parseCommand(args)).toContain(message);
  });
});
