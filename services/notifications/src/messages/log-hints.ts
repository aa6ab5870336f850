import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Broker } from '@holdfast/shared/broker';

/** The log has grown; the key is its last position. */
const grownTopic = 'event-log';

/** A process has open streams; the key is its own name. */
const readersTopic = 'event-log-readers';

/** How often a process that has open streams says so, and for how long it is believed: two may be lost. */
const sayEveryMs = 2_000;
const believedForMs = 3 * sayEveryMs;

/** A hint reaches every process of the installation, so it is given only while somebody elsewhere waits for it. */
export type LogHints = {
  readonly tellGrown: (lastPosition: bigint) => void;
  /** How many streams this process has open, whenever that changes. */
  readonly noteReaders: (count: number) => void;
  /** Whether anybody, here or elsewhere, has a stream open. */
  readonly hasReaders: () => boolean;
  readonly stop: () => void;
};

export function createLogHints(
  broker: Pick<Broker, 'broadcast' | 'onBroadcast'>,
  onGrown: (lastPosition: bigint) => void,
): LogHints {
  const self = randomUUID();
  let readers = 0;
  let heardOfOthersAtMs = -Infinity;
  let lastTold: bigint | undefined;

  const tellReaders = (): void => broker.broadcast({ topic: readersTopic, key: self });
  const hasOthers = (): boolean => performance.now() - heardOfOthersAtMs < believedForMs;
  const tellGrown = (lastPosition: bigint): void => {
    lastTold = lastPosition;
    if (hasOthers()) broker.broadcast({ topic: grownTopic, key: lastPosition.toString() });
  };
  const noteOthers = (): void => {
    const isNews = !hasOthers();
    heardOfOthersAtMs = performance.now();
    // What was appended just before they opened a stream was told to nobody.
    if (isNews && lastTold !== undefined) tellGrown(lastTold);
  };

  const stopListening = broker.onBroadcast([grownTopic, readersTopic], ({ topic, key }) => {
    if (topic === grownTopic) onGrown(BigInt(key));
    else if (key !== self) noteOthers();
  });
  const timer = setInterval(() => {
    if (readers > 0) tellReaders();
  }, sayEveryMs);
  timer.unref();
  return {
    tellGrown,
    noteReaders: (count) => {
      const isFirst = readers === 0 && count > 0;
      readers = count;
      if (isFirst) tellReaders();
    },
    hasReaders: () => readers > 0 || hasOthers(),
    stop: () => {
      clearInterval(timer);
      stopListening();
    },
  };
}
