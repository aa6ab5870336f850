import { z } from 'zod';
import type { StreamMessage } from '@holdfast/http/event-stream';

const shown = z.object({
  eventType: z.string(),
  occurredAt: z.string(),
  aggregateId: z.string(),
  payload: z.record(z.string(), z.unknown()),
});
const gap = z.object({ from: z.string(), to: z.string() });

const typeWidth = 28;
const idWidth = 31;
const valueLengthMax = 60;

/** Undefined for pings, which are not printed. */
export function lineOf({ event, data }: StreamMessage, isColored: boolean): string | undefined {
  if (event === 'ping') return undefined;
  const paint = isColored ? painted : (_: number, text: string): string => text;
  if (event === 'gap') {
    const { from, to } = gap.parse(JSON.parse(data));
    return paint(colors.warning, `what happened after ${from}, up to ${to}, is no longer in the history`);
  }
  const { eventType, occurredAt, aggregateId, payload } = shown.parse(JSON.parse(data));
  const time = occurredAt.slice(11, 26);
  const facts = Object.entries(payload)
    .filter(([, value]) => value !== aggregateId && value !== null)
    .map(([name, value]) => `${paint(colors.faint, `${name}=`)}${textOf(value)}`);
  const head = [paint(colors.faint, time), paint(colorOf(eventType), eventType.padEnd(typeWidth)), aggregateId.padEnd(idWidth)];
  return [...head, facts.join(' ')].join(' ').trimEnd();
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const quoted = /\s/.test(text) ? JSON.stringify(text) : text;
  return quoted.length > valueLengthMax ? `${quoted.slice(0, valueLengthMax)}…` : quoted;
}

const colors = { faint: 90, warning: 33, red: 31, green: 32, blue: 34, cyan: 36, magenta: 35 } as const;

function colorOf(eventType: string): number {
  if (/failed|canceled|disputed|refunded/.test(eventType)) return colors.red;
  const [kind = ''] = eventType.split('.');
  const byKind: Readonly<Record<string, number>> = { order: colors.green, balance: colors.cyan, escrow: colors.magenta };
  return byKind[kind] ?? colors.blue;
}

function painted(color: number, text: string): string {
  return `\u001b[${color}m${text}\u001b[39m`;
}
