import type { Envelope } from '@holdfast/contracts/messages';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { Tx } from '@holdfast/postgres';
import type { IntentStore } from './intent-store.js';

/** The abort of a saga run whose command stores an intent. */
export type RunAbort = {
  /** The abort command. */
  readonly message: Envelope;
  /** Publishes what the aborted step publishes when it fails. */
  readonly publish: () => Promise<Envelope>;
};

export type AbortRun = (tx: Tx, abort: RunAbort) => Promise<boolean>;

/**
 * Aborts the run unless the intent of its command is stored: then the outcome of that intent ends the run. A repeated abort publishes
 * its reply again. Returns whether the run is aborted. The caller commits it with whatever the abort changes. See ADR 0129.
 */
export function createAbortRun(
  outbox: Pick<Outbox, 'republish'>,
  intents: Pick<IntentStore, 'insertAbort' | 'saveAbortReplies' | 'findEarlier'>,
): AbortRun {
  return async (tx, { message, publish }) => {
    if (await intents.insertAbort(tx, message)) {
      await intents.saveAbortReplies(tx, message.id, [await publish()]);
      return true;
    }
    const earlier = await intents.findEarlier(message, tx);
    if (earlier?.isAbort !== true) return false;
    await outbox.republish(tx, earlier.replies ?? []);
    return true;
  };
}
