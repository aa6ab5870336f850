import { readFileSync } from 'node:fs';
import type { UserId } from '@holdfast/kernel/ids';
import type { Endpoint } from '../credits/platform.js';
import type { Sample } from '../frame/results.js';
import type { Side } from '../frame/measure.js';

export type Wanted = {
  readonly userId: UserId;
  readonly from: string;
  readonly to: string;
  readonly lines: number;
  readonly accept: 'application/json' | 'text/csv';
};

/** One caller, one statement after the other, through the gateway. Each must have the lines that were written. */
export function statementSide(name: string, gateway: Endpoint, wanted: Wanted): Side {
  return {
    name,
    run: async (durationMs) => {
      const begin = performance.now();
      const latencies: number[] = [];
      do {
        const startedAt = performance.now();
        await readOne(gateway, wanted);
        latencies.push(performance.now() - startedAt);
      } while (performance.now() - begin < durationMs);
      return sampleOf(latencies, (performance.now() - begin) / 1_000);
    },
  };
}

function sampleOf(latencies: readonly number[], seconds: number): Sample {
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), cpuMicros: null, errors: 0 };
}

export async function openStatement({ url, headers }: Endpoint, { userId, from, to, accept }: Wanted): Promise<Response> {
  const path = `/api/v1/users/${userId}/statements?from=${from}&to=${to}`;
  const response = await fetch(`${url}${path}`, { headers: { ...headers(), accept } });
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
  return response;
}

async function readOne(gateway: Endpoint, wanted: Wanted): Promise<void> {
  const text = await (await openStatement(gateway, wanted)).text();
  const found =
    text.split(wanted.accept === 'text/csv' ? '\r\n' : '"transferId"').length - (wanted.accept === 'text/csv' ? 3 : 1);
  const expected = wanted.accept === 'text/csv' ? wanted.lines : Math.min(100, wanted.lines);
  if (found !== expected) throw new Error(`a statement of ${expected} lines has ${found}`);
}

/** The memory of a process in MB. */
export function memoryMbOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
}
