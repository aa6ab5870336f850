import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

export const repository = fileURLToPath(new URL('../../../../', import.meta.url));

const dependency = z.object({ condition: z.string(), required: z.boolean().default(true) });
const service = z.object({
  image: z.string(),
  build: z.object({ target: z.string(), args: z.record(z.string(), z.string()).default({}) }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.string().optional(),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), dependency).default({}),
  healthcheck: z.unknown().optional(),
  profiles: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  logging: z.object({ options: z.record(z.string(), z.string()).default({}) }).optional(),
  mem_limit: z.string().optional(),
  restart: z.string().optional(),
});
const composeFile = z.object({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
});

export type ComposeFile = z.output<typeof composeFile>;
export type ComposeService = z.output<typeof service>;

export function readRepositoryFile(file: string): string {
  return readFileSync(`${repository}${file}`, 'utf8');
}

/** As the specification sees it: anchors and merges are resolved. */
export function parseYaml(text: string): unknown {
  const parsed: unknown = parse(text, { merge: true });
  return parsed;
}

export function readComposeFile(): ComposeFile {
  return composeFile.parse(parseYaml(readRepositoryFile('docker-compose.yml')));
}

/** `${NAME}`, `${NAME:-default}` or `${NAME?why it must be set}`. */
const variable = /\$\{([A-Z_]+)(?::?-([^}]*)|:?\?[^}]*)?\}/g;

/** The names of the variables that a text interpolates. */
export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(variable)].map(([, name = '']) => name);
}

/** The text as it is when no variable is set. */
export function withDefaults(text: string): string {
  return text.replaceAll(variable, (_whole, _name, fallback: string | undefined) => fallback ?? '');
}
