import { readRepositoryFile } from './compose-file.js';

export type ImageTarget = {
  readonly base: string;
  readonly ports: readonly string[];
  readonly metricsPort: string | undefined;
  /** The program that its CMD gives to Node. */
  readonly program: string | undefined;
  /** The command that its ENTRYPOINT names. */
  readonly command: string | undefined;
  readonly text: string;
};

const stage = /^FROM (\S+) AS (\S+)$/gm;

/** The stages of the Dockerfile by name. */
export function readDockerfile(): ReadonlyMap<string, ImageTarget> {
  const text = readRepositoryFile('Dockerfile');
  const starts = [...text.matchAll(stage)];
  return new Map(
    starts.map(({ index, 1: base = '', 2: name = '' }, nth) => {
      const body = text.slice(index, starts[nth + 1]?.index);
      return [name, { base, text: body, ...factsOf(body) }];
    }),
  );
}

function factsOf(body: string): Pick<ImageTarget, 'ports' | 'metricsPort' | 'program' | 'command'> {
  return {
    ports: /^EXPOSE (.+)$/m.exec(body)?.[1]?.split(' ') ?? [],
    metricsPort: /\bMETRICS_PORT=(\d+)/.exec(body)?.[1],
    program: /^CMD \["node", "(.+)"\]$/m.exec(body)?.[1],
    command: /^ENTRYPOINT \["(.+)"\]$/m.exec(body)?.[1],
  };
}
