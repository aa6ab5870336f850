import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { hasApt, installPackage, unpackPackage } from './apt.js';
import { cacheFolder } from './config.js';
import { findCommand } from './find-command.js';

export type ToolOptions<Command extends string> = {
  /** All of them are needed. */
  readonly commands: readonly Command[];
  /** The package of Debian that has them. */
  readonly package: string;
  /** Other names or absolute paths that do as well. */
  readonly otherNames?: Partial<Record<Command, readonly string[]>>;
  /** Paths in the unpacked package; `usr/bin/<command>` unless given. */
  readonly paths?: Partial<Record<Command, string>>;
  /** For a program that is more than one binary: root installs it, other users get its missing libraries unpacked too. */
  readonly needsLibraries?: boolean;
};

export type ProvidedTool<Command extends string> = {
  readonly paths: Readonly<Record<Command, string>>;
  /** What the program needs in its environment in addition. */
  readonly environment: Readonly<Record<string, string>>;
};

export type Machine = {
  readonly isRoot: boolean;
  readonly hasApt: boolean;
  /** Where unpacked packages are kept. */
  readonly cacheFolder: string;
};

/** What is known before anything is fetched. */
export type Situation = Omit<Machine, 'cacheFolder'> & {
  readonly onPath: boolean;
  readonly inCache: boolean;
  readonly needsLibraries: boolean;
};

export type Way = 'use-path' | 'use-cache' | 'install' | 'unpack' | 'refuse';

/** What the machine has comes first, so a version that the user chose is the one that runs. */
export function chooseWay(situation: Situation): Way {
  if (situation.onPath) return 'use-path';
  if (situation.inCache) return 'use-cache';
  if (!situation.hasApt) return 'refuse';
  return situation.needsLibraries && situation.isRoot ? 'install' : 'unpack';
}

/** The paths of programs: what the machine has, else Debian's package; else the error names the command to run. */
export async function provideTool<Command extends string>(
  options: ToolOptions<Command>,
  machine: Machine = thisMachine(),
): Promise<ProvidedTool<Command>> {
  const target = path.join(machine.cacheFolder, options.package);
  const needsLibraries = options.needsLibraries ?? false;
  const onPath = findAll(options);
  const way = chooseWay({ ...machine, needsLibraries, onPath: onPath !== undefined, inCache: existsSync(target) });
  if (way === 'refuse') throw new Error(instructions(options, 'packages of Debian cannot be used here'));
  try {
    if (way === 'install') await installPackage(options.package, machine.cacheFolder);
    if (way === 'unpack') await unpackPackage({ package: options.package, target, withDependencies: needsLibraries });
  } catch (cause) {
    throw new Error(instructions(options, 'apt-get could not provide it'), { cause });
  }
  const found = way === 'use-cache' || way === 'unpack' ? unpacked(options, target) : findAll(options);
  if (found === undefined) throw new Error(instructions(options, 'the package does not contain it'));
  return found;
}

function thisMachine(): Machine {
  return { isRoot: process.getuid?.() === 0, hasApt: hasApt(), cacheFolder: cacheFolder() };
}

function findAll<Command extends string>(options: ToolOptions<Command>): ProvidedTool<Command> | undefined {
  const find = (command: Command): string | undefined =>
    [command, ...(options.otherNames?.[command] ?? [])].map(findCommand).find((file) => file !== undefined);
  return toProvided(options.commands, find, {});
}

function unpacked<Command extends string>(options: ToolOptions<Command>, target: string): ProvidedTool<Command> | undefined {
  const find = (command: Command): string | undefined =>
    findCommand(path.join(target, options.paths?.[command] ?? `usr/bin/${command}`));
  return toProvided(options.commands, find, options.needsLibraries === true ? { LD_LIBRARY_PATH: libraryPath(target) } : {});
}

/** Every folder with libraries, because some packages keep private ones in their own folder. */
function libraryPath(target: string): string {
  const files = readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((file) => /\.so(\.|$)/.test(file));
  return [...new Set(files.map((file) => path.join(target, path.dirname(file))))].sort().join(':');
}

function toProvided<Command extends string>(
  commands: readonly Command[],
  find: (command: Command) => string | undefined,
  environment: Readonly<Record<string, string>>,
): ProvidedTool<Command> | undefined {
  const paths: Partial<Record<Command, string>> = {};
  for (const command of commands) {
    const file = find(command);
    if (file === undefined) return undefined;
    paths[command] = file;
  }
  return isComplete(paths, commands) ? { paths, environment } : undefined;
}

function isComplete<Command extends string>(
  paths: Partial<Record<Command, string>>,
  commands: readonly Command[],
): paths is Record<Command, string> {
  return commands.every((command) => paths[command] !== undefined);
}

function instructions(options: ToolOptions<string>, reason: string): string {
  const names = options.commands.join(' and ');
  return `There is no ${names} on this machine, and ${reason}. Run: sudo apt-get update && sudo apt-get install -y ${options.package}`;
}
