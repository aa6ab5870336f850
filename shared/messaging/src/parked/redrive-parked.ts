import type { Broker } from '../broker/index.js';
import type { ParkedMessages } from './parked-messages.js';

export type RedriveOptions = {
  readonly parked: Pick<ParkedMessages, 'readRange' | 'markRedriven' | 'now'>;
  readonly broker: Pick<Broker, 'redeliver'>;
  readonly queue: string;
  readonly countMax?: number | undefined;
};

const batchMax = 100;
/** The maximum number of messages that one call sends. */
const redriveMax = 10_000;

/**
 * Sends parked messages back to their queue with zero attempts: all of them, or the named ones. Returns how many. Each stays parked
 * until it is handled, so that a crash loses none; a message that is sent twice is handled once. Messages that are parked again
 * during the call are skipped, because the call would otherwise never end.
 */
export async function redriveParked(
  { parked, broker, queue, countMax: wantedMax = redriveMax }: RedriveOptions,
  messageIds?: readonly string[],
): Promise<number> {
  const parkedBefore = await parked.now();
  let redriven = 0;
  let afterId = '';
  while (redriven < wantedMax) {
    const countMax = Math.min(batchMax, wantedMax - redriven);
    const messages = await parked.readRange({ parkedBefore, afterId, messageIds, countMax });
    const last = messages.at(-1);
    if (last === undefined) break;
    await broker.redeliver(queue, messages);
    await parked.markRedriven(
      messages.map(({ messageId }) => messageId),
      parkedBefore,
    );
    afterId = last.messageId;
    redriven += messages.length;
  }
  return redriven;
}
