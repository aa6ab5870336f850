import type { Settings } from './call-options.js';
import { call } from './call.js';
import type { Call, Input } from './request.js';
import { isObject, partOf } from './response.js';

/** The records of a list, page by page. Each loop over it begins with the first page. */
export function listOf(settings: Settings, made: Call): AsyncIterable<unknown> {
  return { [Symbol.asyncIterator]: () => recordsOf(settings, made) };
}

async function* recordsOf(settings: Settings, made: Call): AsyncGenerator {
  let input: Input | undefined = made.input;
  while (input !== undefined) {
    const { body, requestId } = await call(settings, { ...made, input });
    yield* partOf(body, made.operation.at, requestId) as readonly unknown[];
    const page = partOf(body, ['data'], requestId);
    const next: Input | undefined = isObject(page) ? nextPage(page) : undefined;
    input = next === undefined ? undefined : { ...input, ...next };
  }
}

/** What the next page is asked for with. Undefined after the last one. */
function nextPage(page: Input): Input | undefined {
  const { nextCursor, pagination, as_of } = page;
  if (typeof nextCursor === 'string') return { cursor: nextCursor };
  if (!isObject(pagination) || !(Number(pagination['page']) < Number(pagination['pages']))) return undefined;
  return { page: Number(pagination['page']) + 1, ...(as_of === undefined ? {} : { as_of }) };
}
