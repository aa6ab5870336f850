import { z } from 'zod';

export const builtResponse = z.object({ status: z.literal('SUCCESS'), unsignedTransaction: z.string().min(1) });

const refusal = z.object({ message: z.string() });
const messageLengthMax = 300;

/** The message of a refusal, for the log and for the reason of a failure. */
export function messageOf(body: unknown): string | undefined {
  const parsed = refusal.safeParse(body);
  return parsed.success ? parsed.data.message.slice(0, messageLengthMax) : undefined;
}
