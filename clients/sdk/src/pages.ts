import type { Settings } from './call-options.js';
import { call } from './call.js';
import type { List, NextPage, Page } from './list.js';
import type { Call, Input } from './request.js';
import { isObject, partOf } from './response.js';

export function listOf(settings: Settings, made: Call): List<unknown> {
  return { [Symbol.asyncIterator]: () => recordsOf(settings, made), page: () => pageOf(settings, made) };
}

async function* recordsOf(settings: Settings, made: Call): AsyncGenerator {
  let input: Input | undefined = made.input;
  while (input !== undefined) {
    const { records, next }: Page<unknown> = await pageOf(settings, { ...made, input });
    yield* records;
    input = next === undefined ? undefined : { ...input, ...next };
  }
}

async function pageOf(settings: Settings, made: Call): Promise<Page<unknown>> {
  const { body, requestId } = await call(settings, made);
  const records = partOf(body, made.operation.at, requestId) as readonly unknown[];
  const page = partOf(body, ['data'], requestId);
  return { records, next: isObject(page) ? nextPage(page) : undefined };
}

function nextPage(page: Input): NextPage | undefined {
  const { nextCursor, pagination, as_of } = page;
  if (typeof nextCursor === 'string') return { cursor: nextCursor };
  if (!isObject(pagination) || !(Number(pagination['page']) < Number(pagination['pages']))) return undefined;
  return { page: Number(pagination['page']) + 1, ...(typeof as_of === 'string' ? { as_of } : {}) };
}
