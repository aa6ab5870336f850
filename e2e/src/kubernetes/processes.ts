import { ofKind, type Container, type Manifest } from './manifest.js';

/** A process with its settings, those from files as `NAME_FILE`. */
export type Process = { readonly name: string; readonly values: ReadonlyMap<string, string>; readonly container: Container };

export function processesOf(manifests: readonly Manifest[]): readonly Process[] {
  return ofKind(manifests, 'Deployment').flatMap(({ metadata, spec }) =>
    (spec.template?.spec.containers ?? []).map((container) => ({
      name: metadata.name,
      container,
      values: new Map([
        ...configuredValues(manifests, container),
        ...(container.env ?? []).map(({ name, value }) => [name, value] as const),
      ]),
    })),
  );
}

/** The pod of the operators' commands waits for `kubectl exec`: it has no port, no probe and no metrics. */
export function servesNothing(name: string): boolean {
  return name === 'operator';
}

/** The values of the ConfigMaps that a container names. A later one wins. */
function configuredValues(manifests: readonly Manifest[], { envFrom = [] }: Container): readonly (readonly [string, string])[] {
  const settings = ofKind(manifests, 'ConfigMap');
  return envFrom.flatMap(({ configMapRef }) =>
    Object.entries(settings.find(({ metadata }) => metadata.name === configMapRef?.name)?.data ?? {}),
  );
}

/** A URL among the settings, else nothing. */
export function urlOf(value: string): URL | undefined {
  return /^[a-z]+:\/\//.test(value) ? new URL(value) : undefined;
}

/** `LEDGER_BALANCE_URL` for ledger-balance. */
export function urlSettingOf(service: string): string {
  return `${service.toUpperCase().replaceAll('-', '_')}_URL`;
}
