import { parseArgs } from 'node:util';
import { z } from 'zod';
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
  const parsed = schema.safeParse(values);
  return parsed.success ? parsed.data : (parsed.error.issues[0]?.message ?? 'The options are not understood.');
}

function textOf(missing: string): z.ZodString {
  return z.string(missing).trim().min(1, missing);
}

const isAmount = (given: string): boolean => /^\d{1,12}(\.\d{1,7})?$/.test(given) && Number(given) > 0;
const badAmount = '--amount must be an amount such as 1500.00.';

const schema = z.object({
  to: textOf('--to is missing: the address that receives the tokens.'),
  asset: z.enum(custodyAssets, `--asset must be ${custodyAssets.join(' or ')}.`).default('USDC'),
  amount: z.string(badAmount).refine(isAmount, badAmount),
  by: textOf('--by is missing: the audit log names the person.'),
  reason: textOf('--reason is missing: the audit log says why.'),
});

function optionsIn(args: readonly string[]): Partial<Record<keyof typeof options, string>> | undefined {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch {
    return undefined;
  }
}
