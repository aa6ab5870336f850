import type { Notification } from '@holdfast/shared/broker';
import { createLogHints, type LogHints } from './log-hints.js';

/** Processes on one broker; a hint reaches all of them, the one that gave it included. */
function processes(): {
  readonly given: Notification[];
  readonly start: () => { readonly hints: LogHints; readonly grown: bigint[] };
} {
  const given: Notification[] = [];
  const listeners: ((hint: Notification) => void)[] = [];
  const broker = {
    broadcast: (hint: Notification): void => {
      given.push(hint);
      for (const listener of listeners) listener(hint);
    },
    onBroadcast: (_topics: readonly string[], listener: (hint: Notification) => void) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const start = () => {
    const grown: bigint[] = [];
    const hints = createLogHints(broker, (position) => void grown.push(position));
    started.push(hints);
    return { hints, grown };
  };
  return { given, start };
}

const started: LogHints[] = [];
afterEach(() => {
  for (const hints of started.splice(0)) hints.stop();
});

describe('hints of the log', () => {
  it('are given to nobody while no other process has a stream open', () => {
    const { start, given } = processes();
    const [appender] = [start(), start()];
    appender.hints.tellGrown(1n);
    appender.hints.noteReaders(1);
    appender.hints.tellGrown(2n);
    expect(given.map(({ topic }) => topic)).toEqual(['event-log-readers']);
  });

  it('reach a process that has one', () => {
    const { start } = processes();
    const [appender, other] = [start(), start()];
    other.hints.noteReaders(1);
    appender.hints.tellGrown(7n);
    expect(other.grown).toEqual([7n]);
    expect([appender.hints.hasReaders(), other.hints.hasReaders(), start().hints.hasReaders()]).toEqual([true, true, false]);
  });

  it('tell a process that opens its first one what it may have missed', () => {
    const { start } = processes();
    const [appender, other] = [start(), start()];
    appender.hints.tellGrown(7n);
    other.hints.noteReaders(1);
    expect(other.grown).toEqual([7n]);
  });
});
