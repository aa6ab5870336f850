import { parseArgs } from 'node:util';
import { custodyAssets, type CustodyAsset } from '@holdfast/kernel/money';

export type ExpectOptions = {
  readonly to: string;
  readonly asset: CustodyAsset;
  readonly amount: string;
  readonly by: string;
  readonly reason: string;
};

const text = { type: 'string' } as const;
const options = { to: text, asset: text, amount: text, by: text, reason: text };

/** Returns what is wrong as a text. */
export function parseExpectOptions([command, ...args]: readonly string[]): ExpectOptions | string {
  if (command !== 'expect') return 'Say expect.';
  const values = optionsIn(args);
  if (values === undefined) return 'Only --to, --asset, --amount, --by and --reason are understood, each with a text.';
  const { to = '', asset: name = 'USDC', amount = '', by = '', reason = '' } = values;
  const asset = custodyAssets.find((each) => each === name);
  if (to.trim() === '') return '--to is missing: the address that receives the tokens.';
  if (asset === undefined) return `--asset must be ${custodyAssets.join(' or ')}.`;
  if (!/^\d{1,12}(\.\d{1,7})?$/.test(amount) || Number(amount) === 0) return '--amount must be an amount such as 1500.00.';
  if (by.trim() === '') return '--by is missing: the audit log names the person.';
  if (reason.trim() === '') return '--reason is missing: the audit log says why.';
  return { to, asset, amount, by, reason };
}

function optionsIn(args: readonly string[]): Partial<Record<keyof typeof options, string>> | undefined {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch {
    return undefined;
  }
}
