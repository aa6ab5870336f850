import { z } from 'zod';
import { mapValues, withTypes } from './with-types.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON schema, and the named schemas (`.meta({ id })`) that it refers to. */
export type DescribedSchema = { readonly schema: JsonSchema; readonly named: Readonly<Record<string, JsonSchema>> };

/** Requests use the input type of a schema, responses the output type. */
export type Direction = 'request' | 'response';

const namedPrefix = '#/components/schemas/';

export function describeShape(shape: z.ZodType, direction: Direction): DescribedSchema {
  const {
    $schema,
    $defs = {},
    ...schema
  } = z.toJSONSchema(shape, {
    io: direction === 'request' ? 'input' : 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema, direction),
  });
  return { schema: withTypes(withReferences(schema)), named: mapValues(withReferences($defs), withTypes) };
}

/** The name of the referenced schema, if the schema is only a reference. */
export function referredName(schema: JsonSchema): string | undefined {
  return schema.$ref?.startsWith(namedPrefix) === true ? schema.$ref.slice(namedPrefix.length) : undefined;
}

export function referenceTo(name: string): JsonSchema {
  return { $ref: `${namedPrefix}${name}` };
}

function tidy(schema: JsonSchema, direction: Direction): void {
  if ('example' in schema) {
    schema.examples = [schema['example']];
    delete schema['example'];
  }
  // Only the server's input parser uses it; it is not a keyword of JSON Schema.
  delete schema['aliases'];
  // The named format is enough; zod's pattern is hard to read and not portable.
  if (schema.format !== undefined) delete schema.pattern;
  // zod adds the bounds of safe integers to every integer; they are noise in the reference.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Responses may gain fields within a version, so generated clients must accept unknown ones.
  if (direction === 'response' && schema.additionalProperties === false) delete schema.additionalProperties;
}

function withReferences<T extends object>(schemas: T): T {
  const text = JSON.stringify(schemas).replaceAll('"#/$defs/', `"${namedPrefix}`);
  return JSON.parse(text) as T;
}
