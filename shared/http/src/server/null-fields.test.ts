import { z } from 'zod';
import { allRoutes, type RouteDeclaration } from '@holdfast/contracts/http';
import { describeShape, exampleOf } from '@holdfast/contracts/openapi';
import { rawBody } from '@holdfast/contracts/shapes';
import { inputParser } from './parse-input.js';

type JsonObject = Readonly<Record<string, unknown>>;

const withBody = allRoutes.filter(({ method, body }) => method !== 'get' && body !== rawBody && !(body instanceof z.ZodUnknown));

const exampleIn = (shape: z.ZodType, name: string) => exampleOf(describeShape(shape, 'request'), name) as JsonObject;

function bodyParsedBy(route: RouteDeclaration, body: JsonObject): unknown {
  const params = exampleIn(route.params, `the path of ${route.name}`) as Readonly<Record<string, string>>;
  const raw = { params, query: '', body: Buffer.from(JSON.stringify(body)), contentType: 'application/json', headers: {} };
  return inputParser(route)(raw).body;
}

describe.each(withBody)('$name', (route) => {
  it('takes null for an optional field as if it were left out', () => {
    const example = exampleIn(route.body, `the body of ${route.name}`);
    const { properties = {}, required = [] } = describeShape(route.body, 'request').schema;
    const optional = Object.keys(properties).filter((field) => !required.includes(field));
    const nulls = Object.fromEntries(optional.map((field) => [field, null]));
    expect(bodyParsedBy(route, { ...nulls, ...example })).toEqual(bodyParsedBy(route, example));
  });
});
