import { existsSync } from 'node:fs';
import path from 'node:path';
import { secretReaders } from '../../secrets/readers.js';
import {
  readRepositoryFile,
  repository,
  variablesIn,
  withDefaults,
  type ComposeFile,
  type ComposeService,
} from './compose-file.js';
import type { ImageTarget } from './dockerfile.js';
import type { SettingsTable } from './settings-table.js';

const fileSuffix = '_FILE';
const secretsFolder = '/run/secrets/holdfast/';

/** Settings of one process that do not exist, are missing, or are given as a file although they are not secret. */
export function settingProblems(name: string, { environment }: ComposeService, table: SettingsTable): readonly string[] {
  const given = Object.keys(environment).map((variable) => ({ variable, setting: settingOf(variable, table) }));
  const unknown = given
    .filter(({ setting }) => setting === undefined)
    .map(({ variable }) => `${name} has no setting ${variable}`);
  const settings = new Set(given.map(({ setting }) => setting));
  const missing = [...table].filter(([setting, { isRequired }]) => isRequired && !settings.has(setting));
  const open = given.filter(({ variable, setting }) => setting === variable && isOpenSecret(variable, { environment, table }));
  return [
    ...unknown,
    ...missing.map(([setting]) => `${name} needs ${setting}`),
    ...open.map(({ variable }) => `${name} has the secret ${variable} in the open`),
  ];
}

function settingOf(variable: string, table: SettingsTable): string | undefined {
  if (table.has(variable)) return variable;
  const name = variable.endsWith(fileSuffix) ? variable.slice(0, -fileSuffix.length) : '';
  return table.get(name)?.isSecret === true ? name : undefined;
}

type Given = { readonly environment: ComposeService['environment']; readonly table: SettingsTable };

/** A URL without a login is not secret, whatever the setting may hold elsewhere. */
function isOpenSecret(variable: string, { environment, table }: Given): boolean {
  const value = environment[variable] ?? '';
  const isPlainUrl = URL.canParse(value) && new URL(value).password === '';
  return table.get(variable)?.isSecret === true && !isPlainUrl;
}

/** The secret files that a server names in its own configuration instead of its environment. */
const configuredFiles: Readonly<Record<string, readonly string[]>> = {
  alertmanager: [...new Set(readRepositoryFile('deploy/alertmanager/alertmanager.yml').match(/(?<=^ +- url_file: ).+$/gm))],
};

/** Secret files that no service writes, and secrets that are written and not read. */
export function secretProblems({ services }: ComposeFile): readonly string[] {
  return Object.entries(services).flatMap(([name, { environment }]) => {
    const read = [...Object.values(environment), ...(configuredFiles[name] ?? [])]
      .filter((value) => value.startsWith(secretsFolder))
      .map((value) => value.slice(secretsFolder.length));
    const written = Object.keys(secretReaders[name]?.files ?? {});
    return [
      ...read.filter((file) => !written.includes(file)).map((file) => `no service writes ${file} for ${name}`),
      ...written.filter((file) => !read.includes(file)).map((file) => `${name} does not read ${file}`),
    ];
  });
}

/** Volumes, networks and dependencies that are not declared, files that do not exist, conditions that nothing meets. */
export function referenceProblems(file: ComposeFile): readonly string[] {
  return Object.entries(file.services).flatMap(([name, service]) => [
    ...service.volumes.flatMap((volume) => volumeProblems(name, volume, file)),
    ...service.networks.filter((network) => !(network in file.networks)).map((network) => `${name}: no network ${network}`),
    ...Object.entries(service.depends_on).flatMap(([other, { condition }]) =>
      dependencyProblems(name, { other, condition }, file),
    ),
  ]);
}

function volumeProblems(name: string, volume: string, { volumes }: ComposeFile): readonly string[] {
  const [source = ''] = volume.split(':');
  const exists = source.startsWith('.') ? existsSync(path.join(repository, source)) : source in volumes;
  return exists ? [] : [`${name}: there is no ${source}`];
}

type Dependency = { readonly other: string; readonly condition: string };

function dependencyProblems(name: string, { other, condition }: Dependency, { services }: ComposeFile): readonly string[] {
  const target = services[other];
  if (target === undefined) return [`${name} depends on ${other}, which does not exist`];
  if (condition === 'service_healthy' && target.healthcheck === undefined)
    return [`${name} waits for ${other}, which has no check`];
  return [];
}

/** Addresses of other containers that lead nowhere: no such container, no common network, a port that it does not serve. */
export function addressProblems(
  { services }: ComposeFile,
  targets: ReadonlyMap<string, ImageTarget>,
  serverPorts: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(services).flatMap(([name, service]) =>
    addressesOf(service).flatMap(({ hostname, port }) => {
      const other = services[hostname];
      if (other === undefined) return [`${name}: there is no ${hostname}`];
      const isServed = targets.get(hostname)?.ports.includes(port) ?? serverPorts[hostname] === port;
      const isReachable = other.networks.some((network) => service.networks.includes(network));
      return [
        ...(isServed ? [] : [`${name}: ${hostname} does not serve ${port}`]),
        ...(isReachable ? [] : [`${name} shares no network with ${hostname}`]),
      ];
    }),
  );
}

/** The container's own view: what browsers use is not an address between containers. */
function addressesOf({ environment }: ComposeService): readonly URL[] {
  return Object.values(environment)
    .map(withDefaults)
    .filter((value) => /^(https?|postgres|amqp):/.test(value) && URL.canParse(value))
    .map((value) => new URL(value))
    .filter(({ hostname }) => hostname !== 'localhost');
}

/** Containers with more rights than they need, and images whose version is left open. */
export function hardeningProblems({ services }: ComposeFile): readonly string[] {
  return Object.entries(services).flatMap(([name, service]) => [
    ...(service.cap_drop.includes('ALL') ? [] : [`${name} keeps capabilities`]),
    ...(service.security_opt.includes('no-new-privileges:true') ? [] : [`${name} may gain privileges`]),
    ...(/:v?\d+\.\d+(\.\d+)?(-\w+)?$/.test(withDefaults(service.image)) ? [] : [`${name} has no pinned version`]),
    ...(service.build === undefined || service.read_only ? [] : [`${name} can write to its image`]),
    ...service.ports.filter((port) => !port.startsWith('127.0.0.1:')).map((port) => `${name} is open to the world at ${port}`),
  ]);
}

/** Containers that could fill the disk with logs or take the memory of the others. */
export function limitProblems({ services }: ComposeFile): readonly string[] {
  return Object.entries(services).flatMap(([name, { logging, mem_limit: memoryMax }]) => [
    ...(['max-size', 'max-file'].every((option) => logging?.options[option] !== undefined) ? [] : [`${name} has endless logs`]),
    ...(memoryMax === undefined ? [`${name} may take all memory`] : []),
  ]);
}

/** Every variable that the file interpolates. */
export function interpolated({ services }: ComposeFile): ReadonlySet<string> {
  const texts = Object.values(services).flatMap(({ environment, ports, image, labels, build }) => [
    ...Object.values(environment),
    ...Object.values(labels),
    ...Object.values(build?.args ?? {}),
    ...ports,
    image,
  ]);
  return new Set(texts.flatMap(variablesIn));
}
