import type { JsonSchema } from '../openapi/index.js';

type Reference = { readonly $ref: string };

export type MessageObject = {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly contentType: 'application/json';
  readonly tags?: readonly { readonly name: string }[];
  readonly payload: JsonSchema;
  readonly examples: readonly { readonly payload: unknown }[];
};

/** The parts of an AsyncAPI 3.0 document that we use. */
export type AsyncApiDocument = {
  readonly asyncapi: '3.0.0';
  readonly info: Readonly<Record<string, unknown>>;
  readonly defaultContentType: 'application/json';
  readonly servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly channels: {
    readonly events: {
      readonly address: string;
      readonly title: string;
      readonly description: string;
      readonly messages: Readonly<Record<string, Reference>>;
    };
  };
  readonly operations: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly messages: Readonly<Record<string, MessageObject>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
};
