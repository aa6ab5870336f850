import { consumersOf } from '@holdfast/contracts/sagas';
import { publishersOf, type MessageDeclaration } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import type { Platform } from './platform.js';
import type { UnrepeatedLoss } from './unrepeated-cases.js';

/** How long messages and acknowledgements may take on a loaded machine. */
const endTimeoutMs = 60_000;

/** Every consumer loses the message. Its publisher sends it again: it has its effect once, and every consumer has acknowledged it. */
export async function playUnrepeatedLoss(platform: Platform, { message, prepare }: UnrepeatedLoss): Promise<void> {
  const { about, cause, expectEffect, after } = await prepare(platform);
  const lost = consumersOf(message).map((service) => ({ service, type: message.type, about }));
  const loss = await platform.lose(lost, []);
  try {
    const caused = cause();
    caused.catch(() => undefined); // it may reject before it is awaited
    await loss.lost;
    await caused;
  } finally {
    await loss.close();
  }
  await makeDue(platform, message);
  await eventually(expectEffect, { timeoutMs: endTimeoutMs });
  await eventually(async () => expect(await unacknowledged(platform, message)).toEqual([]), { timeoutMs: endTimeoutMs });
  await expectEffect();
  await after?.();
}

/** Half a minute passes. */
async function makeDue({ database }: Platform, message: MessageDeclaration): Promise<void> {
  const rows = await database.asAdmin(
    `update ${outboxOf(message)} set available_at = now() where awaits is not null and messages like $1 returning id`,
    [patternOf(message)],
  );
  expect(rows).not.toEqual([]);
}

function unacknowledged({ database }: Platform, message: MessageDeclaration): Promise<readonly unknown[]> {
  return database.asAdmin(`select awaits, messages from ${outboxOf(message)} where messages like $1`, [patternOf(message)]);
}

function outboxOf(message: MessageDeclaration): string {
  return `${publishersOf(message).join().replaceAll('-', '_')}.outbox`;
}

function patternOf({ type }: MessageDeclaration): string {
  return `%"type":"${type}"%`;
}
