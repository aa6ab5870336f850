import { parseArgs } from 'node:util';
import { z } from 'zod';
import { isId } from '@holdfast/kernel/ids';
import { custodyAssets } from '@holdfast/kernel/money';

const textOf = (missing: string): z.ZodString => z.string(missing).trim().min(1, missing);

const isAmount = (given: string): boolean => /^\d{1,12}(\.\d{1,7})?$/.test(given) && Number(given) > 0;
const badAmount = '--amount must be an amount such as 1500.00.';
const badOrder = '--order must be the id of an order, such as ord_01J8ZQ4T9V6W2N3R5X7Y8Z0A1B.';

const by = textOf('--by is missing: the audit log names the person.');
const reason = textOf('--reason is missing: the audit log says why.');

/** The options of each command, in the order in which their faults are reported. */
const commands = {
  expect: z.object({
    to: textOf('--to is missing: the address that receives the tokens.'),
    asset: z.enum(custodyAssets, `--asset must be ${custodyAssets.join(' or ')}.`).default('USDC'),
    amount: z.string(badAmount).refine(isAmount, badAmount),
    by,
    reason,
  }),
  'withdraw-remaining': z.object({
    order: z.string(badOrder).refine((given) => isId(given, 'ord'), badOrder),
    by,
    reason,
  }),
} as const;

type Commands = typeof commands;

/** What a person has asked the command `npm run treasury` to do. */
export type TreasuryCommand = {
  readonly [Name in keyof Commands]: { readonly does: Name; readonly options: Readonly<z.output<Commands[Name]>> };
}[keyof Commands];

/** Returns what is wrong as a text. */
export function parseCommand([name, ...args]: readonly string[]): TreasuryCommand | string {
  if (name === 'expect') {
    const options = optionsOf(commands.expect, args);
    return typeof options === 'string' ? options : { does: name, options };
  }
  if (name === 'withdraw-remaining') {
    const options = optionsOf(commands[name], args);
    return typeof options === 'string' ? options : { does: name, options };
  }
  return 'Say expect or withdraw-remaining.';
}

function optionsOf<Schema extends z.ZodObject>(schema: Schema, args: readonly string[]): z.output<Schema> | string {
  const names = Object.keys(schema.shape);
  const values = valuesOf(names, args);
  if (values === undefined) return `Only ${listOf(names)} are understood, each with a text.`;
  const parsed = schema.safeParse(values);
  return parsed.success ? parsed.data : (parsed.error.issues[0]?.message ?? 'The options are not understood.');
}

function listOf(names: readonly string[]): string {
  const options = names.map((name) => `--${name}`);
  return `${options.slice(0, -1).join(', ')} and ${options.at(-1) ?? ''}`;
}

function valuesOf(names: readonly string[], args: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
    return parseArgs({ args: [...args], options }).values;
  } catch {
    return undefined;
  }
}
