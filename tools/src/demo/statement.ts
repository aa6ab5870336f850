import { z } from 'zod';
import { systemClock, toInstant } from '@holdfast/kernel/context';
import type { Client } from './client.js';

const hourMs = 3_600_000;
const shape = z.object({
  closing: z.object({ available: z.string() }),
  totals: z.object({ in: z.string(), out: z.string(), fees: z.string() }),
  lines: z.array(z.object({ amount: z.string(), available: z.string(), description: z.string() })),
});

/** Prints what happened to the balance of a user in the last hour. */
export async function showStatement(client: Client, print: (line: string) => void, userId: string): Promise<void> {
  const nowMs = systemClock().epochMs();
  const [from, to] = [nowMs - hourMs, nowMs + hourMs].map(toInstant);
  const { closing, totals, lines } = shape.parse(await client.get(`/users/${userId}/statements?from=${from}&to=${to}`));
  print(`   Statement of the seller ${userId}`);
  for (const { amount, available, description } of lines)
    print(`   ${amount.padStart(10)} ${available.padStart(10)}  ${description}`);
  print(`   ${totals.in} in, ${totals.out} out, ${closing.available} USD available; the platform kept ${totals.fees}`);
  print('');
}
