import type { Envelope } from '@holdfast/contracts/messages';
import { idFactory } from '@holdfast/kernel/ids';
import { manualClock } from '@holdfast/testing/clock';
import { silentLog } from '@holdfast/testing/log';
import { NewerVersionError, toEnvelope } from '../broker/index.js';
import { deliverTo, type MessageConsumer } from './deliver.js';
import { aNotice, noticePosted } from '../outbox/testing/notices.js';

const clock = manualClock();
const deps = { service: 'orders', clock, log: silentLog };

function aMessage(saga?: string): Envelope {
  const notice = toEnvelope({ clock, newId: idFactory(clock.epochMs) }, noticePosted, aNotice('one'));
  return saga === undefined ? notice : { ...notice, saga };
}

/** Consumers of the same message. Each records its saga. */
function consumersIn(...sagas: readonly (string | undefined)[]) {
  const handledBy: string[] = [];
  const consumers = sagas.map((saga): MessageConsumer => {
    const run = async (): Promise<void> => void handledBy.push(saga ?? 'outside');
    return saga === undefined ? { declaration: noticePosted, run } : { declaration: noticePosted, saga, run };
  });
  return { handledBy, consumers };
}

describe('a message that sagas share', () => {
  it('is handled by the step of the saga that it names', async () => {
    const { handledBy, consumers } = consumersIn('release', 'refund');
    const deliver = deliverTo(consumers, deps);
    await deliver({ envelope: aMessage('refund'), attempts: 0 });
    await deliver({ envelope: aMessage('release'), attempts: 0 });
    expect(handledBy).toEqual(['refund', 'release']);
  });

  it('is handled by the consumer without a saga, whichever saga the message names', async () => {
    const { handledBy, consumers } = consumersIn(undefined);
    const deliver = deliverTo(consumers, deps);
    await deliver({ envelope: aMessage('refund'), attempts: 0 });
    await deliver({ envelope: aMessage(), attempts: 0 });
    expect(handledBy).toEqual(['outside', 'outside']);
  });

  it('waits for a newer process when there is no handler for its saga', async () => {
    const deliver = deliverTo(consumersIn('release').consumers, deps);
    const inFund = deliver({ envelope: aMessage('fund'), attempts: 0 });
    await expect(inFund).rejects.toThrow(
      new NewerVersionError('orders has no handler for notice.posted in the saga fund', aMessage()),
    );
    const outside = deliver({ envelope: aMessage(), attempts: 0 });
    await expect(outside).rejects.toThrow(
      new NewerVersionError('orders has no handler for notice.posted outside of sagas', aMessage()),
    );
  });

  it('may have only one handler per saga, also when two steps wait for it', () => {
    const { consumers } = consumersIn('release');
    expect(() => deliverTo([...consumers, ...consumers], deps)).not.toThrow();
    expect(() => deliverTo(consumersIn('release', 'release').consumers, deps)).toThrow(
      'notice.posted in the saga release has two handlers.',
    );
  });
});
