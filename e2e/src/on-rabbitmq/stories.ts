import type { EventRecord } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';
import { eventsOf, expected, typesOf, withoutMilestones } from '../events/expected.js';
import type { Reader } from '../events/reader.js';
import { anOrder, bringTo, call, type Ending, type Order } from '../faults/order-life.js';
import type { SandboxControl } from '../faults/sandbox-control.js';
import type { Api } from '../testing/api.js';

/** Orders by name, and their events as a reader of the stream gets them. */
export type Stories = {
  /** Leads an order to this end. */
  readonly play: (name: string, ending: Ending) => Promise<void>;
  /** The provider refuses once, and takes the second attempt. */
  readonly playFailedFunding: (name: string) => Promise<void>;
  /** All events of the order have arrived, in causal order. */
  readonly expectInOrder: (name: string, story: Story) => Promise<void>;
  /** All events of the order have arrived, some of them perhaps twice. */
  readonly expectComplete: (name: string, story: Story) => Promise<void>;
  readonly orders: () => readonly Order[];
};

type Story = keyof typeof expected;
type Deps = { readonly api: Api; readonly sandbox: SandboxControl; readonly reader: Reader };

/** Events of requests before the order: several processes publish them, in no defined order. */
const beforeTheOrder = ['user.created', 'user.created', 'balance.credited'];

export function storiesOf({ api, sandbox, reader }: Deps): Stories {
  const orders = new Map<string, Order>();
  const begin = async (name: string): Promise<Order> => {
    const order = await anOrder(api);
    orders.set(name, order);
    return order;
  };
  const eventsNow = (name: string) => {
    const order = orders.get(name);
    if (order === undefined) throw new Error(`${name} was not played`);
    const published = eventsOf(reader.events(), order);
    return {
      before: typesOf(published.filter(isBeforeTheOrder)).toSorted(),
      then: typesOf(published.filter((event) => !isBeforeTheOrder(event))),
    };
  };
  return {
    play: async (name, ending) => {
      const order = await begin(name);
      await bringTo(api, order, ending);
      expect((await call(api, order, ending)).status).toBe(ending === 'cancel' ? 201 : 200);
    },
    playFailedFunding: async (name) => {
      const order = await begin(name);
      await bringTo(api, order, 'fund');
      await sandbox.arm({ target: 'escrow-provider', operation: 'fund', kind: 'wrong-function' });
      expect((await call(api, order, 'fund')).code).toBe('ESCROW_FUNDING_FAILED');
      await sandbox.clear();
      expect((await call(api, order, 'fund')).status).toBe(201);
    },
    expectInOrder: async (name, story) => {
      const wanted = { name, before: beforeTheOrder.toSorted(), then: expectedOf(story) };
      await eventually(() => expect(eventsNow(name).then.length).toBeGreaterThanOrEqual(wanted.then.length));
      expect({ name, ...eventsNow(name) }).toEqual(wanted);
    },
    expectComplete: (name, story) => eventually(() => expect(new Set(eventsNow(name).then)).toEqual(new Set(expectedOf(story)))),
    orders: () => [...orders.values()],
  };
}

/** Orders of these stories have no milestones. */
function expectedOf(story: Story): readonly string[] {
  return withoutMilestones(expected[story].slice(beforeTheOrder.length));
}

function isBeforeTheOrder({ eventType, payload }: EventRecord): boolean {
  return eventType === 'user.created' || payload['source'] === 'manual';
}
