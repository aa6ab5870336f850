import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from './live-context.js';
import { createRefresh } from './refresh.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

type Filter = { readonly predicate: (query: { readonly queryKey: readonly unknown[] }) => boolean };

/** Which of the queries on the screen are read again, and how often. */
function aScreen() {
  const read: string[] = [];
  const queries = ['summary.get', 'orders.list', 'topups.list'];
  const client = {
    invalidateQueries: ({ predicate }: Filter) => {
      read.push(...queries.filter((operation) => predicate({ queryKey: [operation] })));
      return Promise.resolve();
    },
  } as unknown as QueryClient;
  return { read, refresh: createRefresh(client, new AbortController().signal) };
}

const event = { eventType: 'order.closed', aggregateType: 'Order', aggregateId: 'ord_1', payload: {} } as unknown as LiveEvent;

describe('the queries on the screen', () => {
  it('are read again soon after an event, and the summary once more, when the platform has counted the last one', () => {
    const { read, refresh } = aScreen();
    refresh(event);
    refresh(event);
    jest.advanceTimersByTime(150);
    expect(read).toEqual(['summary.get', 'orders.list']);
    jest.advanceTimersByTime(3_000);
    expect(read).toEqual(['summary.get', 'orders.list', 'summary.get']);
    jest.advanceTimersByTime(60_000);
    expect(read).toHaveLength(3);
  });
});
